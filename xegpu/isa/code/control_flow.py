"""Rules about where the instructions of a program lead."""

from __future__ import annotations

from xegpu.isa.code.program import Program
from xegpu.isa.model.table import InstructionFormat

_MOST_CHANNELS = 32


def broken_flow_rule(program: Program, index: int, simd_size: int) -> str | None:
    """The rule that a goto or join breaks in a kernel with so many channels a thread; None if it keeps all."""
    instruction = program.instructions[index]
    if instruction.spec.format not in (InstructionFormat.GOTO, InstructionFormat.JOIN):
        return None
    channels = _MOST_CHANNELS if simd_size == 1 else simd_size
    if instruction.exec_size != channels:
        return f"execution size {instruction.exec_size}, the threads have {channels} channels"
    join, target = program.join_target(index), program.branch_target(index)
    if join is None or join <= index:
        return "the place for no channels must be further down"
    if instruction.spec.format is InstructionFormat.JOIN or target is None:
        return None
    waits = join if instruction.spec.function else target
    if (target <= index) != bool(instruction.spec.function):
        return "goto leads down, goto.b up"
    if program.instructions[waits].spec.format is not InstructionFormat.JOIN:
        return "channels can only wait at a join"
    return None
