"""Rules of the `memref` dialect: the fact of a buffer is that of the address of its first element."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, MemRefType, UnrankedMemRefType
from xdsl.dialects.memref import (
    AllocaOp,
    AllocOp,
    AssumeAlignmentOp,
    CollapseShapeOp,
    DimOp,
    ExtractStridedMetaDataOp,
    GetGlobalOp,
    SubviewOp,
    ViewOp,
)
from xdsl.ir import Attribute, Operation

from passes.analysis.integers.arithmetic import difference_of, product_of, sum_of
from passes.analysis.integers.fact import IntegerFact, anything, between, constant
from passes.analysis.integers.table import LaunchShape, bits_of, rule, source
from passes.kernel.memories import MessageMemory, memory_space
from passes.kernel.register_types import memory_type
from xegpu.dialects.upstream.memref import (
    CastOp,
    DistinctObjectsOp,
    ExpandShapeOp,
    ExtractAlignedPointerAsIndexOp,
    MemorySpaceCastOp,
    RankOp,
    ReinterpretCastOp,
    TransposeOp,
    memref_strides,
)

ALIGNMENT = 64
"""The alignment in bytes of buffers: the runtime allocates no less aligned memory, and kernels do not either."""
_LARGEST = (1 << 63) - 1


def element_bytes(type: Attribute) -> int:
    """Returns the bytes of an element of a buffer; 1 if memory does not hold it."""
    element = memory_type(type.element_type) if isinstance(type, MemRefType | UnrankedMemRefType) else None
    return 1 if element is None else element.size


def argument_fact(type: Attribute, lanes: int) -> IntegerFact:
    """Returns the fact of an argument of a kernel."""
    if isinstance(type, MemRefType) and memory_space(type) is not MessageMemory.PRIVATE:
        return _aligned(type, lanes)
    return anything(bits_of(type), lanes, uniform=True)


def _aligned(type: MemRefType[Attribute], lanes: int) -> IntegerFact:
    """Returns the fact of a buffer that lies at an aligned address, its type's offset aside."""
    layout = memref_strides(type)
    address = anything(bits_of(type), lanes, uniform=True)
    if layout is None or layout[1] is None:
        return address
    return sum_of(address.aligned(ALIGNMENT), constant(layout[1] * element_bytes(type), address.bits, lanes))


@source(AllocOp, AllocaOp, GetGlobalOp)
def _allocation(op: Operation, launch: LaunchShape) -> IntegerFact:
    type = op.results[0].type
    if isinstance(type, MemRefType) and memory_space(type) is MessageMemory.SHARED:
        return _aligned(type, launch.lanes)
    return anything(bits_of(type), launch.lanes)


# Views ---------------------------------------------------------------------------------------------------------------


@rule(CastOp, CollapseShapeOp, ExpandShapeOp, MemorySpaceCastOp, TransposeOp)
def _same_start(
    op: Operation,
    buffer: IntegerFact,
    *sizes: IntegerFact,
) -> IntegerFact:
    return buffer


@rule(DistinctObjectsOp)
def _same_buffers(op: DistinctObjectsOp, *buffers: IntegerFact) -> tuple[IntegerFact, ...]:
    return buffers


@rule(AssumeAlignmentOp)
def _assume_alignment(op: AssumeAlignmentOp, buffer: IntegerFact) -> IntegerFact:
    return buffer.aligned(op.alignment.value.data)


@rule(ViewOp)
def _view(op: ViewOp, buffer: IntegerFact, shift: IntegerFact, *sizes: IntegerFact) -> IntegerFact:
    return sum_of(buffer, shift)


@rule(SubviewOp)
def _subview(op: SubviewOp, buffer: IntegerFact, *numbers: IntegerFact) -> IntegerFact:
    return moved(buffer, op.source.type, _entries(op.static_offsets, numbers, buffer.lanes))


