"""Writes to control and state registers that change nothing for the instructions behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import CONTROL, CONTROL_DEFAULT, DISPATCH_MASK, STATE, Architecture, Immediate
from xegpu.isa.native.lowering.control import NOP

_MASK_BYTE = 4 * DISPATCH_MASK


def without_modes(instructions: Sequence[Instruction]) -> list[Instruction]:
    """Returns the instructions without those that set modes of arithmetic or channels to no effect.

    Threads start with the modes that compilers set, if nothing else writes the control register. Channels that are
    added to the mask with which a thread starts matter for instructions that ask for them.
    """
    runs = groupby(instructions, key=lambda instruction: _writes(instruction, CONTROL))
    has_initial_modes = all(_modes_after(run) == CONTROL_DEFAULT for writes, run in runs if writes)
    masked = [each for each in instructions if not each.no_mask]
    channels = max((each.channel_offset + each.exec_size for each in masked), default=0)
    return [
        NOP
        if (has_initial_modes and _writes(instruction, CONTROL)) or _adds_channels_behind(instruction, channels)
        else instruction
        for instruction in instructions
    ]


def _writes(instruction: Instruction, register: Architecture) -> bool:
    return instruction.destination is not None and instruction.destination.register.is_part_of(register)


def _modes_after(instructions: Iterable[Instruction]) -> int | None:
    """Returns what is in the control register behind instructions that find the modes of a new thread there."""
    modes = CONTROL_DEFAULT
    for instruction in instructions:
        *_, last = instruction.sources
        if not isinstance(last, Immediate) or instruction.mnemonic not in ("and", "or"):
            return None
        number = int(last.value())
        modes = modes & number if instruction.mnemonic == "and" else modes | number
    return modes


def _adds_channels_behind(instruction: Instruction, channels: int) -> bool:
    """Returns whether an instruction adds channels to the mask, all of which come behind the first `channels`."""
    if instruction.mnemonic != "or" or instruction.destination is None or not _writes(instruction, STATE):
        return False
    *_, last = instruction.sources
    is_mask = instruction.destination.register.byte == _MASK_BYTE
    return is_mask and isinstance(last, Immediate) and not last.bits & ((1 << channels) - 1)
