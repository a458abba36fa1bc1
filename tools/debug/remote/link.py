"""Requests of a debugger to a program, through the functions of Level Zero."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from runtime import ZeError, zet
from runtime.debuggee import ALL_THREADS, BREAKPOINT_SUPPRESS, SCRATCH_BASE, ExceptionStatus, RegisterSet
from runtime.debugger import SPACES, DebugError
from runtime.simulator import Executable
from runtime.simulator.interpreter import Thread
from runtime.simulator.interpreter.alu import Bytes
from runtime.ze.driver import Device
from xegpu.isa import Register, RegisterFile
from xegpu.isa.model import ADDRESS, CONTROL, DISPATCH_MASK, FLAGS, STATE
from xegpu.targets import Target

ALL = zet.ze_device_thread_t(*ALL_THREADS)

_CONTROL = struct.Struct("<4I")
_WHERE = struct.Struct("<8I")
_BASES = struct.Struct("<8Q")


class ProgramLink:
    """A session with a card of a program; what the program refuses raises `DebugError`."""

    def __init__(self, device: Device, process: int) -> None:
        self.target: Target = device.target
        self._session = zet.zetDebugAttach(device, zet.zet_debug_config_t(process))

    def event(self, milliseconds: int) -> zet.zet_debug_event_t | None:
        """Returns the next event, None if there is none in time."""
        try:
            return zet.zetDebugReadEvent(self._session, milliseconds)
        except ZeError as error:
            if error.result.name == "ZE_RESULT_NOT_READY":
                return None
            raise DebugError(error.text) from None

    def acknowledge(self, event: zet.zet_debug_event_t) -> None:
        """Lets the program go on that waits since an event."""
        _asked(lambda: zet.zetDebugAcknowledgeEvent(self._session, event))

    def interrupt(self) -> bool:
        """Asks for all threads to be stopped; returns False if they are."""
        try:
            zet.zetDebugInterrupt(self._session, ALL)
        except ZeError:
            return False
        return True

    def resume(self) -> None:
        """Lets all stopped threads go on."""
        _asked(lambda: zet.zetDebugResume(self._session, ALL))

    def detach(self) -> None:
        """Ends the session."""
        if self._session.alive:
            zet.zetDebugDetach(self._session)

    def read(self, address: int, size: int, thread: zet.ze_device_thread_t = ALL, space: int = 0) -> bytes:
        """Returns bytes of memory."""
        desc = zet.zet_debug_memory_space_desc_t(space, address)
        return _asked(lambda: zet.zetDebugReadMemory(self._session, thread, desc, size))

    def write(self, address: int, data: bytes, thread: zet.ze_device_thread_t = ALL, space: int = 0) -> None:
        """Overwrites bytes of memory."""
        desc = zet.zet_debug_memory_space_desc_t(space, address)
        _asked(lambda: zet.zetDebugWriteMemory(self._session, thread, desc, data))

    def registers(self, thread: zet.ze_device_thread_t, kind: RegisterSet, first: int, count: int) -> bytes:
        """Returns registers of a set."""
        return _asked(lambda: zet.zetDebugReadRegisters(self._session, thread, kind, first, count))

    def set_register(self, thread: zet.ze_device_thread_t, kind: RegisterSet, number: int, data: bytes) -> None:
        """Sets a register of a set."""
        _asked(lambda: zet.zetDebugWriteRegisters(self._session, thread, kind, number, 1, data))

    def control(self, thread: zet.ze_device_thread_t) -> tuple[int, ...]:
        """Returns the dwords of `cr0`: modes, why the thread has stopped, the offset of the next instruction."""
        return _CONTROL.unpack(self.registers(thread, RegisterSet.CONTROL, 0, 1))

    def prepare(self, thread: zet.ze_device_thread_t, *, steps: bool) -> None:
        """Has a thread skip the breakpoint at which it is when it is resumed, and stop after one instruction."""
        modes, _, instruction, last = self.control(thread)
        status = ExceptionStatus.BREAKPOINT if steps else 0
        data = _CONTROL.pack(modes | BREAKPOINT_SUPPRESS, status, instruction, last)
        self.set_register(thread, RegisterSet.CONTROL, 0, data)

    def where(self, thread: zet.ze_device_thread_t) -> tuple[int, ...]:
        """Returns the ids of the work-group, the number of the thread in it, and how many threads it has."""
        return _WHERE.unpack(self.registers(thread, RegisterSet.THREAD, 0, 1))[:5]

    def bases(self, thread: zet.ze_device_thread_t) -> tuple[int, ...]:
        """Returns the addresses at which memory spaces begin."""
        return _BASES.unpack(self.registers(thread, RegisterSet.BASES, 0, 8))

    def is_stopped(self, thread: zet.ze_device_thread_t) -> bool:
        """Returns whether a thread is there and stopped."""
        try:
            self.control(thread)
        except DebugError:
            return False
        return True

    def stopped_threads(self, near: zet.ze_device_thread_t | None) -> Iterator[zet.ze_device_thread_t]:
        """Yields the stopped threads of a work-group, which all are on one core; `near` is a thread of it."""
        cores = [(near.slice, near.subslice)] if near is not None else self._cores()
        for core in cores:
            found = [place for place in self._places(*core) if self.is_stopped(place)]
            if found:
                yield from found
                return

    def _cores(self) -> list[tuple[int, int]]:
        return [(slice, core) for slice in range(self.target.slices) for core in range(self.target.subslices_per_slice)]

    def _places(self, slice: int, core: int) -> Iterator[zet.ze_device_thread_t]:
        threads = max(self.target.platform.eu_threads.values())
        for thread in range(threads):
            for eu in range(self.target.eus_per_subslice):
                yield zet.ze_device_thread_t(slice, core, eu, thread)

    def copy(self, thread: zet.ze_device_thread_t, executable: Executable) -> Thread:
        """Returns a copy of a thread's registers, before its next instruction."""
        made = Thread(executable.description)
        grf_count = executable.description.facts.grf_count
        general = self.registers(thread, RegisterSet.GRF, 0, grf_count)
        made.file[: len(general)] = np.frombuffer(general, np.uint8)
        for kind, registers in _ARCHITECTURE.items():
            for number, register in enumerate(registers[: made.target.platform.flag_registers]):
                data = self.registers(thread, kind, number, 1)[: register.size]
                start = made.byte(Register(RegisterFile.ARF, register.number))
                made.file[start : start + len(data)] = np.frombuffer(data, np.uint8)
        made.mask = int.from_bytes(self.registers(thread, RegisterSet.CHANNEL_ENABLE, 0, 1), "little")
        state = self.registers(thread, RegisterSet.STATE, 0, 1)
        made.dispatch_mask = int.from_bytes(state[4 * DISPATCH_MASK :][:4], "little")
        return made

    def put(self, thread: zet.ze_device_thread_t, wanted: Thread, executable: Executable) -> None:
        """Makes the registers of a thread those of a copy, as far as they differ."""
        now, size = self.copy(thread, executable), wanted.target.platform.grf_bytes
        rows, old = wanted.registers.reshape(-1, size), now.registers.reshape(-1, size)
        for number in np.flatnonzero((rows != old).any(axis=1)).tolist():
            self.set_register(thread, RegisterSet.GRF, number, rows[number].tobytes())
        for kind, registers in _ARCHITECTURE.items():
            for number, register in enumerate(registers[: wanted.target.platform.flag_registers]):
                start = wanted.byte(Register(RegisterFile.ARF, register.number))
                data = wanted.file[start : start + register.size].tobytes()
                if data != now.file[start : start + register.size].tobytes():
                    if kind is RegisterSet.CONTROL:
                        data += self.registers(thread, kind, 0, 1)[len(data) :]
                    self.set_register(thread, kind, number, data)


