"""Carries and borrows, which the hardware leaves in the accumulator."""

from __future__ import annotations

from dataclasses import replace

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import Destination
from xegpu.isa.model.types import DataType
from xegpu.isa.native.emission.legalization.parts import contiguous, plain
from xegpu.isa.native.emission.legalization.regions import halves_of_channels
from xegpu.isa.native.emission.words.context import ACCUMULATOR, EmissionContext
from xegpu.isa.native.encoding.instruction import NativeInstruction


def take_carry(instruction: Instruction, context: EmissionContext) -> list[Instruction | NativeInstruction] | None:
    """Returns a sum or difference behind which its carry or borrow moves from the accumulator to its register."""
    if instruction.carry is None or instruction.carry == ACCUMULATOR:
        return None
    lanes = instruction.exec_size
    if lanes > context.lanes:
        return halves_of_channels(instruction, context)
    taken = contiguous(ACCUMULATOR, DataType.UD, lanes)
    move = plain(instruction, "mov", Destination(instruction.carry, DataType.UD), taken)
    destination = instruction.destination
    if destination is None or not destination.register.byte:
        return [replace(instruction, carry=ACCUMULATOR), replace(move, predicate=instruction.predicate)]
    # The accumulator has its numbers where registers begin, and so the sum.
    whole = replace(destination, register=context.temporary(0), stride=1)
    result = plain(instruction, "mov", destination, contiguous(whole.register, whole.type, lanes))
    return [
        replace(instruction, carry=ACCUMULATOR, destination=whole, predicate=None),
        *(replace(step, predicate=instruction.predicate) for step in (move, result)),
    ]
