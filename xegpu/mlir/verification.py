"""Checking a module: the rules of each op, the structure around it, and the order of definitions and uses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation
from xdsl.irdl import IRDLOperation
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator, SymbolTable
from xdsl.utils.exceptions import VerifyException

from xegpu.diagnostics import (
    XDSL_FAILURES,
    CompileError,
    Diagnostic,
    RuleViolation,
    Severity,
    definition_of,
    diagnose,
    note,
)
from xegpu.mlir.dominance import undominated_uses
from xegpu.mlir.wording import reason, reworded

MAX_ERRORS = 20


def verify(root: Operation) -> None:
    """Checks `root` and everything in it.

    Raises `CompileError` with a message for each op that breaks a rule (of the first `MAX_ERRORS`).
    """
    try:
        errors = list(islice(_errors(root), MAX_ERRORS))
    except RecursionError:
        raise CompileError(root, "is nested too deeply") from None
    if errors:
        raise CompileError.of(errors)


def _errors(root: Operation) -> Iterator[Diagnostic]:
    for op in root.walk():
        if (error := _broken_rule(op)) is not None:
            yield error
    reported: set[Operation] = set()
    for op, number in undominated_uses(root):
        if op in reported:
            continue
        reported.add(op)
        definition = definition_of(op.operands[number])
        yield diagnose(
            Severity.ERROR,
            op,
            f"operand #{number} does not dominate this use",
            [note(definition, "operand defined here")],
        )


def _broken_rule(op: Operation) -> Diagnostic | None:
    """Returns the error for the first rule that `op` breaks, or None."""
    if op.has_trait(IsolatedFromAbove, value_if_unregistered=False) and (use := _use_from_above(op)) is not None:
        return diagnose(
            Severity.ERROR,
            use,
            "uses a value defined outside the region",
            [note(op, f"required by region isolation constraints of '{op.name}'")],
        )
    if op.has_trait(SymbolTable, value_if_unregistered=False) and (again := _second_definition(op)) is not None:
        first, second = again
        notes = [note(first, "see existing symbol definition here")]
        return diagnose(Severity.ERROR, second, f"redefinition of symbol named '{_symbol(second)}'", notes)
    try:
        _verify_inherent(op)
        _verify_position(op)
        _verify_blocks(op)
        op.verify_()
    except VerifyException as error:
        related = error.related if isinstance(error, RuleViolation) else {}
        notes = [note(definition_of(value), f"'{name}' is defined here") for name, value in related.items()]
        return diagnose(Severity.ERROR, op, _without_name(op, reworded(error)), notes)
    except XDSL_FAILURES as error:
        # Verifiers of xDSL rely on each other's checks and fail by assertions, look-ups and conversions where those
        # are missing. The op is wrong all the same.
        return diagnose(Severity.ERROR, op, f"is malformed{reason(error)}")
    return None


def _second_definition(table: Operation) -> tuple[Operation, Operation] | None:
    """Two operations of a symbol table that define the same symbol."""
    found: dict[str, Operation] = {}
    for region in table.regions:
        for block in region.blocks:
            for op in block.ops:
                name = _symbol(op)
                if name is not None and name in found:
                    return found[name], op
                if name is not None:
                    found[name] = op
    return None


def _symbol(op: Operation) -> str | None:
    """The symbol that an operation defines."""
    name = op.get_attr_or_prop("sym_name")
    return name.data if isinstance(name, StringAttr) else None


def _use_from_above(op: Operation) -> Operation | None:
    """The first operation in `op` that uses a value from outside `op`; isolated operations in it see to themselves."""
    pending: list[Block] = [block for region in reversed(op.regions) for block in reversed(region.blocks)]
    while pending:
        block = pending.pop()
        user: Operation
        for user in block.ops:
            if any(value.owner is op or not op.is_ancestor(value.owner) for value in user.operands):
                return user
            if not user.has_trait(IsolatedFromAbove, value_if_unregistered=False):
                pending.extend(inner for region in reversed(user.regions) for inner in reversed(region.blocks))
    return None


def _verify_inherent(op: Operation) -> None:
    """Inherent attributes stand among the properties alone."""
    if isinstance(op, IRDLOperation):
        for name in op.get_irdl_definition().properties.keys() & op.attributes.keys():
            raise VerifyException(f"inherent attribute '{name}' is not allowed among the discardable ones")


def _without_name(op: Operation, message: str) -> str:
    """`message` without a leading `'name' op`, which every diagnostic of an op begins with."""
    return message.removeprefix(f"'{op.name}' ").removeprefix("op ")


def _verify_position(op: Operation) -> None:
    """Terminators stand at the end of their block, and only branch inside their region."""
    block = op.parent
    region = None if block is None else block.parent
    if block is None or region is None:
        if op.successors:
            raise VerifyException("branches, but belongs to no region")
        return
    is_last = block.last_op is op
    if op.successors and not is_last:
        raise VerifyException("branches, but is not the last operation of its block")
    if any(successor.parent is not region for successor in op.successors):
        raise VerifyException("branches to a block of another region")
    parent = region.parent
    if is_last and parent is not None and not parent.has_trait(NoTerminator) and not op.has_trait(IsTerminator):
        raise VerifyException("ends its block, but is not a terminator")


def _verify_blocks(op: Operation) -> None:
    """Blocks of `op` that need a terminator are not empty."""
    if op.has_trait(NoTerminator):
        return
    for region in op.regions:
        for number, block in enumerate(region.blocks):
            if not block.ops:
                raise VerifyException(f"block #{number} of its region is empty, but needs a terminator")
