"""The clock of a thread, which the timestamp register counts."""

from __future__ import annotations

from xegpu.isa import Instruction, Program, SourceRegister
from xegpu.isa.cost import instruction_cycles
from xegpu.isa.model import TIMESTAMP
from xegpu.targets import Target


def reads_clock(instruction: Instruction) -> bool:
    """Returns whether a source of an instruction is the timestamp register."""
    return any(isinstance(s, SourceRegister) and s.register.is_part_of(TIMESTAMP) for s in instruction.sources)


def clock_cycles(program: Program, target: Target, grf_count: int) -> list[int] | None:
    """Returns the cycles by which each instruction advances the clock; None for a program that does not read it.

    They are those of the cost model for a thread that has an EU for itself, each instruction's own whenever it is
    executed: threads read the same in each run, whatever they wait for.
    """
    if not any(map(reads_clock, program.instructions)):
        return None
    return instruction_cycles(program, target, grf_count)
