"""Operations that load, store and prefetch at one address for each lane or element.

The addresses are those of a scattered descriptor, or a base with an offset for each element of the mask. LLVM 22 has
both forms, the RFC has the first one, and later versions the second.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import ClassVar, Self

from xdsl.dialects.builtin import I64, DenseArrayBase, IndexType, IntegerAttr, MemRefType, UnitAttr, VectorType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, opt_prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from xegpu.diagnostics import about, warn
from xegpu.dialects.xegpu import rules
from xegpu.dialects.xegpu.attributes import READ_HINTS, WRITE_HINTS
from xegpu.dialects.xegpu.lane_maps import DistributionAttr
from xegpu.dialects.xegpu.ops.access import NO_HINTS, CacheHints, HintedOp, access_properties
from xegpu.dialects.xegpu.ops.descriptor_ops import ADDRESS_TYPES
from xegpu.dialects.xegpu.syntax import parse_dictionaries, print_dictionaries
from xegpu.dialects.xegpu.translation import TranslatedOp
from xegpu.dialects.xegpu.types import TensorDescType, descriptor_type, is_scalar

SWAP = DenseArrayBase.from_list(i64, [1, 0])


class _LaneAccessOp(TranslatedOp, HintedOp):
    """An access through the descriptor `source`, or at the base `source` plus `offsets` elements.

    Subclasses declare the operands `source` and `offsets`.
    """

    BEFORE: ClassVar[tuple[str, ...]] = ()
    """The operands that are written before the source."""
    AFTER: ClassVar[tuple[str, ...]] = ()
    """The operands that are written after the offsets."""

    source = operand_def()
    offsets = opt_operand_def()

    @property
    def tensor_desc(self) -> SSAValue:
        """The descriptor, of an access without offsets."""
        return self.source

    @property
    def desc(self) -> TensorDescType:
        """The type of the descriptor, of an access without offsets."""
        return descriptor_type(self.source)

    @property
    def has_descriptor(self) -> bool:
        """Returns whether the addresses are those of a descriptor."""
        return isinstance(self.source.type, TensorDescType)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        before = []
        for _ in cls.BEFORE:
            before.append(parser.parse_unresolved_operand())
            parser.parse_punctuation(",")
        source = parser.parse_unresolved_operand()
        offsets = []
        if parser.parse_optional_punctuation("[") is not None:
            offsets.append(parser.parse_unresolved_operand())
            parser.parse_punctuation("]")
        after = []
        for _ in cls.AFTER:
            parser.parse_punctuation(",")
            after.append(parser.parse_unresolved_operand())
        dictionaries = parse_dictionaries(parser, cls)
        parser.parse_punctuation(":")
        position = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        result_types = []
        if cls.get_irdl_definition().results:
            parser.parse_punctuation("->")
            result_types.append(parser.parse_type())
        return cls.create(
            operands=parser.resolve_operands([*before, source, *offsets, *after], types, position),
            result_types=result_types,
            properties=dictionaries.properties,
            attributes=dictionaries.attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        for position, operand in enumerate(self.operands):
            if operand is self.offsets and position == len(self.BEFORE) + 1:
                with printer.in_square_brackets():
                    printer.print_ssa_value(operand)
                continue
            if position:
                printer.print_string(", ")
            printer.print_ssa_value(operand)
        print_dictionaries(printer, self.properties, self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.operand_types, printer.print_attribute)
        if self.results:
            printer.print_string(" -> ")
            printer.print_list(self.result_types, printer.print_attribute)

    def verify_base(self, offsets: SSAValue) -> None:
        """Checks the base and the offsets of an access without a descriptor."""
        source = self.source.type
        if isa(source, MemRefType):
            if source.get_num_dims() != 1:
                raise VerifyException(f"Expecting the source is a 1D memref or pointer (uint64_t). Got {source}")
            if not is_scalar(source.element_type):
                raise VerifyException(f"expected a memref of scalars, got {source}")
        elif source not in ADDRESS_TYPES:
            raise VerifyException(f"expected a memref or one of ui64, ui32, i64, i32, but got {source}")
        if not isinstance(get_element_type_or_self(offsets.type), IndexType):
            raise VerifyException(f"expected offsets of type index or vectors of index, got {offsets.type}")
        if not isinstance(offsets.type, IndexType):
            rules.vector(offsets.type, "expected offsets of type index or vectors of index,")


@irdl_op_definition
class PrefetchOp(_LaneAccessOp):
    """Brings the elements of every lane to the caches.

    `xegpu.prefetch %td : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>`
    `xegpu.prefetch %p[%offsets] <{offset_align_byte = 4 : i64}> : ui64, vector<16xindex>`

    Offsets from a memref count elements; those from an integer count units of `offset_align_byte` bytes.
    """

    name = "xegpu.prefetch"
    source = operand_def()
    offsets = opt_operand_def()
    offset_align_byte = opt_prop_def(IntegerAttr[I64])

    def __init__(
        self,
        source: SSAValue | Operation,
        hints: CacheHints = NO_HINTS,
        offsets: SSAValue | None = None,
        offset_align_byte: int | None = None,
        layout: DistributionAttr | None = None,
    ):
        properties = access_properties(hints, layout)
        if offset_align_byte is not None:
            properties["offset_align_byte"] = IntegerAttr(offset_align_byte, i64)
        super().__init__(operands=[source, offsets], properties=properties)

    def verify_(self) -> None:
        rules.cache_hints(self.hint_attributes, READ_HINTS)
        with about(source=self.source):
            if self.has_descriptor:
                rules.no_offsets(self.offsets)
                rules.scattered_descriptor(self.desc)
                return
            if self.offsets is None:
                raise VerifyException("Expects offsets.")
            self.verify_base(self.offsets)
            if isa(self.source.type, MemRefType):
                if self.offset_align_byte is not None:
                    raise VerifyException("offset_align_byte is not allowed with a memref source.")
            elif self.offset_align_byte is None:
                raise VerifyException("offset_align_byte is required with integer source.")
            elif self.offset_align_byte.value.data < 1:
                raise VerifyException(f"expected offset_align_byte of at least 1, got {self.offset_align_byte}")


def _transposition(transpose: Attribute) -> Mapping[str, Attribute]:
    """Older texts write the permutation of the transpose, which can only be one."""
    return {"transpose": UnitAttr() if transpose == SWAP else transpose}


class _MaskedAccessOp(_LaneAccessOp):
    """An access of the elements that `mask` names.

    Chunks of several elements are the innermost dimension of the value, or with `transpose` (RFC) the outermost one.
    """

    mask = operand_def()
    transpose = opt_prop_def(UnitAttr)
    chunk_size = opt_prop_def(IntegerAttr[I64])

    TRANSLATIONS: ClassVar = {"transpose": _transposition}

    @property
    def is_transposed(self) -> bool:
        """Returns whether each lane's elements are in a column; False if `transpose` is ignored."""
        return self.transpose is not None and self.has_descriptor and self.desc.get_num_dims() == 2

    def chunk(self, value: Attribute) -> int:
        """Returns the consecutive elements per offset of an access without a descriptor, whose value is `value`.

        Without `chunk_size`, the type of the value tells, but not that of a single lane, whose mask has no shape.
        """
        if self.chunk_size is not None:
            return self.chunk_size.value.data
        if not isa(self.mask.type, VectorType):
            return 1
        return max(1, prod(rules.shape_of(value)) // prod(rules.shape_of(self.mask.type)))

    def _verify_access(self, what: str, value: Attribute, not_a_value: str) -> None:
        with about(source=self.source, mask=self.mask):
            if self.has_descriptor:
                rules.no_offsets(self.offsets)
                self._verify_descriptor(what, value, not_a_value)
            elif self.offsets is None:
                raise VerifyException("Expects offsets.")
            else:
                self.verify_base(self.offsets)
                self._verify_elements(value, not_a_value, self.offsets)

    def _verify_descriptor(self, what: str, value: Attribute, not_a_value: str) -> None:
        desc = self.desc
        rules.scattered_descriptor(desc)
        shape = rules.value_shape(value, not_a_value)
        rules.same_element_type(value=value, TensorDesc=desc)
        rules.mask(f"operand #{len(self.operands) - 1}", self.mask.type)
        if not rules.is_for_each_lane(rules.shape_of(self.mask.type), desc):
            raise VerifyException(
                f"dim-0 of the Mask and TensorDesc should be the same. Mask is {self.mask.type}, TensorDesc has "
                f"{desc.get_shape()[0]} lanes"
            )
        if self.chunk_size is not None and self.chunk_size.value.data != desc.chunk_size:
            raise VerifyException(
                f"expected chunk_size = {desc.chunk_size} as in the TensorDesc, got {self.chunk_size.value.data}"
            )
        if desc.get_num_dims() == 1 and self.transpose is not None:
            warn(self, "Invalid transpose attr. It is ignored (available for 2D TensorDesc only).")
        whole = desc.get_shape()[::-1] if self.is_transposed else desc.get_shape()
        rules.subgroup_or_lane_shape(what, shape, (whole,), desc)

    def _verify_elements(self, value: Attribute, not_a_value: str, offsets: SSAValue) -> None:
        if self.transpose is not None:
            raise VerifyException("transpose belongs to accesses through a descriptor")
        shape = rules.value_shape(value, not_a_value)
        source = self.source.type
        if isa(source, MemRefType) and get_element_type_or_self(value) != source.element_type:
            raise VerifyException(
                f"Value should have the same element type as MemRef. Value is {value}, MemRef {source}"
            )
        rules.mask("the mask", self.mask.type)
        mask = rules.shape_of(self.mask.type)
        if not isa(value, VectorType):
            if self.chunk_size is not None and self.chunk_size.value.data != 1:
                raise VerifyException(f"Expecting chunk size == 1 for scalar result, got {self.chunk_size.value.data}")
            if prod(mask) != 1:
                raise VerifyException(f"expected a mask of one element for a scalar, got {self.mask.type}")
        else:
            chunk = self.chunk(value)
            if chunk < 1:
                raise VerifyException(f"expected chunk_size of at least 1, got {chunk}")
            if prod(mask) == 1 and shape != (*mask, chunk):  # of one lane
                if prod(shape) != chunk:
                    raise VerifyException(f"value elements must match chunk size {chunk}, got {value}")
            elif shape != (mask if chunk == 1 else (*mask, chunk)):
                raise VerifyException(
                    f"Mask should match value except the chunk size dim. Mask is {self.mask.type}, value {value}, "
                    f"chunk size {chunk}"
                )
        if rules.shape_of(offsets.type) != mask:
            raise VerifyException(f"expected one offset per mask element, got {offsets.type} and {self.mask.type}")


def _properties(
    hints: CacheHints, transpose: bool, chunk_size: int | None, layout: DistributionAttr | None
) -> dict[str, Attribute]:
    properties = access_properties(hints, layout)
    if transpose:
        properties["transpose"] = UnitAttr()
    if chunk_size is not None:
        properties["chunk_size"] = IntegerAttr(chunk_size, i64)
    return properties


@irdl_op_definition
class LoadOp(_MaskedAccessOp):
    """Loads the elements that `mask` names; the others are undefined.

    `%v = xegpu.load %td, %mask : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1> ->
    vector<16xf32>`
    `%v = xegpu.load %base[%offsets], %mask <{chunk_size = 4 : i64}> : ui64, vector<16xindex>, vector<16xi1> ->
    vector<16x4xf32>`

    Through a descriptor with chunks of several elements the result is [lanes, chunk], or [chunk, lanes] with
    `transpose`. Where the descriptor has an sg_map, the result is that of the subgroup or, after distribution, the
    fragment of a lane. Offsets from a base count elements; mask and offsets have one shape of any rank, to which the
    result adds the chunk. Of a single lane they are scalars. `xegpu.load_gather` is read as this op.
    """

    name = "xegpu.load"
    source = operand_def()
    offsets = opt_operand_def()
    mask = operand_def()
    value = result_def()

    AFTER: ClassVar = ("mask",)

    traits = traits_def(MemoryReadEffect())

    def __init__(
        self,
        source: SSAValue | Operation,
        mask: SSAValue | Operation,
        result_type: Attribute,
        *,
        offsets: SSAValue | None = None,
        transpose: bool = False,
        chunk_size: int | None = None,
        hints: CacheHints = NO_HINTS,
        layout: DistributionAttr | None = None,
    ):
        super().__init__(
            operands=[source, offsets, mask],
            result_types=[result_type],
            properties=_properties(hints, transpose, chunk_size, layout),
        )

    def verify_(self) -> None:
        rules.cache_hints(self.hint_attributes, READ_HINTS)
        self._verify_access("Result", self.value.type, "Expecting a vector type result.")


@irdl_op_definition
class StoreOp(_MaskedAccessOp):
    """Stores the elements that `mask` names; those with one address are written in no particular order.

    `xegpu.store %v, %td, %mask : vector<16xf32>, !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>,
    vector<16xi1>`
    `xegpu.store %v, %base[%offsets], %mask : vector<16xf32>, ui64, vector<16xindex>, vector<16xi1>`

    Shapes are those of `xegpu.load`. `xegpu.store_scatter` is read as this op.
    """

    name = "xegpu.store"
    value = operand_def()
    source = operand_def()
    offsets = opt_operand_def()
    mask = operand_def()

    BEFORE: ClassVar = ("value",)
    AFTER: ClassVar = ("mask",)

    traits = traits_def(MemoryWriteEffect())

    def __init__(
        self,
        value: SSAValue | Operation,
        source: SSAValue | Operation,
        mask: SSAValue | Operation,
        *,
        offsets: SSAValue | None = None,
        transpose: bool = False,
        chunk_size: int | None = None,
        hints: CacheHints = NO_HINTS,
        layout: DistributionAttr | None = None,
    ):
        super().__init__(
            operands=[value, source, offsets, mask],
            properties=_properties(hints, transpose, chunk_size, layout),
        )

    def verify_(self) -> None:
        rules.cache_hints(self.hint_attributes, WRITE_HINTS)
        self._verify_access("Value", self.value.type, "Expecting a vector type for the value.")
