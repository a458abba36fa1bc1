"""Lowers constants."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation

from passes.convert_xegpu_to_xe.lowering import KernelLowering, lowers
from passes.convert_xegpu_to_xe.values import BOOLEAN, Constant, Elements, Number, element_type
from xegpu.isa.types import DataType


@lowers("arith.constant", "index.constant", "index.bool.constant")
def constant(lowering: KernelLowering, op: Operation) -> None:
    attribute = op.properties["value"]
    type = element_type(op.results[0].type)
    if type is None:
        lowering.refuse(op, f"of type {op.results[0].type} is not supported in a kernel")
    lowering.values[op.results[0]] = _lower(lowering, op, attribute, type)


def _lower(lowering: KernelLowering, op: Operation, attribute: Attribute, type: DataType) -> Number:
    match attribute:
        case IntegerAttr(value=value) | FloatAttr(value=value):
            return Constant(type, _number(value.data, type))
        case DenseIntOrFPElementsAttr():
            values = [_number(v, type) for v in attribute.iter_values() if isinstance(v, int | float)]
            if len(values) != len(attribute):
                lowering.refuse(op, "with complex elements is not supported in a kernel")
            return Constant(type, values[0]) if attribute.is_splat() else _dense(lowering, values, type)
        case _:
            lowering.refuse(op, f"with the value {attribute} is not supported in a kernel")


def _number(value: int | float, type: DataType) -> int | float:
    """The value as registers hold it: true is -1."""
    if type is BOOLEAN:
        return -1 if value else 0
    return value if type.is_float else int(value)


def _dense(lowering: KernelLowering, values: list[int | float], type: DataType) -> Elements:
    register = lowering.emit.undefined(len(values) * type.size)
    for index, value in enumerate(values):
        register = lowering.emit.write(register, index * type.size, type, Constant(type, value))
    return Elements(register, type, len(values))