@rule(ReinterpretCastOp)
def _reinterpret(op: ReinterpretCastOp, buffer: IntegerFact, *numbers: IntegerFact) -> IntegerFact:
    (offset,) = _entries(op.static_offsets, numbers, buffer.lanes)
    return sum_of(_start(buffer, op.source.type), _scaled(offset, element_bytes(op.source.type)))


def moved(buffer: IntegerFact, type: Attribute, indices: Sequence[IntegerFact]) -> IntegerFact:
    """Returns the fact of the address of an element of a buffer."""
    layout = memref_strides(type) if isinstance(type, MemRefType) else None
    if layout is None:
        return anything(buffer.bits, buffer.lanes)
    size = element_bytes(type)
    for index, stride in zip(indices, layout[0], strict=False):
        buffer = sum_of(buffer, _scaled(index, size, stride))
    return buffer


def _scaled(number: IntegerFact, size: int, stride: int | None = 1) -> IntegerFact:
    """Returns the fact of a number of elements in bytes, each a stride apart, if that is known."""
    bytes = constant(size, number.bits, number.lanes)
    step = bytes if stride == 1 else product_of(bytes, _number(stride, number.lanes))
    return product_of(number, step)


def _number(number: int | None, lanes: int) -> IntegerFact:
    return anything(64, lanes, uniform=True) if number is None else constant(number, 64, lanes)


def _entries(static: DenseArrayBase[IntegerType], numbers: Sequence[IntegerFact], lanes: int) -> list[IntegerFact]:
    """Returns the facts of entries of which some are constants; `numbers` begin with those that are not."""
    dynamic = iter(numbers)
    return [next(dynamic) if value == DYNAMIC_INDEX else constant(value, 64, lanes) for value in static.get_values()]


def _start(buffer: IntegerFact, type: Attribute) -> IntegerFact:
    """Returns the fact of where the allocation of a buffer begins, in front of its type's offset."""
    layout = memref_strides(type) if isinstance(type, MemRefType) else None
    if layout is None or layout[1] is None:
        return anything(buffer.bits, buffer.lanes)
    return difference_of(buffer, constant(layout[1] * element_bytes(type), buffer.bits, buffer.lanes))


# Numbers -------------------------------------------------------------------------------------------------------------


@rule(ExtractAlignedPointerAsIndexOp)
def _address(op: ExtractAlignedPointerAsIndexOp, buffer: IntegerFact) -> IntegerFact:
    return _start(buffer, op.source.type)


@rule(ExtractStridedMetaDataOp)
def _metadata(op: ExtractStridedMetaDataOp, buffer: IntegerFact) -> tuple[IntegerFact, ...]:
    type, lanes = op.source.type, buffer.lanes
    assert isinstance(type, MemRefType)
    layout = memref_strides(type)
    strides, offset = layout if layout is not None else ([None] * len(op.strides), None)
    sizes = (None if size == DYNAMIC_INDEX else size for size in type.get_shape())
    return (
        _start(buffer, type),
        _number(offset, lanes),
        *(_size(size, lanes) for size in sizes),
        *(_number(stride, lanes) for stride in strides),
    )


def _size(size: int | None, lanes: int) -> IntegerFact:
    return between(0, _LARGEST, 64, lanes) if size is None else constant(size, 64, lanes)


@rule(DimOp)
def _dimension(op: DimOp, buffer: IntegerFact, dimension: IntegerFact) -> IntegerFact:
    type, number = op.source.type, dimension.constant
    if isinstance(type, MemRefType) and number is not None and number < type.get_num_dims():
        size = type.get_shape()[number]
        return _size(None if size == DYNAMIC_INDEX else size, buffer.lanes)
    return between(0, _LARGEST, 64, buffer.lanes)


@rule(RankOp)
def _rank(op: RankOp, buffer: IntegerFact) -> IntegerFact:
    type = op.source.type
    if isinstance(type, MemRefType):
        return constant(type.get_num_dims(), 64, buffer.lanes)
    return between(0, _LARGEST, 64, buffer.lanes)
