"""Layouts in place of sg_maps, and the fragments that LLVM 22 writes without either."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from passes.support.op_builder import OpBuilder
from passes.xegpu.convert_generation.lanes import implied_map
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import LaneIdOp
from xegpu.dialects.upstream.vector import BroadcastOp, ExtractOp, ShapeCastOp, vector_type
from xegpu.dialects.xegpu import LayoutAttr, SgMapAttr, TensorDescType


def layout_of(attribute: Attribute) -> Attribute | None:
    """Returns the replacement of an attribute or type: a layout for an sg_map."""
    if isinstance(attribute, SgMapAttr):
        return attribute.as_layout()
    if isinstance(attribute, TensorDescType) and isinstance(attribute.map, SgMapAttr):
        # Only the descriptor determines the rank of a layout.
        return attribute.with_map(attribute.map.as_layout(attribute.get_num_dims()))
    return None


def access_layout(op: Operation, desc: TensorDescType) -> LayoutAttr | None:
    """Returns the layout of an access of whole values through a descriptor."""
    if not isinstance(desc.map, SgMapAttr):
        return desc.map if isinstance(desc.map, LayoutAttr) else None
    try:
        return desc.map.as_layout(desc.get_num_dims())
    except VerifyException as error:
        raise CompileError(op, str(error)) from None


def is_fragment(value: SSAValue, desc: TensorDescType) -> bool:
    """Returns whether a value is one lane's fragment of a block that an sg_map distributes."""
    return (
        isinstance(desc.map, SgMapAttr)
        and isa(value.type, VectorType)
        and value.type.get_shape() == desc.fragment_shape()
        and value.type.element_count() < desc.element_count() * desc.array_length
    )


def check_fragment(op: Operation, desc: TensorDescType, *, packed: bool = False, transposed: bool = False) -> None:
    """Raises `CompileError` for a fragment with other elements, or another order, than LLVM 22 gives a lane."""
    expected = implied_map(desc, packed=packed, transposed=transposed)
    distribution = desc.distribution(transposed)
    assert distribution is not None and isinstance(desc.map, SgMapAttr)
    if desc.map != expected:
        raise CompileError(
            op,
            f"has a fragment by {desc.map}, which has no counterpart in LLVM 22: there a lane has that of {expected}",
        )
    if distribution.map.data[0] > 1 and distribution.units[1] > 1:
        raise CompileError(
            op,
            f"has a fragment of {desc} with {distribution.units[1]} units per row, which has no counterpart in LLVM "
            "22: there a lane's elements follow row by row",
        )


def flat(builder: OpBuilder, value: SSAValue) -> SSAValue:
    """Returns the elements of a fragment as a vector of rank 1."""
    return shaped(builder, value, (vector_type(value).element_count(),))


def shaped(builder: OpBuilder, value: SSAValue, shape: tuple[int, ...]) -> SSAValue:
    """Returns the elements of a vector in another shape."""
    type_ = VectorType(vector_type(value).element_type, shape)
    return value if value.type == type_ else builder.add(ShapeCastOp(value, type_))


def own_element(builder: OpBuilder, value: SSAValue) -> SSAValue:
    """Returns the element that belongs to the lane, of a vector with one for each lane."""
    type_ = vector_type(value)
    if type_.element_count() == 1:
        return value
    lane = builder.add(LaneIdOp.build(result_types=[IndexType()]))
    return builder.add(BroadcastOp(builder.add(ExtractOp(value, [lane])), VectorType(type_.element_type, [1])))
