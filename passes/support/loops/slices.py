"""What of a loop is needed for what."""

from __future__ import annotations

from xdsl.dialects.scf import ForOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import is_side_effect_free


class Needed:
    """Operations of a loop's body and carried values that something needs, in this turn or in those before."""

    def __init__(self, loop: ForOp, leaves: set[SSAValue] | None = None):
        self._block = loop.body.block
        self._leaves = leaves or set()
        self.operations: set[Operation] = set()
        self.carried: set[int] = set()
        self.found_leaves: set[SSAValue] = set()

    def is_computed_here(self, op: Operation) -> bool:
        """Whether the values of an operation do not come from elsewhere."""
        return self._leaves.isdisjoint(op.results)

    def operation(self, op: Operation) -> None:
        """Adds an operation and what it needs."""
        pending = [op]
        self.operations.add(op)
        while pending:
            for inner in pending.pop().walk():
                for value in inner.operands:
                    self._value(value, pending)

    def argument(self, index: int) -> None:
        """Adds a carried value and what it needs."""
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
    """What of a loop has effects, or is needed for its results so far as they are used.

    `leaves` are values that come from elsewhere: what computes them is not needed.
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
