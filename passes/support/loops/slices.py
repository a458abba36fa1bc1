"""Backward slices of a loop: the operations and loop-carried values that something depends on."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.traits import is_side_effect_free

from xegpu.dialects.upstream.scf import ForOp


class Needed:
    """The operations of a loop body and the loop-carried values that something needs in this or earlier iterations."""

    def __init__(self, loop: ForOp, leaves: set[SSAValue] | None = None):
        self._block = loop.body.block
        self._leaves = leaves or set()
        self.operations: set[Operation] = set()
        self.carried: set[int] = set()
        self.found_leaves: set[SSAValue] = set()

    def is_computed_here(self, op: Operation) -> bool:
        """Returns whether the values of an operation are computed in the loop rather than given."""
        return self._leaves.isdisjoint(op.results)

    def operation(self, op: Operation) -> None:
        """Adds an operation and everything it needs."""
        pending = [op]
        self.operations.add(op)
        while pending:
            for inner in pending.pop().walk():
                for value in inner.operands:
                    self._value(value, pending)

    def argument(self, index: int) -> None:
        """Adds a loop-carried value and everything it needs."""
        pending: list[Operation] = []
        self._value(self._block.args[1 + index], pending)
        for op in pending:
            self.operation(op)

    def _value(self, value: SSAValue, pending: list[Operation]) -> None:
        while True:
            if value in self._leaves:
                self.found_leaves.add(value)
                return
            owner = value.owner
            if isinstance(owner, Operation):
                if owner.parent is self._block and owner not in self.operations:
                    self.operations.add(owner)
                    pending.append(owner)
                return
            index = owner.args.index(value) - 1 if owner is self._block else -1
            if index < 0 or index in self.carried:
                return
            self.carried.add(index)
            end = self._block.last_op
            assert end is not None
            value = end.operands[index]


def needed_by_others(loop: ForOp, leaves: set[SSAValue] | None = None) -> Needed:
    """Returns the part of a loop that has effects, or that its used results need.

    `leaves` are values that are given: the operations that compute them are not needed.
    """
    needed = Needed(loop, leaves)
    block = loop.body.block
    for op in block.ops:
        if not is_side_effect_free(op) and op is not block.last_op and needed.is_computed_here(op):
            needed.operation(op)
    for index, result in enumerate(loop.results):
        if any(result.uses):
            needed.argument(index)
    return needed
