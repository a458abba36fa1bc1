"""Ops that load, store and prefetch dense blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I32,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    UnitAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.dialects.utils import split_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, result_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.diagnostics import about, warn
from xegpu.dialects.upstream.vector import ShapeCastOp
from xegpu.dialects.xegpu import rules
from xegpu.dialects.xegpu.attributes import READ_HINTS, WRITE_HINTS
from xegpu.dialects.xegpu.folding import MixedList
from xegpu.dialects.xegpu.generations import vnni_axis
from xegpu.dialects.xegpu.generations.implied import replaced
from xegpu.dialects.xegpu.lane_maps import DistributionAttr
from xegpu.dialects.xegpu.ops.access import NO_HINTS, CacheHints, HintedOp, access_properties
from xegpu.dialects.xegpu.syntax import (
    check_mixed,
    integers,
    mixed,
    parse_dictionaries,
    parse_optional_offsets,
    print_dictionaries,
    print_optional_offsets,
    without_offsets,
)
from xegpu.dialects.xegpu.translation import TranslatedOp
from xegpu.dialects.xegpu.types import TensorDescType, descriptor_type, element_bits, packing_factor

TRANSPOSE_UNITS = (32, 64)


class _BlockAccessOp(TranslatedOp, HintedOp):
    """An access of a dense block, at the descriptor's position plus `offsets`.

    There is one offset in elements for each dimension of the descriptor, or none: then all are zero.
    """

    tensor_desc = operand_def(TensorDescType)
    offsets = var_operand_def(IndexType)
    const_offsets = opt_prop_def(DenseArrayBase.constr(i64))

    @property
    def desc(self) -> TensorDescType:
        """The type of the descriptor."""
        return descriptor_type(self.tensor_desc)

    @property
    def mixed_offsets(self) -> list[SSAValue | int] | None:
        """The offsets, outermost first, or None where the operation has none."""
        return None if self.const_offsets is None else mixed(self.const_offsets, self.offsets)

    def verify_offsets(self) -> None:
        """Checks that there is one offset for each dimension of the descriptor, or none."""
        if self.const_offsets is None:
            if self.offsets:
                raise VerifyException(f"expected 0 offset values, got {len(self.offsets)}")
            return
        check_mixed("offset", self.const_offsets, self.offsets)
        if (count := len(self.const_offsets)) != (rank := self.desc.get_num_dims()):
            raise VerifyException(
                f"Mismatched ranks between offsets and tensor descriptor: {count} offsets, rank {rank}"
            )


def _block_access(
    hints: CacheHints, offsets: MixedList | None, layout: DistributionAttr | None
) -> tuple[list[SSAValue], dict[str, Attribute]]:
    """Returns the dynamic offsets and the properties of an access; without `offsets` it has no list of them."""
    properties = access_properties(hints, layout)
    if offsets is None:
        return [], properties
    static, dynamic = split_dynamic_index_list(offsets, DYNAMIC_INDEX)
    return dynamic, {**properties, "const_offsets": DenseArrayBase.from_list(i64, static)}


@irdl_op_definition
class PrefetchNdOp(_BlockAccessOp):
    """Brings a block to the caches; parts outside the base tensor are ignored.

    `xegpu.prefetch_nd %td <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<8x16xf16>`
    """

    name = "xegpu.prefetch_nd"

    def __init__(
        self,
        tensor_desc: SSAValue | Operation,
        hints: CacheHints = NO_HINTS,
        offsets: MixedList | None = None,
        layout: DistributionAttr | None = None,
    ):
        dynamic, properties = _block_access(hints, offsets, layout)
        super().__init__(operands=[tensor_desc, dynamic], properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchNdOp:
        tensor_desc = parser.parse_unresolved_operand()
        offsets = parse_optional_offsets(parser)
        dictionaries = parse_dictionaries(parser, cls)
        parser.parse_punctuation(":")
        return cls.create(
            operands=[parser.resolve_operand(tensor_desc, parser.parse_type()), *offsets.dynamic],
            properties={**dictionaries.properties, **offsets.properties},
            attributes=dictionaries.attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.tensor_desc)
        print_optional_offsets(printer, self.const_offsets, self.offsets)
        print_dictionaries(printer, without_offsets(self.properties), self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.tensor_desc.type)

    def verify_(self) -> None:
        with about(tensor_desc=self.tensor_desc):
            rules.block_descriptor(self.desc)
            self.verify_offsets()
        rules.cache_hints(self.hint_attributes, READ_HINTS)


@irdl_op_definition
class LoadNdOp(_BlockAccessOp):
    """Loads a block; elements outside the base tensor read as zero.

    `%v = xegpu.load_nd %td <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>`

    `packed` puts 32 bits' worth of vertically adjacent elements next to each other (VNNI). `transpose` swaps rows and
    columns, in units of `transpose_bit_width` bits where given. Where the descriptor has an sg_map, the result is the
    block as a whole or, after distribution, the fragment of a lane. `vnni_axis` of older texts is read as `packed`; if
    the result has the elements of a row in groups, it is a `vector.shape_cast` of the block.
    """

    name = "xegpu.load_nd"
    packed = opt_prop_def(UnitAttr)
    transpose = opt_prop_def(DenseArrayBase.constr(i64))
    transpose_bit_width = opt_prop_def(IntegerAttr[I32])
    value = result_def()

    traits = traits_def(MemoryReadEffect())

    def __init__(
        self,
        tensor_desc: SSAValue | Operation,
        result_type: VectorType,
        *,
        packed: bool = False,
        transpose: Sequence[int] | None = None,
        transpose_bit_width: int | None = None,
        hints: CacheHints = NO_HINTS,
        offsets: MixedList | None = None,
        layout: DistributionAttr | None = None,
    ):
        dynamic, properties = _block_access(hints, offsets, layout)
        if packed:
            properties["packed"] = UnitAttr()
        if transpose is not None:
            properties["transpose"] = DenseArrayBase.from_list(i64, transpose)
        if transpose_bit_width is not None:
            properties["transpose_bit_width"] = IntegerAttr(transpose_bit_width, i32)
        super().__init__(operands=[tensor_desc, dynamic], result_types=[result_type], properties=properties)

    @property
    def is_transposed(self) -> bool:
        """Returns whether rows and columns are exchanged; False if `transpose` is the identity or is ignored."""
        return self.transpose is not None and integers(self.transpose) == (1, 0)

    @property
    def is_packed(self) -> bool:
        """Returns whether the result is VNNI-packed; False if `packed` is ignored."""
        return self.packed is not None and self.desc.get_num_dims() == 2

    TRANSLATIONS: ClassVar = {vnni_axis.NAME: vnni_axis.unchanged}

    @classmethod
    def translated(
        cls, operands: Sequence[SSAValue], result_types: Sequence[Attribute], properties: Mapping[str, Attribute]
    ) -> Mapping[str, Attribute]:
        found = super().translated(operands, result_types, properties)
        if not operands or len(result_types) != 1:
            return found
        return vnni_axis.canonical_properties(found, operands[0].type, result_types[0])

    @classmethod
    def parse(cls, parser: Parser) -> LoadNdOp:
        tensor_desc = parser.parse_unresolved_operand()
        offsets = parse_optional_offsets(parser)
        dictionaries = parse_dictionaries(parser, cls)
        parser.parse_punctuation(":")
        desc_type = parser.parse_type()
        parser.parse_punctuation("->")
        result_type, operand = parser.parse_type(), parser.resolve_operand(tensor_desc, desc_type)
        properties = {**dictionaries.properties, **offsets.properties}
        plain = vnni_axis.plain_type(properties, desc_type, result_type)
        if plain is not None:
            properties.pop(vnni_axis.NAME)
        op = cls.create(
            operands=[operand, *offsets.dynamic],
            result_types=[plain or result_type],
            properties=properties,
            attributes=dictionaries.attributes,
        )
        if plain is None:
            return op
        assert isa(result_type, VectorType[Attribute])
        return replaced(parser, op, ShapeCastOp(op.value, result_type))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.tensor_desc)
        print_optional_offsets(printer, self.const_offsets, self.offsets)
        print_dictionaries(printer, without_offsets(self.properties), self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.tensor_desc.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.value.type)

    def verify_(self) -> None:
        rules.cache_hints(self.hint_attributes, READ_HINTS)
        desc = self.desc
        with about(tensor_desc=self.tensor_desc):
            rules.block_descriptor(desc)
            self.verify_offsets()
            value = rules.vector(self.value.type, "Invalid result, it should be a VectorType.")
            rules.same_element_type(value=value, TensorDesc=desc)
            self._verify_transpose(desc)
            self._verify_packed(desc)
            rules.subgroup_or_lane_shape("Result", value.get_shape(), self._whole_shapes(desc), desc)

    def _verify_transpose(self, desc: TensorDescType) -> None:
        rank = desc.get_num_dims()
        if self.transpose is not None:
            permutation = integers(self.transpose)
            if any(not 0 <= index < rank for index in permutation):
                warn(self, "Invalid transpose attr. It is ignored.")
            elif sorted(permutation) != list(range(rank)):
                raise VerifyException(f"expected transpose to be a permutation of {rank} dims, got {list(permutation)}")
            elif rank > 2 and permutation != tuple(range(rank)):
                raise VerifyException(f"transpose needs a 1D or 2D TensorDesc, got {desc}")
            elif self.is_transposed and desc.array_length > 1:
                raise VerifyException(f"transpose needs an array_length of 1, got {desc.array_length}")
        if self.transpose_bit_width is None:
            return
        width, bits = self.transpose_bit_width.value.data, element_bits(desc.element_type)
        if not self.is_transposed:
            raise VerifyException("transpose_bit_width needs a transpose of [1, 0]")
        if width not in TRANSPOSE_UNITS or width % bits != 0:
            raise VerifyException(
                f"expected transpose_bit_width to be 32 or 64 and a multiple of the {bits} bits of an element, got "
                f"{width}"
            )
        if desc.tile[1] % (width // bits) != 0:
            raise VerifyException(
                f"transpose_bit_width = {width} moves {width // bits} elements at once, which do not divide a row of "
                f"{desc.tile[1]}"
            )

    def _verify_packed(self, desc: TensorDescType) -> None:
        if self.packed is None:
            return
        if not self.is_packed:
            warn(self, "Invalid Packed Attr. It is ignored (available for 2D TensorDesc only).")
            return
        if self.is_transposed:
            raise VerifyException("packed and transpose cannot be combined")
        factor, rows = packing_factor(desc.element_type), desc.tile[0]
        if factor == 1:
            raise VerifyException(f"packed needs elements of less than 32 bits, got {desc.element_type}")
        if rows % factor != 0:
            raise VerifyException(f"packed needs a multiple of {factor} rows of {desc.element_type}, got {rows}")
        if (lanes := desc.lane_map) is not None and lanes.data != (factor, 1):
            raise VerifyException(
                f"packed needs wi_data = {[factor, 1]} for {desc.element_type}, got {list(lanes.data)}"
            )

    @property
    def whole_shape(self) -> tuple[int, ...]:
        """The shape of one block in registers, when the subgroup loads it as a whole."""
        return self._block_shapes(self.desc)[0]

    def _whole_shapes(self, desc: TensorDescType) -> tuple[rules.Shape, ...]:
        """Returns the shapes that the result may have when the subgroup loads it as a whole."""
        shapes = self._block_shapes(desc)
        if (blocks := desc.array_length) > 1:
            stacked = tuple((blocks * shape[0], *shape[1:]) for shape in shapes)
            shapes = (*((blocks, *shape) for shape in shapes), *stacked)
        return shapes

    def _block_shapes(self, desc: TensorDescType) -> tuple[rules.Shape, ...]:
        """Returns the shapes that one block may have in registers."""
        shape = desc.get_shape()
        shapes: tuple[rules.Shape, ...] = (shape,)
        if self.is_transposed and self.transpose_bit_width is not None:
            factor = self.transpose_bit_width.value.data // element_bits(desc.element_type)
            rows, columns = desc.tile
            shapes = ((columns // factor, rows, factor), (columns // factor, rows * factor))
        elif self.is_transposed:
            shapes = (shape[::-1],)
        elif self.is_packed:
            factor = packing_factor(desc.element_type)
            shapes = ((shape[0] // factor, shape[1], factor),)
        return shapes


@irdl_op_definition
class StoreNdOp(_BlockAccessOp):
    """Stores a block; elements outside the base tensor are dropped.

    `xegpu.store_nd %v, %td : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>`
    """

    name = "xegpu.store_nd"
    value = operand_def()
    tensor_desc = operand_def(TensorDescType)
    offsets = var_operand_def(IndexType)

    traits = traits_def(MemoryWriteEffect())

    def __init__(
        self,
        value: SSAValue | Operation,
        tensor_desc: SSAValue | Operation,
        hints: CacheHints = NO_HINTS,
        offsets: MixedList | None = None,
        layout: DistributionAttr | None = None,
    ):
        dynamic, properties = _block_access(hints, offsets, layout)
        super().__init__(operands=[value, tensor_desc, dynamic], properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> StoreNdOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        tensor_desc = parser.parse_unresolved_operand()
        offsets = parse_optional_offsets(parser)
        dictionaries = parse_dictionaries(parser, cls)
        parser.parse_punctuation(":")
        value_type = parser.parse_type()
        parser.parse_punctuation(",")
        desc_type = parser.parse_type()
        return cls.create(
            operands=[
                parser.resolve_operand(value, value_type),
                parser.resolve_operand(tensor_desc, desc_type),
                *offsets.dynamic,
            ],
            properties={**dictionaries.properties, **offsets.properties},
            attributes=dictionaries.attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        printer.print_ssa_value(self.tensor_desc)
        print_optional_offsets(printer, self.const_offsets, self.offsets)
        print_dictionaries(printer, without_offsets(self.properties), self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.value.type)
        printer.print_string(", ")
        printer.print_attribute(self.tensor_desc.type)

    def verify_(self) -> None:
        rules.cache_hints(self.hint_attributes, WRITE_HINTS)
        desc = self.desc
        with about(tensor_desc=self.tensor_desc, value=self.value):
            rules.block_descriptor(desc)
            self.verify_offsets()
            value = rules.vector(self.value.type, "Expecting a VectorType result.")
            rules.same_element_type(value=value, TensorDesc=desc)
            if desc.array_length > 1:
                raise VerifyException(f"a store needs an array_length of 1, got {desc.array_length}")
            rules.subgroup_or_lane_shape("Value", value.get_shape(), (desc.get_shape(),), desc)
