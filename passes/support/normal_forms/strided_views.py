"""Views of buffers: the offset, sizes and strides that `memref` operations make of those of their operand.

Host and device compute with numbers of their own: LLVM values or registers, constants where they are known. The
arithmetic of a view is stated here once, over `IndexArithmetic`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntegerAttr, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from xegpu.dialects.upstream.memref import memref_strides

Number = TypeVar("Number")


class IndexArithmetic(Protocol[Number]):
    """Numbers that a side computes with: 64-bit integers, folded where all operands are constants."""

    def constant(self, value: int) -> Number:
        """Returns a constant."""

    def known(self, number: Number) -> int | None:
        """Returns the value of a constant, None for other numbers."""

    def add(self, a: Number, b: Number) -> Number:
        """Returns a + b."""

    def multiply(self, a: Number, b: Number) -> Number:
        """Returns a * b."""


@dataclass(frozen=True)
class StridedView(Generic[Number]):
    """Offset of the first element, sizes and strides of a buffer, outermost dimension first, counted in elements."""

    offset: Number
    sizes: tuple[Number, ...]
    strides: tuple[Number, ...]

    def keeping(self, dimensions: Sequence[int]) -> StridedView[Number]:
        """Returns the view with some of its dimensions, in the order given."""
        return StridedView(
            self.offset, tuple(self.sizes[d] for d in dimensions), tuple(self.strides[d] for d in dimensions)
        )


def mixed(
    static: Sequence[int], dynamic: Sequence[SSAValue], number: Callable[[SSAValue | int], Number]
) -> list[Number]:
    """Returns the numbers of a list that is partly constant: `number` makes one of an operand or an integer."""
    operands = iter(dynamic)
    return [number(next(operands) if value == DYNAMIC_INDEX else value) for value in static]


def groups_of(op: Operation) -> list[list[int]]:
    """Returns the groups of dimensions that `memref.collapse_shape` joins, or that `memref.expand_shape` makes."""
    groups = op.properties["reassociation"]
    assert isinstance(groups, ArrayAttr)
    members = [group for group in groups if isinstance(group, ArrayAttr)]
    return [[entry.value.data for entry in group if isinstance(entry, IntegerAttr)] for group in members]


def row_major(
    arithmetic: IndexArithmetic[Number], sizes: Sequence[Number], innermost: Number | None = None
) -> tuple[Number, ...]:
    """Returns the strides of dimensions without gaps between their elements; the innermost stride is 1 by default."""
    if not sizes:
        return ()
    strides = [arithmetic.constant(1) if innermost is None else innermost]
    for size in reversed(sizes[1:]):
        strides.insert(0, arithmetic.multiply(strides[0], size))
    return tuple(strides)


def subview(
    arithmetic: IndexArithmetic[Number],
    source: StridedView[Number],
    offsets: Sequence[Number],
    sizes: Sequence[Number],
    steps: Sequence[Number],
) -> StridedView[Number]:
    """Returns the view of every `steps`-th element from `offsets` on, with all dimensions of the source."""
    offset = source.offset
    for start, stride in zip(offsets, source.strides, strict=True):
        offset = arithmetic.add(offset, arithmetic.multiply(start, stride))
    strides = tuple(arithmetic.multiply(step, stride) for step, stride in zip(steps, source.strides, strict=True))
    return StridedView(offset, tuple(sizes), strides)


def kept_dimensions(
    arithmetic: IndexArithmetic[Number], view: StridedView[Number], result: MemRefType[Attribute]
) -> list[int] | None:
    """Returns the dimensions of a subview that its result type has; only those of size 1 may be missing.

    None if the type does not fit the view.
    """
    layout, shape = memref_strides(result), result.get_shape()
    if layout is None:
        return None
    kept: list[int] = []
    for dimension, (size, stride) in enumerate(zip(view.sizes, view.strides, strict=True)):
        position, known = len(kept), arithmetic.known(size)
        if (
            position < len(shape)
            and _may_be(known, shape[position])
            and _may_be(arithmetic.known(stride), layout[0][position])
        ):
            kept.append(dimension)
        elif known != 1:
            return None
    return kept if len(kept) == len(shape) else None


def _may_be(number: int | None, declared: int | None) -> bool:
    return declared in (None, DYNAMIC_INDEX) or number is None or number == declared


def expanded(
    arithmetic: IndexArithmetic[Number],
    source: StridedView[Number],
    groups: Sequence[Sequence[int]],
    sizes: Sequence[Number],
) -> StridedView[Number]:
    """Returns the view in which each dimension of the source has become a group of dimensions."""
    strides: list[Number] = []
    for stride, group in zip(source.strides, groups, strict=True):
        strides += row_major(arithmetic, [sizes[dimension] for dimension in group], stride)
    if not source.strides:
        strides = [arithmetic.constant(1)] * len(sizes)
    return StridedView(source.offset, tuple(sizes), tuple(strides))


def collapsed(
    arithmetic: IndexArithmetic[Number], source: StridedView[Number], groups: Sequence[Sequence[int]]
) -> StridedView[Number]:
    """Returns the view in which each group of dimensions of the source has become one dimension.

    Its stride is that of the innermost dimension that may have more than one element.
    """
    sizes: list[Number] = []
    strides: list[Number] = []
    for group in groups:
        size = arithmetic.constant(1)
        for dimension in group:
            size = arithmetic.multiply(size, source.sizes[dimension])
        longer = [dimension for dimension in group if arithmetic.known(source.sizes[dimension]) != 1]
        sizes.append(size)
        strides.append(source.strides[(longer or group)[-1]])
    return StridedView(source.offset, tuple(sizes), tuple(strides))
