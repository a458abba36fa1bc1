"""Lowers what sees a buffer in another way: another first element, other sizes and strides, nothing is moved."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, DenseArrayBase, IntegerAttr, IntegerType, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.utils.hints import isa

from passes.convert_xegpu_to_xe.kernel.lowering import KernelLowering, lowers
from passes.convert_xegpu_to_xe.kernel.resources import memory_space
from passes.convert_xegpu_to_xe.kernel.values import (
    Elements,
    MemRef,
    MessageMemory,
    Number,
    UniformConstant,
    element_type,
)
from xegpu.dialects.upstream.memref import ReinterpretCastOp, TransposeOp, memref_strides
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
    lowering: KernelLowering, op: Operation, static: DenseArrayBase[IntegerType], dynamic: Sequence[SSAValue]
) -> list[Number]:
    """Numbers that stand in the operation, or else are operands."""
    rest = iter(dynamic)
    values = [int(value) for value in static.get_values()]
    return [lowering.uniform(op, next(rest)) if value == DYNAMIC_INDEX else _index(value) for value in values]


def _moved(lowering: KernelLowering, source: MemRef, distance: Number) -> Elements:
    """Address of the element that is `distance` elements behind the first one."""
    step = lowering.multiply(distance, _index(lowering.element_step(source.space, source.element)))
    if isinstance(step, UniformConstant):
        if step.value == 0:
            return source.base
        step = UniformConstant(source.space.address_type, step.value)
    return lowering.emit.alu("add", source.space.address_type, [source.base, step], 1)


def _start(lowering: KernelLowering, op: Operation, source: MemRef) -> Elements:
    """Address at which the whole buffer begins, from that of the first element of a view of it."""
    layout = memref_strides(_ranked(op.operands[0]))
    if layout is None or layout[1] is None:
        lowering.refuse(op, f"of {op.operands[0].type}, whose offset only the running kernel knows, is not supported")
    return _moved(lowering, source, _index(-layout[1]))


def _bind(
    lowering: KernelLowering, op: Operation, base: Elements, sizes: Sequence[Number], strides: Sequence[Number]
) -> None:
    source = _source(lowering, op)
    lowering.values[op.results[0]] = MemRef(base, tuple(sizes), tuple(strides), source.element, source.space)


@lowers("memref.cast", "memref.memory_space_cast")
def cast(lowering: KernelLowering, op: Operation) -> None:
    source, result = _source(lowering, op), op.results[0].type
    if not isa(result, MemRefType):
        lowering.refuse(op, f"to {result} is not supported in a kernel")
    if op.name == "memref.memory_space_cast" and memory_space(result) is not source.space:
        lowering.refuse(
            op, f"from {op.operands[0].type} to {result} is not supported: no address reaches both memories"
        )
    lowering.values[op.results[0]] = source


@lowers("memref.subview")
def subview(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, memref.SubviewOp)
    source = _source(lowering, op)
    offsets = _mixed(lowering, op, op.static_offsets, op.offsets)
    sizes = _mixed(lowering, op, op.static_sizes, op.sizes)
    steps = _mixed(lowering, op, op.static_strides, op.strides)
    distance: Number = _index(0)
    for offset, stride in zip(offsets, source.strides, strict=True):
        distance = lowering.add(distance, lowering.multiply(offset, stride))
    strides = [lowering.multiply(step, stride) for step, stride in zip(steps, source.strides, strict=True)]
    kept = _kept_dimensions(lowering, op, sizes, strides)
    _bind(lowering, op, _moved(lowering, source, distance), [sizes[d] for d in kept], [strides[d] for d in kept])


def _kept_dimensions(
    lowering: KernelLowering, op: Operation, sizes: Sequence[Number], strides: Sequence[Number]
) -> list[int]:
    """Which dimensions the result has: those of size 1 may be left out."""
    type = _ranked(op.results[0])
    layout = memref_strides(type)
    shape = type.get_shape()
    if layout is None:
        lowering.refuse(op, f"with a result of {type} is not supported in a kernel")
    kept: list[int] = []
    for dimension, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        at = len(kept)
        if at < len(shape) and _may_be(size, shape[at]) and _may_be(stride, layout[0][at]):
            kept.append(dimension)
        elif size != _index(1):
            lowering.refuse(op, f"with a result of {type} is not supported: its dimensions are not those of the view")
    return kept


def _may_be(number: Number, declared: int | None) -> bool:
    return declared in (None, DYNAMIC_INDEX) or not isinstance(number, UniformConstant) or number.value == declared


@lowers("memref.reinterpret_cast")
def reinterpret_cast(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, ReinterpretCastOp)
    source = _source(lowering, op)
    whole = MemRef(_start(lowering, op, source), (), (), source.element, source.space)
    (offset,) = _mixed(lowering, op, op.static_offsets, op.offsets)
    sizes = _mixed(lowering, op, op.static_sizes, op.sizes)
    strides = _mixed(lowering, op, op.static_strides, op.strides)
    _bind(lowering, op, _moved(lowering, whole, offset), sizes, strides)


@lowers("memref.view")
def view(lowering: KernelLowering, op: Operation) -> None:
    """Bytes as elements of a type; those of private memory lie apart, one of each work-item side by side."""
    assert isinstance(op, memref.ViewOp)
    source, type = _source(lowering, op), _ranked(op.result)
    element = element_type(type.element_type)
    if element is None:
        lowering.refuse(op, f"as {type} is not supported in a kernel")
    if source.space is MessageMemory.PRIVATE and lowering.lanes > 1:
        lowering.refuse(op, "of private memory is not supported: work-items share it element by element")
    dynamic = iter(op.sizes)
    sizes = [
        lowering.uniform(op, next(dynamic)) if size == DYNAMIC_INDEX else _index(size) for size in type.get_shape()
    ]
    base = _moved(lowering, source, lowering.uniform(op, op.byte_shift))
    lowering.values[op.result] = MemRef(base, tuple(sizes), _dense(lowering, sizes, _index(1)), element, source.space)


def _dense(lowering: KernelLowering, sizes: Sequence[Number], innermost: Number) -> tuple[Number, ...]:
    """Strides of dimensions that lie in each other without gaps."""
    strides = [innermost]
    for size in reversed(sizes[1:]):
        strides.insert(0, lowering.multiply(strides[0], size))
    return tuple(strides[: len(sizes)])


@lowers("memref.transpose")
def transpose(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, TransposeOp)
    source = _source(lowering, op)
    order = [e.position for e in op.permutation.data.results if isinstance(e, AffineDimExpr)]
    _bind(lowering, op, source.base, [source.sizes[d] for d in order], [source.strides[d] for d in order])


def _groups(op: Operation) -> list[list[int]]:
    """Dimensions that become one, or that one becomes."""
    groups = op.properties["reassociation"]
    assert isinstance(groups, ArrayAttr)
    members = [group for group in groups if isinstance(group, ArrayAttr)]
    return [[entry.value.data for entry in group if isinstance(entry, IntegerAttr)] for group in members]


@lowers("memref.expand_shape")
def expand_shape(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, memref.ExpandShapeOp)
    source = _source(lowering, op)
    sizes = _mixed(lowering, op, op.static_output_shape, op.output_shape)
    strides: list[Number] = []
    for stride, group in zip(source.strides, _groups(op), strict=True):
        strides += _dense(lowering, [sizes[d] for d in group], stride)
    if not source.strides:
        strides = list(repeat(_index(1), len(sizes)))
    _bind(lowering, op, source.base, sizes, strides)


@lowers("memref.collapse_shape")
def collapse_shape(lowering: KernelLowering, op: Operation) -> None:
    """A group of dimensions lies without gaps: it has the stride of its innermost one that is longer than 1."""
    source = _source(lowering, op)
    sizes: list[Number] = []
    strides: list[Number] = []
    for group in _groups(op):
        size: Number = _index(1)
        for dimension in group:
            size = lowering.multiply(size, source.sizes[dimension])
        longer = [d for d in group if source.sizes[d] != _index(1)]
        sizes.append(size)
        strides.append(source.strides[(longer or group)[-1]])
    _bind(lowering, op, source.base, sizes, strides)


@lowers("memref.extract_strided_metadata")
def extract_strided_metadata(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, memref.ExtractStridedMetaDataOp)
    source, layout = _source(lowering, op), memref_strides(_ranked(op.source))
    _bind(lowering, op, _start(lowering, op, source), (), ())
    assert layout is not None and layout[1] is not None
    lowering.values[op.offset] = _index(layout[1])
    for result, number in zip((*op.sizes, *op.strides), (*source.sizes, *source.strides), strict=True):
        lowering.values[result] = number


@lowers("memref.rank")
def rank(lowering: KernelLowering, op: Operation) -> None:
    lowering.values[op.results[0]] = _index(len(_source(lowering, op).sizes))
