"""Memory dependences: the loads that may execute earlier."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation
from xdsl.traits import MemoryEffectKind, RecursiveMemoryEffect, get_effects, only_has_effect
from xdsl.utils.hints import isa

from xegpu.dialects import xegpu
from xegpu.dialects.upstream.gpu import AllReduceOp, BarrierOp, FuncOp, SubgroupReduceOp
from xegpu.dialects.upstream.memref import PrefetchOp
from xegpu.dialects.upstream.scf import ForOp, WhileOp
from xegpu.dialects.xegpu import TensorDescType, memory_space_number

GLOBAL_MEMORY = 0
"""The number of the global memory space."""
_BARRIERS: frozenset[type[Operation]] = frozenset(
    {AllReduceOp, BarrierOp, xegpu.FenceOp, xegpu.InitNbarrierOp, xegpu.NbarrierArriveOp, xegpu.NbarrierWaitOp}
)
"""Operations after which writes of other threads are visible."""
_HARMLESS: frozenset[type[Operation]] = frozenset({SubgroupReduceOp, PrefetchOp, xegpu.PrefetchOp, xegpu.PrefetchNdOp})
"""Operations without declared effects that neither write memory nor order accesses."""


def is_passed(op: Operation, spaces: set[int]) -> bool:
    """Returns whether a load from one of these memory spaces may move from behind an operation to the front of it."""
    leaves = list(_leaves(op)) if op.has_trait(RecursiveMemoryEffect) else [op]
    if any(type(leaf) in _BARRIERS for leaf in leaves):
        return False
    return all(found is not None and not found & spaces for found in map(_written, leaves))


def movable_loads(loop: ForOp) -> Callable[[Operation], bool]:
    """Returns a predicate: whether a load of the loop returns the same in an earlier iteration.

    It does if the loop never writes to its memory space. After a barrier, writes of other threads are visible: only
    loads of global memory may cross it, and only if the kernel has not written to global memory before.
    """
    inside = list(_leaves(loop))
    written = [_written(op) for op in inside]
    has_barrier = any(type(op) in _BARRIERS for op in inside)
    is_read_only = not has_barrier or not any(_may_write(op, GLOBAL_MEMORY) for op in _before(loop))

    def is_movable(op: Operation) -> bool:
        if not only_has_effect(op, MemoryEffectKind.READ):
            return False
        spaces = _spaces(op)
        if not spaces or any(found is None or found & spaces for found in written):
            return False
        return not has_barrier or (spaces == {GLOBAL_MEMORY} and is_read_only)

    return is_movable


def _leaves(op: Operation) -> Iterator[Operation]:
    """Yields the nested operations that have effects of their own, rather than those of their regions."""
    for inner in op.walk():
        if inner is not op and not inner.has_trait(RecursiveMemoryEffect):
            yield inner


def _spaces(op: Operation) -> set[int]:
    """Returns the memory spaces that the operands of an operation name."""
    found = set()
    for type in (operand.type for operand in op.operands):
        if isinstance(type, TensorDescType):
            found.add(type.memory_space.number)
        elif isa(type, MemRefType):
            found.add(memory_space_number(type.memory_space))
    return found


def _written(op: Operation) -> set[int] | None:
    """Returns the memory spaces that an operation may write to; None if they are unknown."""
    if type(op) in _BARRIERS or type(op) in _HARMLESS:
        return set()
    effects = get_effects(op)
    if effects is None:
        return None
    if all(effect.kind in (MemoryEffectKind.READ, MemoryEffectKind.ALLOC) for effect in effects):
        return set()
    return _spaces(op) or None


def _may_write(op: Operation, space: int) -> bool:
    written = _written(op)
    return written is None or space in written


def _before(loop: ForOp) -> Iterator[Operation]:
    """Yields the operations that may execute before the loop.

    In loops around it, and between branches, these include operations that come later in the text.
    """
    inner: Operation = loop
    while (around := inner.parent_op()) is not None and (region := inner.parent_region()) is not None:
        if isinstance(around, ForOp | WhileOp) or len(region.blocks) > 1:
            yield from _leaves(around)
        else:
            above = inner.prev_op
            while above is not None:
                yield from _leaves(above) if above.has_trait(RecursiveMemoryEffect) else (above,)
                above = above.prev_op
        if isinstance(around, FuncOp):
            return
        inner = around
