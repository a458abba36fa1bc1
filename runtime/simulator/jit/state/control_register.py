"""Constant propagation of the control register, which nearly always has its initial value."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.simulator.machine.rounding import CONTROL_BITS, writes_control
from xegpu.isa import Immediate, Instruction, SourceRegister
from xegpu.isa.code import BasicBlock
from xegpu.isa.model import CONTROL, CONTROL_DEFAULT, PACKED_IMMEDIATES

DEFAULT = CONTROL_DEFAULT & CONTROL_BITS

_LOGIC = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


def control_states(instructions: Sequence[Instruction], blocks: Sequence[BasicBlock]) -> list[int | None]:
    """Returns the relevant bits of `cr0` before each instruction, None where they are not known.

    Forward constant propagation: the state at the start of a block is that at the end of its predecessors, if they
    agree.
    """
    if not writes_control(instructions):
        return [DEFAULT] * len(instructions)
    by_start = {block.start: block for block in blocks}
    entry: dict[int, int | None] = {0: CONTROL_DEFAULT}
    states: list[int | None] = [None] * len(instructions)
    waiting = [0]
    while waiting:
        block = by_start[waiting.pop()]
        state = entry[block.start]
        for index in range(block.start, block.end):
            states[index] = None if state is None else state & CONTROL_BITS
            state = _behind(instructions[index], state)
        for successor in block.successors:
            known = entry.get(successor, state)
            joined = state if known == state else None
            if successor not in entry or entry[successor] != joined:
                entry[successor] = joined
                waiting.append(successor)
    return states


def _behind(instruction: Instruction, before: int | None) -> int | None:
    """Returns the control register after an instruction."""
    destination = instruction.destination
    if destination is None or not destination.register.is_part_of(CONTROL):
        return before
    after = _written(instruction, before) if destination.type.bits == 8 * CONTROL.size else None
    certain = instruction.no_mask and instruction.predicate is None
    return after if certain or after == before else None


def _written(instruction: Instruction, before: int | None) -> int | None:
    """Returns the value that a `mov` of a constant, or logic on the register and a constant, writes."""
    *others, last = instruction.sources
    if not isinstance(last, Immediate) or last.type.bits != 8 * CONTROL.size or instruction.saturate:
        return None
    if last.type.is_float or last.type in PACKED_IMMEDIATES:
        return None
    if instruction.mnemonic == "mov":
        return last.bits
    if instruction.mnemonic not in _LOGIC or before is None:
        return None
    (first,) = others
    whole = isinstance(first, SourceRegister) and first.register.is_part_of(CONTROL) and not first.negate
    same = whole and first.type.bits == 8 * CONTROL.size
    return _LOGIC[instruction.mnemonic](before, last.bits) if same else None
