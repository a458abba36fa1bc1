"""Moves data wherever an operation needs a value shared differently."""

from __future__ import annotations

from collections.abc import MutableMapping

from xdsl.dialects.builtin import VectorType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def

from passes.xetile.wg_to_sg.inference import flows, is_leaf_value
from passes.xetile.wg_to_sg.rules import MAP, is_vector, operand_sharing, result_sharing
from passes.xetile.wg_to_sg.sharing import Sharing
from xegpu.diagnostics import CompileError, definition_of, inherit_location, note
from xegpu.dialects.upstream import ReductionInterface
from xegpu.dialects.upstream.gpu import FuncOp


@irdl_op_definition
class RedistributeOp(IRDLOperation):
    """The same value with another sharing. Exists only inside this pass."""

    name = "xetile.redistribute"
    source = operand_def(VectorType)
    result = result_def(VectorType)

    def __init__(self, source: SSAValue):
        super().__init__(operands=[source], result_types=[source.type])


class Reconciliation:
    """Gives every operation operands with the sharing that it needs, and updates `sharings`."""

    def __init__(self, sharings: MutableMapping[SSAValue, Sharing]):
        self._sharings = sharings
        self._made: dict[tuple[SSAValue, Sharing], SSAValue] = {}

    def run(self, function: FuncOp) -> None:
        """Raises `CompileError` for an operand that does not belong to the work-group."""
        for op in list(function.walk()):
            if isinstance(op, ReductionInterface):
                self._follow_source(op)
            passed = {source: target for target, source in flows(op) if target in self._sharings and is_vector(target)}
            for index, operand in enumerate(op.operands):
                if not is_vector(operand):
                    continue
                target = passed.get(operand)
                needed = operand_sharing(op, index, self._sharings) if target is None else self._sharings[target]
                if needed is not None and needed != self._sharings.get(operand):
                    op.operands[index] = self._converted(op, operand, needed)

    def _follow_source(self, op: Operation) -> None:
        """Shares the result of a reduction like its source, and moves it where users need another sharing."""
        (result,) = op.results
        natural = result_sharing(op, self._sharings, guess=False)
        wanted = self._sharings.get(result)
        if natural is None or wanted in (None, natural):
            return
        moved = RedistributeOp(result)
        _insert_behind(result, moved)
        result.replace_uses_with_if(moved.result, lambda use: use.operation is not moved)
        self._sharings[result] = natural
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
        copy = value.owner.clone()
        copy.attributes.pop(MAP, None)
        return copy


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
