"""Rules for threads some of whose channels are parked at joins."""

from __future__ import annotations

from enum import IntEnum

from xegpu.isa import Instruction, Program


class Divergence(IntEnum):
    """Violations of the rules by a thread whose channels took different branches."""

    END = 1
    JUMP = 2


TEXTS = {
    Divergence.END: "the thread ends while channels of it wait at a join",
    Divergence.JUMP: "a uniform jump passes a join where channels wait",
}


def nowhere_text(instruction: Instruction, offset: int) -> str:
    """Returns the fault of a call or return whose register holds an offset that it cannot go to."""
    wrong = "there is no call in front" if instruction.spec.flow.returns else "no subroutine begins"
    return f"the register holds offset {offset:#x}, where {wrong}"


def diverges(program: Program) -> bool:
    """Returns whether the execution mask of a thread may change while it runs."""
    return any(instruction.spec.flow.diverges for instruction in program.instructions)


def joins_between(program: Program, start: int, end: int) -> list[int]:
    """Returns the joins that a forward jump from instruction `start` to `end` skips."""
    between = range(start + 1, end)
    return [index for index in between if program.instructions[index].spec.flow.is_join]
