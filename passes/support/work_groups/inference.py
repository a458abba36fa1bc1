"""Infers how the values of a kernel are shared by subgroups.

Inference starts from the maps in the kernel. Other values are shared like the values that they are computed from, and
those still unknown like the values that they are used for. Maps only determine owners, so a bad choice costs time but
is never wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation, SSAValue

from passes.support.control_flow import branch_operands, loop_operands, region_operands
from passes.support.work_groups.rules import Rules
from passes.support.work_groups.sharing import Sharing
from xegpu.dialects.upstream.gpu import FuncOp


def flows(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Yields (value, value that the operation forwards to it)."""
    yield from branch_operands(op)
    yield from region_operands(op)
    yield from loop_operands(op)


class Inference:
    """The sharings of the values of one kernel."""

    def __init__(self, function: FuncOp, rules: Rules):
        self._rules = rules
        self._ops = list(function.walk())
        self._same: dict[SSAValue, list[SSAValue]] = {}
        self.sharings: dict[SSAValue, Sharing] = {}
        for op in self._ops:
            self._tie(op)

    def run(self) -> None:
        """Infers the sharings that follow from those that are stated, or have been set."""
        for op in self._ops:
            for result, sharing in self._rules.stated(op):
                self.set(result, sharing)
        self.propagate()

    def propagate(self) -> None:
        """Infers the sharings that follow from those that are known."""
        while self._forward(guess=False) or self._backward() or self._forward(guess=True):
            pass

    def set(self, value: SSAValue, sharing: Sharing) -> None:
        """Records the sharing of a value, and of those that are the same value in other iterations or branches."""
        for same in self._same.get(value, (value,)):
            self.sharings[same] = sharing

    def _tie(self, op: Operation) -> None:
        """Ties the values, in a loop body and after it, that receive the same operand: they have one sharing."""
        by_source: dict[SSAValue, SSAValue] = {}
        for target, source in flows(op):
            if self._rules.is_shareable(target):
                first = self._same.setdefault(by_source.setdefault(source, target), [by_source[source]])
                other = self._same.setdefault(target, [target])
                if first is not other:
                    first.extend(other)
                    for member in other:
                        self._same[member] = first

    def _forward(self, *, guess: bool) -> bool:
        """Propagates sharings from operands to results. Returns whether anything changed."""
        changed = False
        for op in self._ops:
            for target, source in flows(op):
                if source in self.sharings and target not in self.sharings and self._rules.is_shareable(target):
                    self.set(target, self.sharings[source])
                    changed = True
            if any(self._rules.is_shareable(result) and result not in self.sharings for result in op.results):
                sharing = self._rules.result_sharing(op, self.sharings, guess=guess)
                if sharing is not None:
                    for result in op.results:
                        if self._rules.is_shareable(result):
                            self.set(result, sharing)
                    changed = True
        return changed

    def _backward(self) -> bool:
        """Propagates sharings from results to operands. Returns whether anything changed."""
        changed = False
        for op in reversed(self._ops):
            for target, source in flows(op):
                if target in self.sharings and source not in self.sharings and self._rules.is_shareable(source):
                    self.set(source, self.sharings[target])
                    changed = True
            for index, operand in enumerate(op.operands):
                if operand not in self.sharings and self._rules.is_shareable(operand):
                    sharing = self._rules.operand_sharing(op, index, self.sharings)
                    if sharing is not None and self._can_be_created(operand):
                        self.set(operand, sharing)
                        changed = True
        return changed

    def _can_be_created(self, value: SSAValue) -> bool:
        """Returns whether a value of unknown sharing can be created part by part."""
        op = value.owner
        # What a loop carries can be if its sources can.
        return not isinstance(op, Operation) or self._rules.can_be_created(op)
