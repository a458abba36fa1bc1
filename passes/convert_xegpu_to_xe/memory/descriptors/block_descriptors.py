"""Lowers the creation and the update of block descriptors.

A 2-D descriptor becomes a block-2D payload: dwords 0-1 base address, 2 width, 3 height, 4 pitch (bytes or rows, minus
one), 5 x in elements, 6 y, 7 block shape. A 1-D descriptor becomes the address of its first element,
and its place in memory if accesses have to be checked.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from passes.analysis.surfaces import plane_alignment
from passes.convert_xegpu_to_xe.lowering.alternatives import Precondition, all_of
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import (
    BlockDescriptor1D,
    BlockDescriptor2D,
    Elements,
    LineBounds,
    MemRef,
    Number,
    UniformConstant,
    near,
)
from passes.convert_xegpu_to_xe.math.elementwise import signed
from passes.kernel.memories import MessageMemory
from passes.kernel.register_types import BOOLEAN
from xegpu.dialects.xegpu import CreateNdDescOp, TensorDescType, UpdateNdOffsetOp, descriptor_type, element_bits
from xegpu.isa.model import BlockShape, Condition, DataType

WIDTH_BYTE, HEIGHT_BYTE, PITCH_BYTE, X_BYTE, Y_BYTE, SHAPE_BYTE = 8, 12, 16, 20, 24, 28


def shape_word(block: BlockShape) -> int:
    """Returns dword 7 of a block-2D payload."""
    return (block.count - 1) << 16 | (block.height - 1) << 8 | (block.width - 1)


def element_size(lowering: KernelLowering, op: Operation, desc: TensorDescType) -> int:
    """Returns the bytes of an element; refuses elements below a byte."""
    bits = element_bits(desc.element_type)
    if bits % 8:
        lowering.refuse(op, f"elements of type {desc.element_type} are not supported")
    return bits // 8


def _mixed(lowering: KernelLowering, op: Operation, values: Sequence[SSAValue | int]) -> list[Number]:
    return [lowering.uniform(op, v) if isinstance(v, SSAValue) else UniformConstant(DataType.UQ, v) for v in values]


@lowers(CreateNdDescOp)
def create(lowering: KernelLowering, op: CreateNdDescOp) -> None:
    desc = descriptor_type(op.tensor_desc)
    size = element_size(lowering, op, desc)
    offsets = _mixed(lowering, op, op.mixed_offsets)
    source = _source(lowering, op)
    outer = len(offsets) - len(desc.get_shape())
    base = source.base
    for offset, stride in zip(offsets[:outer], source.strides, strict=False):
        base = _moved(lowering, base, lowering.index.multiply(offset, stride), size)
    if outer == len(offsets) - 1:
        address = _moved(lowering, base, offsets[-1], size)
        bounds = None if lowering.legality[op.tensor_desc] else _bounds(lowering, offsets, source, size)
        lowering.values[op.tensor_desc] = BlockDescriptor1D(address, source.space, bounds)
        return
    lowering.values[op.tensor_desc] = _surface(lowering, op, source, base, offsets[-2:], size)


def _moved(lowering: KernelLowering, base: Elements, elements: Number, size: int) -> Elements:
    """Returns an address moved by a number of elements."""
    step = lowering.index.multiply(elements, UniformConstant(DataType.UQ, size))
    if step == UniformConstant(DataType.UQ, 0):
        return base
    return lowering.emit.alu("add", base.type, [base, lowering.index.distance(step, base.type)], 1)


def _bounds(lowering: KernelLowering, offsets: Sequence[Number], source: MemRef, size: int) -> LineBounds:
    """Returns the bounds of memory, from its first to its last element, for a block that starts at offsets in it."""
    index, start, count = lowering.index, offsets[-1], source.sizes[-1]
    for offset, rows, stride in zip(offsets[:-1], source.sizes, source.strides, strict=False):
        start = index.add(start, index.multiply(offset, stride))
        count = index.add(count, index.multiply(index.add(rows, UniformConstant(DataType.UQ, -1)), stride))
    bytes_per_element = UniformConstant(DataType.UQ, size)
    return LineBounds(index.multiply(start, bytes_per_element), index.multiply(count, bytes_per_element))


def _source(lowering: KernelLowering, op: CreateNdDescOp) -> MemRef:
    """Returns the described buffer, with explicit shape and strides where the operation gives them."""
    type = op.source.type
    shape, strides = op.mixed_shape, op.mixed_strides
    if isa(type, MemRefType):
        memref = lowering.values[op.source]
        assert isinstance(memref, MemRef)
        if memref.space is MessageMemory.PRIVATE:
            lowering.refuse(op, "of private memory is not supported")
        if shape is None or strides is None:
            return memref
        sizes, steps = tuple(_mixed(lowering, op, shape)), tuple(_mixed(lowering, op, strides))
        return MemRef(memref.base, sizes, steps, memref.element, memref.space)
    address = lowering.emit.scalar(lowering.uniform(op, op.source), DataType.UQ)
    one, unknown = UniformConstant(DataType.UQ, 1), UniformConstant(DataType.UQ, 0)
    sizes = (unknown,) if shape is None else tuple(_mixed(lowering, op, shape))
    steps = (one,) if strides is None else tuple(_mixed(lowering, op, strides))
    return MemRef(address, sizes, steps, DataType.UB)


def _surface(
    lowering: KernelLowering,
    op: CreateNdDescOp,
    source: MemRef,
    base: Elements,
    offsets: Sequence[Number],
    size: int,
) -> BlockDescriptor2D:
    emit, desc = lowering.emit, descriptor_type(op.tensor_desc)
    rows, columns = desc.tile
    bytes_per_element = UniformConstant(DataType.UQ, size)
    width = lowering.index.multiply(source.sizes[-1], bytes_per_element)
    pitch = lowering.index.multiply(source.strides[-2], bytes_per_element)
    y, x = offsets
    minus_one = UniformConstant(DataType.UQ, -1)
    last_row = lowering.index.add(source.sizes[-2], minus_one)
    grf = lowering.target.platform.grf_bytes
    register = emit.undefined(grf)
    register = emit.convert_into(register, 0, UniformConstant(DataType.UD, 0), DataType.UD, grf // 4)
    register = emit.write(register, 0, DataType.UQ, base)
    for byte, value in (
        (WIDTH_BYTE, lowering.index.add(width, minus_one)),
        (HEIGHT_BYTE, last_row),
        (PITCH_BYTE, lowering.index.add(pitch, minus_one)),
        (SHAPE_BYTE, UniformConstant(DataType.UD, _declared_shape(columns, rows, desc.array_length))),
    ):
        register = _write_dword(lowering, register, byte, value)
    for byte, value in ((X_BYTE, x), (Y_BYTE, y)):
        register = emit.write(register, byte, DataType.D, _clamped(value), saturate=isinstance(value, Elements))
    legal: Precondition | None = lowering.legality[op.tensor_desc]
    if legal is None:
        legal = _check_legality(lowering, op, base, width, pitch, last_row)
    return BlockDescriptor2D(register, legal)


def _declared_shape(columns: int, rows: int, count: int) -> int:
    """Returns the tile's own shape where the fields can hold it; messages of other shapes write theirs."""
    if columns > 64 or rows > 32 or count not in (1, 2, 4):
        return 0
    return shape_word(BlockShape(columns, rows, count))


