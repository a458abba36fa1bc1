"""Ops that load, store and prefetch at one address for each lane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from xdsl.dialects.builtin import DenseArrayBase, UnitAttr, VectorType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.diagnostics import about, warn
from xegpu.dialects.upstream.vector import TransposeOp
from xegpu.dialects.xegpu import rules
from xegpu.dialects.xegpu.attributes import READ_HINTS, WRITE_HINTS
from xegpu.dialects.xegpu.generations.generations import refuse
from xegpu.dialects.xegpu.generations.implied import place_before, replaced
from xegpu.dialects.xegpu.ops.access import NO_HINTS, AccessOp, CacheHints
from xegpu.dialects.xegpu.syntax import CommonFormOp, parse_assembly
from xegpu.dialects.xegpu.types import TensorDescType

SWAP = DenseArrayBase.from_list(i64, [1, 0])


class _LaneAccessOp(CommonFormOp, AccessOp):
    """An access at one address for each lane."""

    NO_OFFSETS: ClassVar = (
        "takes a descriptor, no base and offsets: write `xegpu.create_tdesc %base, %offsets`, and access its result"
    )
    TRANSLATIONS: ClassVar = {**AccessOp.TRANSLATIONS, "offset_align_byte": refuse(NO_OFFSETS)}


@irdl_op_definition
class PrefetchOp(_LaneAccessOp):
    """Brings the elements of every lane to the caches.

    `xegpu.prefetch %td : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>`
    """

    name = "xegpu.prefetch"

    def __init__(self, tensor_desc: SSAValue | Operation, hints: CacheHints = NO_HINTS):
        super().__init__(operands=[tensor_desc], properties=hints.properties())

    def verify_(self) -> None:
        with about(tensor_desc=self.tensor_desc):
            rules.scattered_descriptor(self.desc)
        rules.cache_hints(self.hint_attributes, READ_HINTS)


def _transposition(transpose: Attribute) -> Mapping[str, Attribute]:
    """Older texts write the permutation of the transpose, which can only be one."""
    return {"transpose": UnitAttr() if transpose == SWAP else transpose}


def _is_lane_major(descriptor: Attribute, value: Attribute, properties: Mapping[str, Attribute]) -> bool:
    """Returns whether an access of chunks has a value of [lanes, chunk], as those without `transpose` have."""
    if "transpose" in properties or not isinstance(descriptor, TensorDescType) or descriptor.lane_map is not None:
        return False
    is_of_shape = isinstance(value, VectorType) and value.get_shape() == descriptor.get_shape()
    return is_of_shape and descriptor.is_scattered and descriptor.get_num_dims() == 2


class _MaskedAccessOp(_LaneAccessOp):
    """An access of the lanes that `mask` names; chunks of several elements are transposed, [chunk, lanes]."""

    tensor_desc = operand_def(TensorDescType)
    mask = operand_def()
    transpose = opt_prop_def(UnitAttr)

    TRANSLATIONS: ClassVar = {
        **_LaneAccessOp.TRANSLATIONS,
        "transpose": _transposition,
        "chunk_size": refuse("takes no chunk_size: it stands in the type of the descriptor, in `scatter_tdesc_attr`"),
    }

    @property
    def is_transposed(self) -> bool:
        """Returns whether each lane's elements are in a column; False if `transpose` is ignored."""
        return self.transpose is not None and self.desc.get_num_dims() == 2

    def _verify_access(self, what: str, value: Attribute, not_a_value: str, not_transposed: str) -> None:
        with about(tensor_desc=self.tensor_desc, mask=self.mask):
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
            if desc.get_num_dims() == 2 and self.transpose is None:
                raise VerifyException(not_transposed)
            if desc.get_num_dims() == 1 and self.transpose is not None:
                warn(self, "Invalid transpose attr. It is ignored (available for 2D TensorDesc only).")
            rules.subgroup_or_lane_shape(what, shape, (desc.get_shape()[::-1],), desc)


@irdl_op_definition
class LoadOp(_MaskedAccessOp):
    """Loads the elements of each lane that `mask` names; what the other lanes get is undefined.

    `%v = xegpu.load %td, %mask : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1> ->
    vector<16xf32>`

    With chunks of several elements, `transpose` is needed and the result is [chunk, lanes]. Where the descriptor has an
    sg_map, the result is that of the subgroup or, after distribution, the fragment of a lane. `xegpu.load_gather` is
    read as this op.
    """

    name = "xegpu.load"
    value = result_def()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parses the operation; a result of [lanes, chunk], which other generations have, is transposed afterwards."""
        parts = parse_assembly(parser, cls)
        if not _is_lane_major(parts.operands[0].type, parts.result_types[0], parts.properties):
            return parts.make(cls)
        (lane_major,) = parts.result_types
        assert isa(lane_major, VectorType[Attribute])
        result_type = VectorType(lane_major.get_element_type(), lane_major.get_shape()[::-1])
        properties = {**parts.properties, "transpose": UnitAttr()}
        op = parts._replace(result_types=[result_type], properties=properties).make(cls)
        return replaced(parser, op, TransposeOp(op.value, [1, 0]))

    traits = traits_def(MemoryReadEffect())

    def __init__(
        self,
        tensor_desc: SSAValue | Operation,
        mask: SSAValue | Operation,
        result_type: Attribute,
        *,
        transpose: bool = False,
        hints: CacheHints = NO_HINTS,
    ):
        super().__init__(
            operands=[tensor_desc, mask],
            result_types=[result_type],
            properties={**hints.properties(), "transpose": UnitAttr() if transpose else None},
        )

    def verify_(self) -> None:
        rules.cache_hints(self.hint_attributes, READ_HINTS)
        self._verify_access(
            "Result",
            self.value.type,
            "Expecting a vector type result.",
            "load of rank-2 tensor has to be transposed.",
        )


@irdl_op_definition
class StoreOp(_MaskedAccessOp):
    """Stores the elements of each lane that `mask` names; lanes that share an address write in no particular order.

    `xegpu.store %v, %td, %mask : vector<16xf32>, !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>,
    vector<16xi1>`

    With chunks of several elements, `transpose` is needed and the value is [chunk, lanes]. `xegpu.store_scatter` is
    read as this op.
    """

    name = "xegpu.store"
    value = operand_def()
    tensor_desc = operand_def(TensorDescType)
    mask = operand_def()

    traits = traits_def(MemoryWriteEffect())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parses the operation; a value of [lanes, chunk], which other generations have, is transposed before."""
        parts = parse_assembly(parser, cls)
        value, descriptor, mask = parts.operands
        if not _is_lane_major(descriptor.type, value.type, parts.properties):
            return parts.make(cls)
        transposition = TransposeOp(value, [1, 0])
        place_before(parser, transposition)
        properties = {**parts.properties, "transpose": UnitAttr()}
        return parts._replace(operands=[transposition.result, descriptor, mask], properties=properties).make(cls)

    def __init__(
        self,
        value: SSAValue | Operation,
        tensor_desc: SSAValue | Operation,
        mask: SSAValue | Operation,
        *,
        transpose: bool = False,
        hints: CacheHints = NO_HINTS,
    ):
        super().__init__(
            operands=[value, tensor_desc, mask],
            properties={**hints.properties(), "transpose": UnitAttr() if transpose else None},
        )

    def verify_(self) -> None:
        rules.cache_hints(self.hint_attributes, WRITE_HINTS)
        self._verify_access(
            "Value",
            self.value.type,
            "Expecting a vector type for the value.",
            "Store of a rank-2 tensor has to be transposed.",
        )
