"""The code of a kernel: what each instruction costs, and how many registers are live there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runtime.simulator.profile import live_registers
from xegpu.isa import IllegalInstruction, Program, validate
from xegpu.isa.code import LineTable
from xegpu.isa.cost import instruction_cycles
from xegpu.targets import Target

CYCLES, REGISTERS = "cycles", "live registers"
"""The names of the numbers about each instruction."""


@dataclass(frozen=True)
class CodeFigures:
    """Numbers about the instructions of a program, in their order.

    Attributes:
        cycles: The cycles that each adds to a thread.
        registers: The general registers that are live at each.
        mnemonics: The numbers of instructions by mnemonic.
    """

    cycles: Sequence[int]
    registers: Sequence[int]
    mnemonics: Mapping[str, int]


def figures(program: Program, target: Target, grf_count: int) -> CodeFigures | None:
    """Returns the numbers about a program; None for one that the target does not execute."""
    try:
        for instruction in program.instructions:
            validate(instruction, target, grf_count)
    except IllegalInstruction:
        return None
    return CodeFigures(
        instruction_cycles(program, target, grf_count),
        live_registers(program, target, grf_count),
        Counter(instruction.mnemonic for instruction in program.instructions),
    )


def source_line(lines: LineTable, offset: int | None, filename: str) -> int:
    """Returns the line of a file that the code at an offset comes from; 0 where it is not known."""
    place = None if offset is None else lines.at(offset)
    return place.line if place is not None and place.file == filename else 0
