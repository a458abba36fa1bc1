"""Padding: the values of elements that are not loaded."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.traits import ConstantLike
from xdsl.utils.hints import isa

from passes.support.op_builder import OpBuilder
from passes.support.vectors.constants import splat_constant
from xegpu.dialects.upstream.arith import SelectOp
from xegpu.dialects.upstream.vector import vector_type


def padding_number(padding: Attribute | None) -> float:
    """Returns the number in the padding attribute of a load; zero without one."""
    if isa(padding, FloatAttr | IntegerAttr):
        return padding.value.data
    return 0


def padded(builder: OpBuilder, mask: SSAValue, value: SSAValue, padding: Attribute | None) -> SSAValue:
    """Returns the value, with padding where the mask is false."""
    constant = ConstantLike.get_constant_value(mask)
    if isa(constant, DenseIntOrFPElementsAttr) and all(constant.get_values()):
        return value
    return builder.add(SelectOp(mask, value, builder.add(splat_constant(vector_type(value), padding_number(padding)))))
