"""Lowers views of buffers: another first element, other sizes and strides; no element is moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, MemRefType, UnrankedMemRefType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.utils.hints import isa

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, MemRef, Number, UniformConstant, UnrankedMemRef
from passes.kernel.memories import MessageMemory, memory_space
from passes.kernel.register_types import memory_type
from passes.support import normal_forms
from passes.support.normal_forms import StridedView
from xegpu.dialects.upstream.memref import (
    CastOp,
    ExpandShapeOp,
    ExtractAlignedPointerAsIndexOp,
    MemorySpaceCastOp,
    RankOp,
    ReinterpretCastOp,
    TransposeOp,
    has_explicit_strides,
    memref_strides,
)
from xegpu.isa.model import DataType


def _index(value: int) -> UniformConstant:
    return UniformConstant(DataType.UQ, value)


def _source(lowering: KernelLowering, op: Operation) -> MemRef:
    source = lowering.values.get(op.operands[0])
    if not isinstance(source, MemRef):
        lowering.refuse(op, f"of {op.operands[0].type} is not supported in a kernel")
    return source


def _ranked(value: SSAValue) -> MemRefType[Attribute]:
    assert isa(value.type, MemRefType)
    return value.type


def _mixed(
    lowering: KernelLowering, op: Operation, static: DenseArrayBase[IntegerType], operands: Sequence[SSAValue]
) -> list[Number]:
    """Returns numbers of which some are in properties and the others are operands."""
    return normal_forms.mixed(
        static.get_values(),
        operands,
        lambda value: _index(value) if isinstance(value, int) else lowering.uniform(op, value),
    )


@dataclass(frozen=True)
class _RegisterArithmetic:
    """Arithmetic on uniform 64-bit numbers in registers, folded for constants."""

    lowering: KernelLowering

    def constant(self, value: int) -> Number:
        return _index(value)

    def known(self, number: Number) -> int | None:
        return int(number.value) if isinstance(number, UniformConstant) else None

    def add(self, a: Number, b: Number) -> Number:
        return self.lowering.index.add(a, b)

    def multiply(self, a: Number, b: Number) -> Number:
        return self.lowering.index.multiply(a, b)


def _view(source: MemRef) -> StridedView[Number]:
    """Returns a buffer as a view of the memory in which it lies."""
    return StridedView(source.offset, source.sizes, source.strides)


def _moved(lowering: KernelLowering, source: MemRef, distance: Number) -> Elements:
    """Returns the address of the element that is `distance` elements after the first one."""
    step = lowering.index.multiply(distance, _index(lowering.element_step(source.space, source.element)))
    if step == _index(0):
        return source.base
    type = source.space.address_type
    return lowering.emit.alu("add", type, [source.base, lowering.index.distance(step, type)], 1)


def _aligned_pointer(lowering: KernelLowering, source: MemRef) -> Elements:
    """Returns the address at which the whole buffer begins, from that of the first element of a view of it."""
    return _moved(lowering, source, lowering.index.multiply(source.offset, _index(-1)))


def _bind(lowering: KernelLowering, op: Operation, base: Elements, view: StridedView[Number]) -> None:
    """Binds the result to a view whose first element is at an address: its offset is in that address already."""
    source = lowering.values[op.operands[0]]
    assert isinstance(source, MemRef | UnrankedMemRef)
    lowering.values[op.results[0]] = MemRef(base, view.sizes, view.strides, source.element, source.space, view.offset)


@lowers(CastOp, MemorySpaceCastOp)
def cast(lowering: KernelLowering, op: CastOp | MemorySpaceCastOp) -> None:
    source, result = lowering.values.get(op.operands[0]), op.results[0].type
    if not isinstance(source, MemRef | UnrankedMemRef):
        lowering.refuse(op, f"of {op.operands[0].type} is not supported in a kernel")
    assert isinstance(result, MemRefType | UnrankedMemRefType)
    if isinstance(op, MemorySpaceCastOp) and memory_space(result) is not source.space:
        lowering.refuse(
            op, f"from {op.operands[0].type} to {result} is not supported: no address reaches both memories"
        )
    if isinstance(source, UnrankedMemRef) and isa(result, MemRefType):
        lowering.values[op.results[0]] = _ranked_cast(lowering, op, source, result)
    elif isinstance(source, MemRef) and isinstance(result, UnrankedMemRefType):
        rank = _index(len(source.sizes))
        lowering.values[op.results[0]] = UnrankedMemRef(
            source.base, rank, source.sizes, source.strides, source.element, source.space
        )
    else:
        lowering.values[op.results[0]] = source


def _ranked_cast(
    lowering: KernelLowering, op: Operation, source: UnrankedMemRef, type: MemRefType[Attribute]
) -> MemRef:
    """Returns a buffer with the numbers that its type fixes, and those of the unranked memref elsewhere."""
    rank, layout = type.get_num_dims(), memref_strides(type)
    if layout is None:
        lowering.refuse(op, f"to {type}, whose layout has no strides, is not supported in a kernel")
    if rank > len(source.sizes):
        lowering.refuse(op, f"to {type} is not supported: the memref has {len(source.sizes)} dimensions")
    sizes = [
        given if size == DYNAMIC_INDEX else _index(size)
        for size, given in zip(type.get_shape(), source.sizes[:rank], strict=True)
    ]
    if not has_explicit_strides(type):
        strides = normal_forms.row_major(_RegisterArithmetic(lowering), sizes)
    else:
        steps = zip(layout[0], source.strides[:rank], strict=True)
        strides = tuple(given if step is None else _index(step) for step, given in steps)
    return MemRef(source.base, tuple(sizes), strides, source.element, source.space)


@lowers(memref.SubviewOp)
def subview(lowering: KernelLowering, op: memref.SubviewOp) -> None:
    source = _source(lowering, op)
    offsets = _mixed(lowering, op, op.static_offsets, op.offsets)
    sizes = _mixed(lowering, op, op.static_sizes, op.sizes)
    steps = _mixed(lowering, op, op.static_strides, op.strides)
    arithmetic = _RegisterArithmetic(lowering)
    part = normal_forms.subview(arithmetic, StridedView(_index(0), source.sizes, source.strides), offsets, sizes, steps)
    view = replace(part, offset=arithmetic.add(source.offset, part.offset))
    kept = normal_forms.kept_dimensions(arithmetic, view, _ranked(op.result))
    if kept is None:
        lowering.refuse(op, f"with a result of {op.result.type} is not supported: its dimensions are not the view's")
    _bind(lowering, op, _moved(lowering, source, part.offset), view.keeping(kept))


@lowers(ReinterpretCastOp)
def reinterpret_cast(lowering: KernelLowering, op: ReinterpretCastOp) -> None:
    source = lowering.values.get(op.operands[0])
    if isinstance(source, UnrankedMemRef):
        whole = MemRef(source.base, (), (), source.element, source.space)
    else:
        source = _source(lowering, op)
        whole = MemRef(_aligned_pointer(lowering, source), (), (), source.element, source.space)
    (offset,) = _mixed(lowering, op, op.static_offsets, op.offsets)
    sizes = _mixed(lowering, op, op.static_sizes, op.sizes)
    strides = _mixed(lowering, op, op.static_strides, op.strides)
    _bind(lowering, op, _moved(lowering, whole, offset), StridedView(offset, tuple(sizes), tuple(strides)))


@lowers(memref.ViewOp)
def view(lowering: KernelLowering, op: memref.ViewOp) -> None:
    """Sees bytes as elements of a type; private memory of work-items is interleaved, which other types cannot see."""
    source, type = _source(lowering, op), _ranked(op.result)
    element = memory_type(type.element_type)
    if element is None:
        lowering.refuse(op, f"as {type} is not supported in a kernel")
    if source.space is MessageMemory.PRIVATE and lowering.lanes > 1:
        lowering.refuse(op, "of private memory is not supported: work-items share it element by element")
    dynamic = iter(op.sizes)
    sizes = [
        lowering.uniform(op, next(dynamic)) if size == DYNAMIC_INDEX else _index(size) for size in type.get_shape()
    ]
    base = _moved(lowering, source, lowering.uniform(op, op.byte_shift))
    lowering.values[op.result] = MemRef(
        base, tuple(sizes), normal_forms.row_major(_RegisterArithmetic(lowering), sizes), element, source.space
    )


@lowers(TransposeOp)
def transpose(lowering: KernelLowering, op: TransposeOp) -> None:
    source = _source(lowering, op)
    order = [e.position for e in op.permutation.data.results if isinstance(e, AffineDimExpr)]
    _bind(lowering, op, source.base, _view(source).keeping(order))


@lowers(ExpandShapeOp)
def expand_shape(lowering: KernelLowering, op: ExpandShapeOp) -> None:
    source = _source(lowering, op)
    sizes = _mixed(lowering, op, op.static_output_shape, op.output_shape)
    arithmetic, groups = _RegisterArithmetic(lowering), normal_forms.groups_of(op)
    _bind(lowering, op, source.base, normal_forms.expanded(arithmetic, _view(source), groups, sizes))


@lowers(memref.CollapseShapeOp)
def collapse_shape(lowering: KernelLowering, op: memref.CollapseShapeOp) -> None:
    """The operation promises that the dimensions of a group have no gaps between them."""
    source = _source(lowering, op)
    arithmetic, groups = _RegisterArithmetic(lowering), normal_forms.groups_of(op)
    _bind(lowering, op, source.base, normal_forms.collapsed(arithmetic, _view(source), groups))


@lowers(memref.ExtractStridedMetaDataOp)
def extract_strided_metadata(lowering: KernelLowering, op: memref.ExtractStridedMetaDataOp) -> None:
    source = _source(lowering, op)
    _bind(lowering, op, _aligned_pointer(lowering, source), StridedView(_index(0), (), ()))
    lowering.values[op.offset] = source.offset
    for result, number in zip((*op.sizes, *op.strides), (*source.sizes, *source.strides), strict=True):
        lowering.values[result] = number


@lowers(ExtractAlignedPointerAsIndexOp)
def extract_aligned_pointer_as_index(lowering: KernelLowering, op: ExtractAlignedPointerAsIndexOp) -> None:
    lowering.values[op.results[0]] = _aligned_pointer(lowering, _source(lowering, op))


@lowers(RankOp)
def rank(lowering: KernelLowering, op: RankOp) -> None:
    source = lowering.values[op.operands[0]]
    lowering.values[op.results[0]] = (
        source.rank if isinstance(source, UnrankedMemRef) else _index(len(_source(lowering, op).sizes))
    )
