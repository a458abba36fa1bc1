"""The architecture state of one hardware thread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.interpreter.threads.address_spaces import GlobalMemory, LocalSpace
from runtime.simulator.interpreter.threads.values import Bytes
from runtime.simulator.launch.dispatch import KernelDescription
from runtime.simulator.launch.faults import FaultKind
from runtime.simulator.machine.barriers import WorkGroupBarriers
from runtime.simulator.machine.thread_payload import thread_id
from runtime.simulator.memory import RangeTable
from xegpu.isa import Combination, Flag, Instruction, Register, RegisterFile
from xegpu.isa.model import (
    ADDRESS,
    ARCHITECTURE,
    CONTROL,
    CONTROL_DEFAULT,
    DISPATCH_MASK,
    FLAGS,
    STATE,
    TIMESTAMP,
    TIMESTAMP_BYTES,
    Architecture,
)

_SLOT_BYTES = 32
_SLOTS = {number: position * _SLOT_BYTES for position, number in enumerate(ARCHITECTURE)}
"""Offsets of the architecture registers after the general ones, in bytes."""


@dataclass(frozen=True, slots=True)
class Suspended:
    """A thread that waits at a barrier, or has yielded to others (then `waits_for` is None)."""

    file: Bytes
    scratch: Bytes
    mask: int
    dispatch_mask: int
    parked: dict[int, int]
    index: int
    executed: int
    yielded: int
    waits_for: int | None


class Thread:
    """Registers, flags, execution mask and address spaces of a thread.

    The arrays stay the same objects for the life of the thread, because decoded instructions keep views of them; a
    thread that has ended is reset and reused.
    """

    def __init__(self, description: KernelDescription, *, writes_control: bool = False):
        self.writes_control = writes_control
        self.target = description.target
        self._has_id = description.is_native
        size = description.register_count * self.target.platform.grf_bytes
        self.file: Bytes = np.zeros(size + len(_SLOTS) * _SLOT_BYTES, np.uint8)
        """All registers: the general ones, followed by the architecture registers."""
        self.registers: Bytes = self.file[:size]
        self._architecture: Bytes = self.file[size:]
        flags = [_SLOTS[flag.number] for flag in FLAGS[: self.target.platform.flag_registers]]
        self.flags = [self._architecture[start : start + FLAGS[0].size].view(np.uint32) for start in flags]
        """The flag registers, one array of one element each."""
        self.addresses = self._words(ADDRESS)
        self.control = self._words(CONTROL)
        self.clock = self._words(TIMESTAMP).view(np.uint8)[:TIMESTAMP_BYTES].view(np.uint64)
        """The cycles so far, one number; it stands still in a program that does not read it."""
        self.mask = self.dispatch_mask = 0
        self.parked: dict[int, int] = {}
        """Parked channels, by the number of the join."""
        self.scratch = LocalSpace(description.facts.scratch_size, FaultKind.SCRATCH_OVERFLOW, "thread")
        self.slm = LocalSpace(0, FaultKind.SLM_OVERFLOW, "work-group")
        self.memory = GlobalMemory(RangeTable(()))
        self.number = 0
        """The thread's number in its work-group, whose barriers are `barriers`."""
        self.barriers = WorkGroupBarriers(description.facts.barrier_count, 1)
        self.index = 0
        """The next instruction."""
        self.executed = 0
        self.yielded = 0
        """The number of executed instructions when the thread last yielded."""
        self.waits_for = 0
        """The barrier that the thread last waited for."""
        self.goes_on = False
        """True if the next instruction is a wait that the thread has reached before."""

    def reset(self, registers: Bytes, flags: tuple[int, ...], mask: int) -> None:
        """Puts the thread before its first instruction."""
        self.registers[:] = registers
        self._architecture.fill(0)
        for flag, value in zip(self.flags, flags, strict=True):
            flag[0] = value
        state = self._words(STATE).view(np.uint32)
        state[DISPATCH_MASK] = mask
        if self._has_id:
            state[0] = thread_id(self.number, self.target)
        self.control.view(np.uint32)[0] = CONTROL_DEFAULT
        self.mask = self.dispatch_mask = mask
        self.parked.clear()
        self.scratch.bytes.fill(0)
        self.index = self.executed = self.yielded = self.waits_for = 0
        self.goes_on = False

    def suspend(self, *, waits: bool) -> Suspended:
        """Returns the state to be kept while another thread is current; `waits` if this one waits at a barrier."""
        return Suspended(
            self.file.copy(),
            self.scratch.bytes.copy(),
            self.mask,
            self.dispatch_mask,
            self.parked.copy(),
            self.index,
            self.executed,
            self.yielded,
            self.waits_for if waits else None,
        )

    def resume(self, suspended: Suspended) -> None:
        """Restores the state of a suspended thread."""
        self.file[:] = suspended.file
        self.scratch.bytes[:] = suspended.scratch
        self.mask, self.dispatch_mask = suspended.mask, suspended.dispatch_mask
        self.parked = suspended.parked.copy()
        self.index, self.executed, self.yielded = suspended.index, suspended.executed, suspended.yielded
        self.goes_on = suspended.waits_for is not None
        self.waits_for = suspended.waits_for or 0

    def _words(self, architecture: Architecture) -> NDArray[np.uint16]:
        start = _SLOTS[architecture.number]
        return self._architecture[start : start + architecture.size].view(np.uint16)

    def byte(self, register: Register) -> int:
        """Returns the byte of `file` (for general registers also of `registers`) where a register starts."""
        if register.file is RegisterFile.ARF:
            return len(self.registers) + _SLOTS[register.number] + register.byte
        return register.number * self.target.platform.grf_bytes + register.byte

    def flag_bits(self, flag: Flag, first: int, count: int) -> int:
        """Returns the flag bits of channels `first` to `first + count - 1`, the first one lowest."""
        return (int(self.flags[flag.number][0]) >> (16 * flag.half + first)) & ((1 << count) - 1)

    def write_flag_bits(self, flag: Flag, first: int, values: int, enabled: int) -> None:
        """Sets the flag bits from channel `first` on to those of `values`, for channels in `enabled`."""
        shift = 16 * flag.half + first
        register = self.flags[flag.number]
        register[0] = (int(register[0]) & ~(enabled << shift)) | ((values & enabled) << shift)

    def base_channels(self, instruction: Instruction, channels: int) -> int:
        """Returns the channels that the execution mask enables, one bit per channel of the instruction."""
        every = (1 << channels) - 1
        return every if instruction.no_mask else (self.mask >> instruction.channel_offset) & every

    def predicate(self, instruction: Instruction, channels: int) -> int:
        """Returns the instruction's predicate, one bit per channel; all ones when it has none."""
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
        """Returns the channels that execute the instruction, one bit each."""
        return self.base_channels(instruction, channels) & self.predicate(instruction, channels)
