"""Lowers constants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, FloatTF32Type, IntegerAttr
from xdsl.dialects.ub import PoisonOp
from xdsl.ir import Attribute, Operation
from xdsl.utils.type import get_element_type_or_self

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.kernel.register_types import BOOLEAN, element_type
from xegpu.isa.model import DataType, Immediate
from xegpu.targets import Feature


@lowers(ConstantOp)
def constant(lowering: KernelLowering, op: ConstantOp) -> None:
    result, attribute = op.results[0], op.properties["value"]
    type = element_type(result.type)
    if type is None:
        lowering.refuse(op, f"of type {result.type} is not supported in a kernel")
    precision = DataType.TF32 if isinstance(get_element_type_or_self(result.type), FloatTF32Type) else type
    lowering.values[result] = _lower(lowering, op, attribute, type, precision)


@lowers(PoisonOp)
def poison(lowering: KernelLowering, op: PoisonOp) -> None:
    """Any value is correct; zero needs no register."""
    type = element_type(op.results[0].type)
    if type is None:
        lowering.refuse(op, f"of type {op.results[0].type} is not supported in a kernel")
    lowering.values[op.results[0]] = UniformConstant(type, 0)


def _lower(
    lowering: KernelLowering, op: Operation, attribute: Attribute, type: DataType, precision: DataType
) -> Number:
    match attribute:
        case IntegerAttr(value=value) | FloatAttr(value=value):
            return UniformConstant(type, _number(value.data, precision))
        case DenseIntOrFPElementsAttr() if attribute.is_splat():
            return UniformConstant(type, _number(next(_values(attribute)), precision))
        case DenseIntOrFPElementsAttr():
            lowering.sizes.check(op, op.results[0].type)
            return dense(lowering, [_number(value, precision) for value in _values(attribute)], type)
        case _:
            lowering.refuse(op, f"with the value {attribute} is not supported in a kernel")


def _values(attribute: DenseIntOrFPElementsAttr) -> Iterator[int | float]:
    yield from (value for value in attribute.iter_values() if isinstance(value, int | float))


def _number(value: int | float, type: DataType) -> int | float:
    """Returns the value as registers hold it: true is -1, floats are rounded."""
    if type is BOOLEAN:
        return -1 if value else 0
    return Immediate.of(value, type).value() if type.is_float else int(value)


def dense(lowering: KernelLowering, values: Sequence[int | float], type: DataType) -> Elements:
    """Returns registers with these numbers; equal neighbors that fill an immediate together are written together.

    The most common number, in units of up to 64 bits, is written everywhere first.
    """
    emit = lowering.emit
    data = b"".join(Immediate.of(value, type).bits.to_bytes(type.size, "little") for value in values)
    widest = DataType.UQ if lowering.target.platform.has(Feature.INT64) else DataType.UD
    unit = next((u for u in (widest, DataType.UD, DataType.UW) if len(data) % u.size == 0), DataType.UB)
    numbers = [int.from_bytes(data[at : at + unit.size], "little") for at in range(0, len(data), unit.size)]
    register = emit.undefined(len(data))
    common, times = Counter(numbers).most_common(1)[0]
    if times > 1:
        register = emit.convert_into(register, 0, UniformConstant(unit, common), unit, len(numbers))
    at = 0
    for number, group in groupby(numbers):
        length = len(list(group))
        if times == 1 or number != common:
            register = emit.convert_into(register, at * unit.size, UniformConstant(unit, number), unit, length)
        at += length
    return Elements(register, type, len(values))
