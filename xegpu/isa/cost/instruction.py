"""The cost of one instruction: the pipe that it occupies, and when its results can be used."""

from __future__ import annotations

from xegpu.isa.formats.spec import format_of
from xegpu.isa.model.costs import InstructionCost
from xegpu.isa.model.instruction import Instruction
from xegpu.targets import Target


def instruction_cost(instruction: Instruction, target: Target) -> InstructionCost:
    """Returns the cost of an instruction that a target has; its format has the formula."""
    return format_of(instruction).cost(instruction, target)
