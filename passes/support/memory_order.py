"""Which loads may be done earlier."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.scf import ForOp, WhileOp
from xdsl.ir import Operation
from xdsl.traits import MemoryEffectKind, RecursiveMemoryEffect, get_effects, only_has_effect
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import TensorDescType, memory_space_number

GLOBAL_MEMORY = 0
"""The memory space of global memory."""
_BARRIERS = frozenset(
    {
        *("gpu.all_reduce", "gpu.barrier", "xegpu.fence"),
        *(f"xegpu.{name}" for name in ("init_nbarrier", "nbarrier_arrive", "nbarrier_wait")),
    }
)
"""Operations behind which other threads' writes to memory are seen."""
_HARMLESS = frozenset({"gpu.subgroup_reduce", "memref.prefetch", "xegpu.prefetch", "xegpu.prefetch_nd"})
"""Operations without declared effects that neither write memory nor order it."""


def is_passed(op: Operation, spaces: set[int]) -> bool:
    """Whether loads of these kinds of memory that stand behind an operation bring the same in front of it."""
    leaves = list(_leaves(op)) if op.has_trait(RecursiveMemoryEffect) else [op]
    if any(leaf.name in _BARRIERS for leaf in leaves):
        return False
    return all(found is not None and not found & spaces for found in map(_written, leaves))


def movable_loads(loop: ForOp) -> Callable[[Operation], bool]:
    """Whether a load of the loop brings the same in an earlier turn.

    It does if the loop writes nothing to its memory. Barriers let one see what others write: loads of global memory go
    past them where the kernel has written nothing there before, and so do no others.
    """
    inside = list(_leaves(loop))
    written = [_written(op) for op in inside]
    has_barrier = any(op.name in _BARRIERS for op in inside)
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
    """The operations within an operation that do something themselves."""
    for inner in op.walk():
        if inner is not op and not inner.has_trait(RecursiveMemoryEffect):
            yield inner


def _spaces(op: Operation) -> set[int]:
    """The kinds of memory that an operation knows the place of."""
    found = set()
    for type in (operand.type for operand in op.operands):
        if isinstance(type, TensorDescType):
            found.add(type.memory_space.number)
        elif isa(type, MemRefType):
            found.add(memory_space_number(type.memory_space))
    return found


def _written(op: Operation) -> set[int] | None:
    """The kinds of memory that an operation may write to; None if nobody knows."""
    if op.name in _BARRIERS or op.name in _HARMLESS:
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
    """What a thread may have done before the loop: in loops around it and between branches, also what comes later."""
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
