"""Moves data wherever an operation needs a value shared differently."""

from __future__ import annotations

from collections.abc import MutableMapping

from xdsl.dialects.builtin import VectorType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def

from passes.support.work_groups.inference import flows
from passes.support.work_groups.rules import Rules, is_leaf_value, is_vector
from passes.support.work_groups.sharing import Sharing
from xegpu.diagnostics import CompileError, definition_of, inherit_location, note
from xegpu.dialects.upstream.gpu import FuncOp


@irdl_op_definition
class RedistributeOp(IRDLOperation):
    """The same value with another sharing. Exists only inside this pass."""

    name = "work_group.redistribute"
    source = operand_def(VectorType)
    result = result_def(VectorType)

    def __init__(self, source: SSAValue):
        super().__init__(operands=[source], result_types=[source.type])


class Reconciliation:
    """Gives every operation operands with the sharing that it needs, and updates `sharings`."""

    def __init__(self, sharings: MutableMapping[SSAValue, Sharing], rules: Rules):
        self._sharings, self._rules = sharings, rules
        self._made: dict[tuple[SSAValue, Sharing], SSAValue] = {}

    def run(self, function: FuncOp) -> None:
        """Raises `CompileError` for an operand that does not belong to the work-group."""
        for op in list(function.walk()):
            self._follow_source(op)
            passed = {source: target for target, source in flows(op) if target in self._sharings and is_vector(target)}
            for index, operand in enumerate(op.operands):
                if not is_vector(operand):
                    continue
                target = passed.get(operand)
                needed = (
                    self._rules.operand_sharing(op, index, self._sharings) if target is None else self._sharings[target]
                )
                if needed is not None and needed != self._sharings.get(operand):
                    op.operands[index] = self._converted(op, operand, needed)

    def _needed(self, op: Operation, index: int) -> Sharing | None:
        return self._rules.operand_sharing(op, index, self._sharings)

    def _follow_source(self, op: Operation) -> None:
        """Shares a result as the operation creates it, and moves it where users need another sharing."""
        settled = self._rules.settled_result(op, self._sharings)
        if settled is None:
            return
        for result in op.results:
            wanted = self._sharings.get(result)
            if wanted in (None, settled):
                continue
            assert wanted is not None
            moved = RedistributeOp(result)
            _insert_behind(result, moved)
            _replace_other_uses(result, moved)
            self._sharings[result] = settled
            self._sharings[moved.result] = wanted

    def _converted(self, op: Operation, value: SSAValue, sharing: Sharing) -> SSAValue:
        """Returns the value with another sharing, created next to the value for all users that need it."""
        if value not in self._sharings:
            raise CompileError(
                op,
                f"needs a value of the work-group, shared as {sharing}, but gets one of each subgroup: its sharing "
                "cannot be inferred",
                [note(definition_of(value), "the value is defined here")],
            )
        if (converted := self._made.get((value, sharing))) is None:
            new = self._made_anew(value) if is_leaf_value(value) else RedistributeOp(value)
            _insert_behind(value, new)
            (converted,) = new.results
            converted.name_hint = value.name_hint
            self._sharings[converted] = sharing
            self._made[value, sharing] = converted
        return converted

    @staticmethod
    def _made_anew(value: SSAValue) -> Operation:
        """Clones the operation that created the value, which is cheaper than moving its parts."""
        assert isinstance(value.owner, Operation)
        return value.owner.clone()


def _replace_other_uses(value: SSAValue, moved: RedistributeOp) -> None:
    value.replace_uses_with_if(moved.result, lambda use: use.operation is not moved)


def _insert_behind(value: SSAValue, op: Operation) -> None:
    """Inserts `op` as early as it can use the value."""
    if isinstance(value, BlockArgument):
        first = value.block.first_op
        assert first is not None
        inherit_location(first, op)
        value.block.insert_op_before(op, first)
        return
    owner = value.owner
    assert isinstance(owner, Operation)
    block = owner.parent
    assert block is not None
    inherit_location(owner, op)
    block.insert_op_after(op, owner)
