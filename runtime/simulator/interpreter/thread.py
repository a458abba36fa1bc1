"""The architecture state of one hardware thread."""

from __future__ import annotations

import numpy as np

from runtime.simulator.interpreter.spaces import GlobalMemory, ScratchSpace
from runtime.simulator.interpreter.values import Bytes
from runtime.simulator.launch import KernelDescription
from runtime.simulator.memory import RangeTable
from xegpu.isa import Combination, Flag, Instruction, Register


class Thread:
    """Registers, flags, execution mask and address spaces of a thread.

    The arrays stay the same objects for the life of the thread, so that decoded instructions keep views of them; a
    thread that has ended is reset and used again.
    """

    def __init__(self, description: KernelDescription):
        self.target = description.target
        self.registers: Bytes = np.zeros(description.grf_count * self.target.grf_bytes, np.uint8)
        self.flags = [0] * self.target.flag_registers
        self.mask = 0
        self.scratch = ScratchSpace(description.scratch_size)
        self.memory = GlobalMemory(RangeTable(()))

    def reset(self, registers: Bytes, flags: tuple[int, ...], mask: int) -> None:
        """Puts the thread in front of its first instruction."""
        self.registers[:] = registers
        self.flags[:] = flags
        self.mask = mask
        self.scratch.bytes.fill(0)

    def byte(self, register: Register) -> int:
        """Where a general register, from its subregister on, starts in `registers`."""
        return register.number * self.target.grf_bytes + register.byte

    def flag_bits(self, flag: Flag, first: int, count: int) -> int:
        """Flag bits of channels `first` to `first + count - 1`, the first one lowest."""
        return (self.flags[flag.number] >> (16 * flag.half + first)) & ((1 << count) - 1)

    def write_flag_bits(self, flag: Flag, first: int, values: int, enabled: int) -> None:
        """Sets the flag bits of the channels from `first` on that `enabled` has, to those of `values`."""
        shift = 16 * flag.half + first
        self.flags[flag.number] = (self.flags[flag.number] & ~(enabled << shift)) | ((values & enabled) << shift)

    def base_channels(self, instruction: Instruction, channels: int) -> int:
        """Channels that the execution mask leaves on, one bit per channel of the instruction."""
        every = (1 << channels) - 1
        return every if instruction.no_mask else (self.mask >> instruction.channel_offset) & every

    def predicate(self, instruction: Instruction, channels: int) -> int:
        """The instruction's predicate, one bit per channel; all ones when it has none."""
        every = (1 << channels) - 1
        predicate = instruction.predicate
        if predicate is None:
            return every
        bits = self.flag_bits(predicate.flag, instruction.channel_offset, channels)
        if predicate.combination is Combination.ANY:
            bits = every if bits else 0
        elif predicate.combination is Combination.ALL:
            bits = every if bits == every else 0
        return bits ^ every if predicate.inverted else bits

    def enabled(self, instruction: Instruction, channels: int) -> int:
        """Channels that execute the instruction, one bit each."""
        return self.base_channels(instruction, channels) & self.predicate(instruction, channels)
