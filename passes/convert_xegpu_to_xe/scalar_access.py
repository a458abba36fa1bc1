"""Lowers `memref.load` and `memref.store`: one element, or one for each work-item."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerType, MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from passes.convert_xegpu_to_xe.lanes import lane_message
from passes.convert_xegpu_to_xe.lowering import KernelLowering, lowers
from passes.convert_xegpu_to_xe.values import Constant, Elements, MemRef, Number
from xegpu.isa.messages import data_bytes
from xegpu.isa.types import DataType, integer

_IDENTITY = {"add": 0, "mul": 1}


def _addresses(
    lowering: KernelLowering, op: Operation, memref: MemRef, indices: Sequence[SSAValue], lanes: int
) -> SSAValue:
    """Address payload for `lanes` lanes."""
    emit = lowering.emit
    offset: Number = Constant(DataType.UQ, 0)
    for index, stride in zip(indices, memref.strides, strict=True):
        step = _combine(lowering, "mul", lowering.number(index), stride, lanes)
        offset = _combine(lowering, "add", step, offset, lanes)
    offset = _combine(lowering, "mul", offset, Constant(DataType.UQ, memref.element.size), lanes)
    return emit.alu("add", DataType.UQ, [memref.base, offset], lanes, alignment=lowering.target.grf_bytes).register


def _combine(lowering: KernelLowering, mnemonic: str, a: Number, b: Number, lanes: int) -> Number:
    if all(isinstance(n, Constant) or n.count == 1 for n in (a, b)):
        return lowering.add(a, b) if mnemonic == "add" else lowering.multiply(a, b)
    if isinstance(b, Constant) and b.value == _IDENTITY[mnemonic]:
        return a
    return lowering.emit.alu(mnemonic, DataType.UQ, [a, b], lanes)


def _memref(lowering: KernelLowering, op: Operation, value: SSAValue) -> MemRef:
    memref, type = lowering.values[value], value.type
    assert isinstance(memref, MemRef)
    if isa(type, MemRefType) and type.element_type == IntegerType(1):
        lowering.refuse(op, "of i1 elements is not supported")
    return memref


def _lanes(lowering: KernelLowering, values: Sequence[SSAValue]) -> int:
    """The kernel's lanes if an operand differs between them, else 1."""
    return lowering.lanes if any(v in lowering.divergent for v in values) else 1


@lowers("memref.load")
def load(lowering: KernelLowering, op: Operation) -> None:
    memref, indices = _memref(lowering, op, op.operands[0]), op.operands[1:]
    lanes = _lanes(lowering, indices)
    message = lane_message(memref.element.size)
    addresses = _addresses(lowering, op, memref, indices, lanes)
    loaded = lowering.emit.load("load", message, addresses, exec_size=lanes, no_mask=lanes == 1)
    type = memref.element
    step = message.data_size.register_bytes // type.size
    if step > 1:
        bits = integer(type.bits, signed=False)
        moves = [(lane, lane * step) for lane in range(lanes)]
        narrow = lowering.emit.undefined(lanes * type.size)
        loaded = lowering.emit.copy(narrow, Elements(loaded, bits, lanes * step), moves, bits)
    lowering.values[op.results[0]] = Elements(loaded, type, lanes, 0, lanes)


@lowers("memref.store")
def store(lowering: KernelLowering, op: Operation) -> None:
    memref, indices = _memref(lowering, op, op.operands[1]), op.operands[2:]
    lanes = _lanes(lowering, [op.operands[0], *indices])
    message, emit, grf = lane_message(memref.element.size), lowering.emit, lowering.target.grf_bytes
    addresses = _addresses(lowering, op, memref, indices, lanes)
    bits = integer(memref.element.bits, signed=False)
    value = lowering.number(op.operands[0])
    if isinstance(value, Constant):
        value = emit.unary("mov", value.type, value, 1)
    size = data_bytes(message, lanes, grf, lowering.target.physical_simd_width)
    wide = integer(message.data_size.register_bytes * 8, signed=False)
    register = emit.convert_into(emit.undefined(size, grf), 0, value.as_type(bits), wide, lanes)
    emit.send("store", message, addresses, Elements(register, wide, lanes), exec_size=lanes, no_mask=lanes == 1)