_ARCHITECTURE = {
    RegisterSet.ADDRESS: (ADDRESS,),
    RegisterSet.FLAG: FLAGS,
    RegisterSet.STATE: (STATE,),
    RegisterSet.CONTROL: (CONTROL,),
}

T = TypeVar("T")


def _asked(ask: Callable[[], T]) -> T:
    """Returns an answer of the program; a refusal becomes a `DebugError`."""
    try:
        return ask()
    except ZeError as error:
        raise DebugError(error.text) from None


class RemoteMemory:
    """The memory of a stopped thread of another process."""

    def __init__(self, link: ProgramLink, thread: zet.ze_device_thread_t) -> None:
        self._link = link
        self._thread = thread

    def read(self, space: str, address: int, size: int) -> Bytes:
        """Returns the bytes from an address on, at most `size`. Raises `DebugError` if there are none."""
        place = self._place(space, address)
        readable, too_many = 0, size + 1
        wanted = size
        while readable + 1 < too_many:  # a program refuses bytes of which some are not there
            if self._part(space, place, wanted) is None:
                too_many = wanted
            else:
                readable = wanted
            wanted = (readable + too_many) // 2
        data = self._link.read(place, readable or 1, self._thread, _NUMBERS[space])
        return np.frombuffer(data, np.uint8).copy()

    def _part(self, space: str, place: int, size: int) -> bytes | None:
        try:
            return self._link.read(place, size, self._thread, _NUMBERS[space])
        except DebugError:
            return None

    def write(self, space: str, address: int, data: bytes) -> None:
        """Overwrites bytes. Raises `DebugError` if they are not there, or cannot be written."""
        self._link.write(self._place(space, address), data, self._thread, _NUMBERS[space])

    def label_of(self, address: int) -> str:
        """Returns nothing: the names of memory are those of the program."""
        return ""

    def named(self, name: str) -> int | None:
        """Returns None: the names of memory are those of the program."""
        return None

    def lines(self) -> Iterator[str]:
        """Raises `DebugError`: Level Zero has no query for allocations."""
        raise DebugError("the program does not tell what memory it has")

    def _place(self, space: str, address: int) -> int:
        if space != "scratch":
            return address
        base = self._link.bases(self._thread)[SCRATCH_BASE]
        if not base:
            raise DebugError("the thread has no scratch space")
        return base + address


_NUMBERS = dict(zip(SPACES, (0, 1, 0), strict=True))
"""The numbers of address spaces in Level Zero. Scratch space has addresses in the default one."""
