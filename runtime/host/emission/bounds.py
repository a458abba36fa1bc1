"""Bounds checks of innermost loops that can be made once, before the loop.

A loop whose every access is checked has many exits, and LLVM does not vectorize such loops. So an innermost loop is
compiled twice: once without the checks of accesses that a condition proves to be in bounds for all iterations, and once
with all checks, for when the condition does not hold. The program then ends at the failing access, after everything
before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.arith import AddiOp, SubiOp
from xdsl.ir import Operation, Region, SSAValue

from runtime.host.emission.emitter import FunctionEmitter
from runtime.host.emission.memref_descriptors import descriptor, total
from runtime.llvm import Value, constant
from xegpu.dialects.upstream.memref import LoadOp, StoreOp

_LOOPS = frozenset({"scf.for", "scf.while", "scf.parallel", "affine.for"})


@dataclass(frozen=True)
class Bounds:
    """Accesses of a loop over `number` whose indices are that number, plus or minus an invariant, or are invariant."""

    number: SSAValue
    accesses: tuple[LoadOp | StoreOp, ...]

    def condition(self, emitter: FunctionEmitter, first: Value, last: Value) -> Value:
        """Returns whether all accesses are in bounds for the numbers from `first` to `last`."""
        code, holds = emitter.code, constant("i1", "true")
        seen = set()
        for op in self.accesses:
            sizes = descriptor(emitter, op, op.memref).sizes
            for index, size in zip(op.indices, sizes, strict=True):
                for reached in self._reached(emitter, index, first, last):
                    if (reached, size) not in seen:
                        seen.add((reached, size))
                        holds = code.binary("and", holds, code.compare("icmp ult", reached, size))
        return holds

    def _reached(self, emitter: FunctionEmitter, index: SSAValue, first: Value, last: Value) -> Iterator[Value]:
        """Yields the extreme values of an index."""
        if index is self.number:
            yield from (first, last)
        elif isinstance(index.owner, AddiOp | SubiOp) and _depends(index, self.number):
            moved, other = _sides(index.owner, self.number)
            distance = emitter.one(other)
            if isinstance(index.owner, SubiOp):
                distance = emitter.code.binary("sub", constant("i64", 0), distance)
            assert moved is self.number
            yield from (total(emitter.code, end, distance) for end in (first, last))
        else:
            yield emitter.one(index)


def bounds_of(number: SSAValue, body: Region) -> Bounds | None:
    """Returns the accesses of an innermost loop that can be checked before it; None if there are none."""
    accesses = []
    for op in body.walk():
        if op.name in _LOOPS:
            return None
        if (
            isinstance(op, LoadOp | StoreOp)
            and not _is_inside(op.memref, body)
            and all(_is_simple(index, number, body) for index in op.indices)
        ):
            accesses.append(op)
    return Bounds(number, tuple(accesses)) if accesses else None


def _is_simple(index: SSAValue, number: SSAValue, body: Region) -> bool:
    """Returns whether an index does not change in a loop, or by as much as its number does."""
    if index is number or not _is_inside(index, body):
        return True
    owner = index.owner
    if not isinstance(owner, AddiOp | SubiOp) or not _depends(index, number):
        return False
    _, other = _sides(owner, number)
    return not _is_inside(other, body) and (isinstance(owner, AddiOp) or owner.lhs is number)


def _depends(index: SSAValue, number: SSAValue) -> bool:
    return isinstance(index.owner, Operation) and number in index.owner.operands


def _sides(op: AddiOp | SubiOp, number: SSAValue) -> tuple[SSAValue, SSAValue]:
    return (op.lhs, op.rhs) if op.lhs is number else (op.rhs, op.lhs)


def _is_inside(value: SSAValue, body: Region) -> bool:
    owner = value.owner
    region = owner.parent_region() if isinstance(owner, Operation) else owner.parent
    while region is not None and region is not body:
        parent = region.parent_op()
        region = None if parent is None else parent.parent_region()
    return region is body
