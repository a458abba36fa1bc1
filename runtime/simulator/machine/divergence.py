"""What a thread must not do while channels of it wait at joins."""

from __future__ import annotations

from enum import IntEnum

from xegpu.isa import InstructionFormat, Program


class Divergence(IntEnum):
    """What is wrong with a thread whose channels went different ways."""

    END = 1
    JUMP = 2
    BARRIER = 3


TEXTS = {
    Divergence.END: "the thread ends while channels of it wait at a join",
    Divergence.JUMP: "a uniform jump passes a join where channels wait",
    Divergence.BARRIER: "the thread is at a barrier while not all of its channels are on",
}


NOWHERE = {
    InstructionFormat.INDIRECT_CALL: "no subroutine begins",
    InstructionFormat.RETURN: "there is no call in front",
}
"""What is wrong with the place that the register of a call or return holds."""


def nowhere_text(format: InstructionFormat, place: int) -> str:
    """What the headline of the fault leaves open."""
    return f"the register holds offset {place:#x}, where {NOWHERE[format]}"


def diverges(program: Program) -> bool:
    """Whether the execution mask of a thread may change while it runs."""
    changing = (
        InstructionFormat.GOTO,
        InstructionFormat.JOIN,
        InstructionFormat.CALL,
        InstructionFormat.INDIRECT_CALL,
        InstructionFormat.RETURN,
    )
    return any(instruction.spec.format in changing for instruction in program.instructions)


def joins_between(program: Program, start: int, end: int) -> list[int]:
    """Joins that a jump down from instruction `start` to `end` passes."""
    between = range(start + 1, end)
    return [index for index in between if program.instructions[index].spec.format is InstructionFormat.JOIN]
