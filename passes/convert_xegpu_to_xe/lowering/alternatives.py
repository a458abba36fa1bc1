"""Code in a fast form that has preconditions and a general one, chosen at compile time or by the running kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xdsl.ir import Block, SSAValue

from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering
from passes.convert_xegpu_to_xe.lowering.values import Elements
from passes.kernel.register_types import BOOLEAN
from xegpu.dialects.xe import BranchOp, CondBranchOp

Precondition = bool | Elements
"""True or False when known at compile time, else a word scalar (all ones: holds)."""

Form = Callable[[], SSAValue | None]
"""Emits code; returns the register block that it makes, if any."""


def all_of(emit: XeEmitter, preconditions: Iterable[Precondition]) -> Precondition:
    """Returns the condition that all preconditions hold."""
    outcome: Precondition = True
    for condition in preconditions:
        if condition is False or outcome is False:
            return False
        if outcome is True or condition is True:
            outcome = condition if outcome is True else outcome
        else:
            outcome = emit.alu("and", BOOLEAN, [outcome, condition], 1)
    return outcome


def choose(lowering: KernelLowering, precondition: Precondition, fast: Form, general: Form) -> SSAValue | None:
    """Emits one form, or both with a branch; both return blocks of the same type."""
    if isinstance(precondition, bool):
        return fast() if precondition else general()
    emit = lowering.emit
    flag = emit.flag(precondition, 0, 1)
    start, join = emit.block, Block()
    first, second = Block(), Block()
    for block, form in ((first, fast), (second, general)):
        lowering.blocks.open(block)
        value = form()
        emit.add(BranchOp(join, [] if value is None else [value]))
        if value is not None and not join.args:
            join.insert_arg(value.type, 0)
    start.add_op(CondBranchOp(flag, first, second))
    lowering.blocks.open(join)
    return join.args[0] if join.args else None
