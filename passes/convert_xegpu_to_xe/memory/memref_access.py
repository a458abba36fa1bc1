"""Lowers loads, stores and prefetches of `memref`: one element, or one for each work-item."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerType, MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from passes.convert_xegpu_to_xe.lowering.gpu_ids import counting
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, MemRef, Number, UniformConstant
from passes.convert_xegpu_to_xe.math.elementwise import truth_of
from passes.convert_xegpu_to_xe.memory.lane_messages import lane_message, received, sent
from passes.kernel.memories import MessageMemory
from xegpu.dialects.upstream.memref import LoadOp, PrefetchOp, StoreOp
from xegpu.isa.model import DataType

_IDENTITY = {"add": 0, "mul": 1}


def element_addresses(lowering: KernelLowering, memref: MemRef, indices: Sequence[SSAValue], lanes: int) -> SSAValue:
    """Returns the address payload of one element for each of `lanes` lanes."""
    emit, space = lowering.emit, memref.space
    type = space.address_type
    offset: Number = UniformConstant(DataType.UQ, 0)
    for index, stride in zip(indices, memref.strides, strict=True):
        distance = _combine(lowering, "mul", lowering.number(index), stride, lanes)
        offset = _combine(lowering, "add", distance, offset, lanes)
    step = UniformConstant(DataType.UQ, lowering.element_step(space, memref.element))
    offset = lowering.index.distance(_combine(lowering, "mul", offset, step, lanes), type)
    if space is MessageMemory.PRIVATE and lanes > 1:
        own = emit.alu(
            "mul", type, [counting(lowering, lanes, type), UniformConstant(type, memref.element.size)], lanes
        )
        offset = emit.alu("add", type, [own, offset], lanes)
    return emit.alu("add", type, [memref.base, offset], lanes, alignment=lowering.target.platform.grf_bytes).register


def _combine(lowering: KernelLowering, mnemonic: str, a: Number, b: Number, lanes: int) -> Number:
    if all(isinstance(n, UniformConstant) or n.count == 1 for n in (a, b)):
        return lowering.index.add(a, b) if mnemonic == "add" else lowering.index.multiply(a, b)
    if isinstance(b, UniformConstant) and b.value == _IDENTITY[mnemonic]:
        return a
    return lowering.emit.alu(mnemonic, DataType.UQ, [a, b], lanes)


def accessed_memref(lowering: KernelLowering, op: Operation, value: SSAValue) -> MemRef:
    """Returns the buffer that an operation accesses an element of, which is not an i1."""
    if holds_booleans(value):
        lowering.refuse(op, "of i1 elements is not supported")
    return _memref(lowering, value)


def holds_booleans(value: SSAValue) -> bool:
    """Returns whether a buffer has elements of i1."""
    return isa(value.type, MemRefType) and value.type.element_type == IntegerType(1)


def _memref(lowering: KernelLowering, value: SSAValue) -> MemRef:
    memref = lowering.values[value]
    assert isinstance(memref, MemRef)
    return memref


def _lanes(lowering: KernelLowering, memref: MemRef, values: Sequence[SSAValue]) -> int:
    """Returns the kernel's lanes if they access different elements or store different values, else 1."""
    if memref.space is MessageMemory.PRIVATE or any(v in lowering.divergent for v in values):
        return lowering.lanes
    return 1


@lowers(LoadOp)
def load(lowering: KernelLowering, op: LoadOp) -> None:
    memref, indices = _memref(lowering, op.operands[0]), op.operands[1:]
    lanes = _lanes(lowering, memref, indices)
    message = lane_message(memref.element.size, space=memref.space)
    addresses = element_addresses(lowering, memref, indices, lanes)
    loaded = lowering.emit.load("load", message, addresses, exec_size=lanes, no_mask=lanes == 1)
    value = received(lowering.emit, message, loaded, memref.element, lanes)
    if holds_booleans(op.operands[0]):
        value = truth_of(lowering.emit, value)
    lowering.values[op.results[0]] = value


@lowers(StoreOp)
def store(lowering: KernelLowering, op: StoreOp) -> None:
    memref, indices = _memref(lowering, op.operands[1]), op.operands[2:]
    lanes = _lanes(lowering, memref, [op.operands[0], *indices])
    message = lane_message(memref.element.size, space=memref.space)
    addresses = element_addresses(lowering, memref, indices, lanes)
    value = lowering.number(op.operands[0])
    if holds_booleans(op.operands[1]):
        # True is -1 in a register, and 1 in memory.
        count = value.count if isinstance(value, Elements) else 1
        value = lowering.emit.alu("mov", memref.element, [value], count, negate=[True])
    data = sent(lowering.emit, message, [value], lanes)
    lowering.emit.send("store", message, addresses, data, exec_size=lanes, no_mask=lanes == 1)


@lowers(PrefetchOp)
def prefetch(lowering: KernelLowering, op: PrefetchOp) -> None:
    """Only data in global memory is prefetched: other memory has no caches, instructions no message."""
    memref = _memref(lowering, op.memref)
    if memref.space is not MessageMemory.GLOBAL or not op.is_data_cache.value.data:
        return
    lanes = _lanes(lowering, memref, op.indices)
    addresses = element_addresses(lowering, memref, op.indices, lanes)
    lowering.emit.send("prefetch", lane_message(memref.element.size), addresses, exec_size=lanes, no_mask=lanes == 1)