def _write_dword(lowering: KernelLowering, register: SSAValue, byte: int, value: Number) -> SSAValue:
    if isinstance(value, UniformConstant):
        value = UniformConstant(DataType.UD, value.value)
    return lowering.emit.write(register, byte, DataType.UD, value)


def _clamped(value: Number) -> Number:
    """Returns a signed number; a constant that a dword does not hold becomes the closest one that it does."""
    if isinstance(value, UniformConstant):
        return UniformConstant(DataType.D, near(int(value.value)))
    return signed(value)


_HOLDS = {Condition.EQ: operator.eq, Condition.GE: operator.ge, Condition.LE: operator.le, Condition.LT: operator.lt}


def _check_legality(
    lowering: KernelLowering, op: CreateNdDescOp, base: Elements, width: Number, pitch: Number, last_row: Number
) -> Precondition:
    """Returns whether a surface keeps the rules of block-2D messages, as far as only the running kernel knows."""
    emit, limits = lowering.emit, lowering.target.platform.block2d
    if limits is None:
        return False

    def test(a: Number, condition: Condition, b: Number) -> Precondition:
        if isinstance(a, UniformConstant) and isinstance(b, UniformConstant):
            return bool(_HOLDS[condition](a.bits, b.bits))
        return emit.alu("cmp", BOOLEAN, [emit.scalar(a), b], 1, condition=condition)

    def is_multiple(value: Number, factor: int) -> Precondition:
        if isinstance(value, UniformConstant):
            return value.bits % factor == 0
        rest = emit.alu("and", DataType.UQ, [value, UniformConstant(DataType.UQ, factor - 1)], 1)
        return test(rest, Condition.EQ, UniformConstant(DataType.UQ, 0))

    largest = UniformConstant(DataType.UQ, limits.max_surface)
    aligned = plane_alignment(op, lowering.facts) >= limits.base_alignment
    outcomes = [
        aligned or is_multiple(base, limits.base_alignment),
        is_multiple(width, limits.width_multiple),
        is_multiple(pitch, limits.pitch_multiple),
        test(width, Condition.GE, UniformConstant(DataType.UQ, limits.min_surface_width)),
        test(pitch, Condition.GE, width),
        test(pitch, Condition.LE, largest),
        test(last_row, Condition.LT, largest),
    ]
    return all_of(emit, outcomes)


@lowers(UpdateNdOffsetOp)
def update(lowering: KernelLowering, op: UpdateNdOffsetOp) -> None:
    value = lowering.values[op.tensor_desc]
    offsets = _mixed(lowering, op, op.mixed_offsets)
    if isinstance(value, BlockDescriptor1D):
        size = element_size(lowering, op, op.result.type)
        address, bounds = _moved(lowering, value.address, offsets[0], size), value.bounds
        if bounds is not None:
            step = lowering.index.multiply(offsets[0], UniformConstant(DataType.UQ, size))
            bounds = LineBounds(lowering.index.add(bounds.start, step), bounds.size)
        lowering.values[op.result] = BlockDescriptor1D(address, value.space, bounds)
        return
    assert isinstance(value, BlockDescriptor2D)
    payload = value.payload
    for byte, offset in zip((Y_BYTE, X_BYTE), offsets, strict=True):
        payload = add_dword(lowering, payload, byte, offset)
    lowering.values[op.result] = BlockDescriptor2D(payload, value.legal)


def add_dword(lowering: KernelLowering, payload: SSAValue, byte: int, value: Number) -> SSAValue:
    """Returns the payload with a number added to one of its coordinates."""
    if isinstance(value, UniformConstant) and value.value == 0:
        return payload
    value = _clamped(value)
    if isinstance(value, Elements) and value.type.size > DataType.D.size:
        # No instruction adds 32 and 64 bits.
        value = lowering.emit.alu("mov", DataType.D, [value], 1, saturate=True)
    return lowering.emit.update(payload, byte, DataType.D, "add", value, saturate=True)
