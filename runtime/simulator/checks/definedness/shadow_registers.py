"""Shadow registers: the origin of the undefined value of each byte of a thread's registers, and of each flag bit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from runtime.simulator.checks.definedness.origins import (
    DEFINED,
    UNWRITTEN,
    Numbers,
    Origins,
    UndefinedOrigin,
    origins_of,
    undefined_bits,
    with_undefined_bits,
)
from runtime.simulator.interpreter.alu.operands import destination_addresses, source_addresses
from runtime.simulator.interpreter.threads.thread import Thread
from runtime.simulator.interpreter.threads.values import Bools
from runtime.simulator.launch.dispatch import KernelDescription
from runtime.simulator.machine import thread_payload
from xegpu.isa import Destination, Flag, Immediate, Register, RegisterFile, SourceRegister
from xegpu.isa.model import ADDRESS, VXH

_FLAG_BITS = 32
_BIT_VALUES = np.array([1 << bit for bit in range(8)], np.int32)


@dataclass(frozen=True, slots=True)
class _Kept:
    """The shadow of a suspended thread."""

    file: Numbers
    flags: Numbers
    scratch: Numbers


class Shadow:
    """The shadow of the current thread."""

    def __init__(
        self, thread: Thread, description: KernelDescription, origins: Origins, *, memory: bool, registers: bool
    ):
        """Makes the shadow; `memory` and `registers` say whether scratch space, and registers without payload, start
        unwritten.
        """
        self._thread = thread
        self._description = description
        self._origins = origins
        self._start = UNWRITTEN if registers else DEFINED
        self._scratch_start = UNWRITTEN if memory else DEFINED
        self.file: Numbers = np.zeros(len(thread.file), np.int32)
        self.flags: Numbers = np.zeros((len(thread.flags), _FLAG_BITS), np.int32)
        self.scratch: Numbers = np.zeros(description.facts.scratch_size, np.int32)
        self._kept: dict[int, _Kept] = {}

    def enter(self, *, has_payload: bool) -> None:
        """Starts a thread; without a payload, all of its registers were given."""
        end = thread_payload.cross_thread_offset(self._description) + self._description.facts.cross_thread_size
        self.file.fill(DEFINED)
        self.flags.fill(self._start if has_payload else DEFINED)
        self.scratch.fill(self._scratch_start)
        if has_payload:
            self.file[end : len(self._thread.registers)] = self._start
            first = self._thread.byte(Register(RegisterFile.ARF, ADDRESS.number))
            self.file[first : first + ADDRESS.size] = self._start

    def keep(self, number: int) -> None:
        """Saves the shadow of thread `number`, which is suspended."""
        self._kept[number] = _Kept(self.file.copy(), self.flags.copy(), self.scratch.copy())

    def restore(self, number: int) -> None:
        """Restores the shadow of thread `number`, which resumes."""
        kept = self._kept.pop(number)
        self.file[:], self.flags[:], self.scratch[:] = kept.file, kept.flags, kept.scratch

    def leave(self) -> None:
        """Drops the shadows of all threads of the group."""
        self._kept.clear()

    def named(self, numbers: Numbers, index: int, what: str) -> Numbers:
        """Returns the numbers with unwritten registers replaced by an origin: `what`, read by instruction `index`."""
        unwritten = numbers == UNWRITTEN
        if not unwritten.any():
            return numbers
        return np.where(
            unwritten, self._origins.number(UndefinedOrigin(index, what, from_memory=False)), numbers
        ).astype(np.int32)

    def flag_bits(self, flag: Flag, first: int, count: int) -> Numbers:
        """Returns the numbers of flag bits, as a view."""
        start = 16 * flag.half + first
        return self.flags[flag.number, start : start + count]

    def source(self, source: SourceRegister | Immediate, channels: int, index: int) -> Callable[[], Numbers]:
        """Returns a reader of the numbers of a source's bytes, shape [channels or 1, bytes of an element]."""
        if isinstance(source, Immediate):
            constant = np.zeros((1, 1), np.int32)
            return lambda: constant
        size, what = source.type.size, register_text(source.register)
        if source.register.flag is not None:
            bits = self._flag_element(source.register, size).reshape(1, size, 8)

            def read_flag() -> Numbers:
                numbers = self.named(bits, index, what)
                return with_undefined_bits(numbers.max(axis=2), (numbers != DEFINED) @ _BIT_VALUES)

            return read_flag
        if source.register.file is RegisterFile.INDIRECT:
            addresses, last = source_addresses(self._thread, source, channels), len(self._thread.registers) - size
            offsets = np.arange(size)
            return lambda: self.named(self.file[np.clip(addresses(), 0, last)[:, None] + offsets], index, what)
        if source.register.is_null:
            return lambda: np.zeros((1, 1), np.int32)
        first = self._thread.byte(source.register)
        elements = np.array([source.region.element(channel) for channel in range(channels)])
        if (elements == 0).all():
            scalar = self.file[first : first + size].reshape(1, size)
            return lambda: self.named(scalar, index, what)
        if (np.diff(elements) == 1).all():
            row = self.file[first : first + channels * size].reshape(channels, size)
            return lambda: self.named(row, index, what)
        positions = first + elements[:, None] * size + np.arange(size)
        return lambda: self.named(self.file[positions], index, what)

    def address_words(self, operand: SourceRegister | Destination, channels: int) -> Numbers:
        """Returns the bytes of the address registers of an indirect operand, as a view."""
        rows = 1
        if isinstance(operand, SourceRegister) and operand.region.vertical == VXH:
            rows = channels // operand.region.width
        first = self._thread.byte(Register(RegisterFile.ARF, ADDRESS.number, 2 * operand.register.number))
        return self.file[first : first + 2 * rows]

    def destination(self, destination: Destination, channels: int) -> Callable[[Numbers, Bools], None]:
        """Returns a writer of numbers, shape [channels or 1, bytes or 1], to the elements of the channels of a mask."""
        size, register = destination.type.size, destination.register
        if register.is_null:
            return lambda numbers, mask: None
        if register.flag is not None:
            bits = self._flag_element(register, size).reshape(size, 8)

            def write_flag(numbers: Numbers, mask: Bools) -> None:
                if mask.any():
                    source = np.broadcast_to(numbers[0], size)[:, None]
                    bits[:] = np.where(undefined_bits(source) & _BIT_VALUES, origins_of(source), DEFINED)

            return write_flag
        offsets = np.arange(size)
        if register.file is RegisterFile.INDIRECT:
            addresses, last = destination_addresses(self._thread, destination, channels), len(self._thread.registers)

            def scatter(numbers: Numbers, mask: Bools) -> None:
                positions = np.clip(addresses(), 0, last - size)[mask][:, None] + offsets
                self.file[positions] = np.broadcast_to(numbers, (channels, size))[mask]

            return scatter
        first = self._thread.byte(register)
        positions = first + destination.stride * size * np.arange(channels)[:, None] + offsets

        def write(numbers: Numbers, mask: Bools) -> None:
            self.file[positions[mask]] = np.broadcast_to(numbers, (channels, size))[mask]

        return write

    def _flag_element(self, register: Register, size: int) -> Numbers:
        """Returns the bits of a flag register that an operand names, as a view."""
        assert register.flag is not None
        return self.flags[register.flag, 8 * register.byte : 8 * (register.byte + size)]


def register_text(register: Register) -> str:
    """Returns a register's name for reports, without its subregister, whose number depends on the type."""
    if register.flag is not None:
        return f"f{register.flag}"
    if register.file is RegisterFile.GRF:
        return f"r{register.number}"
    return f"r[a0.{register.number}]" if register.file is RegisterFile.INDIRECT else "an architecture register"
