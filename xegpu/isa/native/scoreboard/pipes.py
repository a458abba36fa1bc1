"""The pipes in which native instructions are executed."""

from __future__ import annotations

from collections.abc import Mapping

from xegpu.isa.native.encoding.codes import operand_type
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.layouts.forms import NativeForm

FLOAT, INTEGER, LONG, MATH = "F", "I", "L", "M"
ALL = "A"
"""The value that stands for all pipes in a scoreboard field."""

LATENCIES: Mapping[str, int] = {FLOAT: 11, INTEGER: 11, LONG: 15, MATH: 18}
"""The pipes that end instructions in their order, and the number of instructions after which one has surely ended."""

_PIPES: Mapping[str, str] = {"hf": FLOAT, "f": FLOAT, "bf": FLOAT, "tf32": FLOAT, "df": LONG}
_WITHOUT = frozenset({NativeForm.SYNC, NativeForm.NOP, NativeForm.ILLEGAL})


def pipe_of(instruction: NativeInstruction) -> str | None:
    """Returns the pipe whose instructions end in order; None for those that end out of order or that need no pipe."""
    form = instruction.opcode.form
    if form in _WITHOUT or ends_out_of_order(instruction):
        return None
    if form is NativeForm.MATH:
        return MATH
    if instruction.opcode.is_branch:
        return INTEGER
    return _PIPES.get(operand_type(instruction.fields, form, "dst") or "", INTEGER)


def ends_out_of_order(instruction: NativeInstruction) -> bool:
    """Returns whether only a token tells that an instruction has ended."""
    form = instruction.opcode.form
    is_slow_math = form is NativeForm.MATH and MATH not in instruction.encoding.pipes.values()
    return form in (NativeForm.SEND, NativeForm.DPAS) or is_slow_math


def waited_pipes(instruction: NativeInstruction, named: str) -> frozenset[str]:
    """Returns the pipes that a distance counts: the one that is named, all, or that of the operands' types."""
    if named:
        return frozenset(LATENCIES) if named == ALL else frozenset({named})
    operands = [name for name in ("src0", "src1", "src2", "dst") if f"{name}.type" in instruction.fields]
    types = (operand_type(instruction.fields, instruction.opcode.form, name) for name in operands)
    return frozenset({_PIPES.get(next(types, None) or "", INTEGER)})
