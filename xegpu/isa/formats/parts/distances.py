"""Distances in bytes to other instructions, and the cost of going there."""

from __future__ import annotations

from xegpu.isa.formats.parts.word import Field, Word, twos_complement
from xegpu.isa.model.costs import InstructionCost, Pipe
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.notation.reader import Reading
from xegpu.targets import Target

_BITS = 32
TARGET = {"target": Field(64, _BITS)}
JOIN = {"join": Field(32, _BITS)}

_NAMES = {"target": "branch distance", "join": "join distance"}


def distance_values(instruction: Instruction) -> dict[str, int]:
    """Returns the fields of the distances that an instruction has."""
    pairs = zip(instruction.spec.flow.distances, instruction.distances, strict=True)
    return {field: twos_complement(_NAMES[field], distance, _BITS) for field, distance in pairs}


def read_distance(word: Word, field: str) -> int:
    """Reads a distance, 0 if the layout has none."""
    return word.signed(field) if field in word.layout else 0


def parse_distances(reading: Reading, instruction: Instruction) -> Instruction:
    """Reads the distances or labels of an instruction."""
    reading.refuse_qualifiers(instruction.spec)
    for field in instruction.spec.flow.distances:
        instruction = instruction.with_distance(field, reading.distance(field))
    return instruction


def is_taken(jump: Instruction) -> bool:
    """Returns whether the cost model assumes that a jump is taken.

    Jumps without a predicate are, and those back to the start of a loop: compilers put the usual case after a
    conditional jump down.
    """
    return jump.predicate is None or jump.target <= 0


def jump_cost(instruction: Instruction, target: Target) -> InstructionCost:
    """Returns the cost of an instruction that control may leave its sequence by."""
    return InstructionCost(Pipe.CONTROL, stall=target.timing.branch_latency if is_taken(instruction) else 0)
