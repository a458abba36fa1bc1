"""The state of stopped threads: their registers and local memory, in place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runtime.debuggee.sets import (
    BASES,
    BREAKPOINT_SUPPRESS,
    CONTROL,
    INSTRUCTION_BASE,
    SCRATCH_BASE,
    THREAD,
    RegisterSet,
    RegisterSetShape,
    thread_sets,
)
from runtime.simulator.interpreter import Execution, Thread
from runtime.simulator.interpreter.alu import Bytes
from xegpu.isa import Register, RegisterFile
from xegpu.isa.model import ADDRESS, CONTROL as CR0, FLAGS, STATE, Architecture
from xegpu.isa.native import ACCUMULATORS

SCRATCH_ADDRESS = 0xFFFF_4000_0000_0000
"""The address at which a debugger finds the scratch space of the first thread of a work-group."""

SCRATCH_STRIDE = 1 << 32


class Refused(Exception):
    """A request that the state of a thread does not allow; the text says why."""


class Invalid(Exception):
    """A request that no state would allow; the text says why."""


@dataclass
class Exceptions:
    """The exceptions of a thread as its debugger has left them: `cr0.1`, and whether breakpoints are skipped once."""

    status: int = 0
    suppresses: bool = False


class StoppedState:
    """The state of a thread of a work-group that does not run: the current one, or one that waits.

    Args:
        execution: The launch.
        number: The number of the thread.
        base: The address of the code of its module.
        code: The address of its kernel.
        exceptions: Its exceptions.
    """

    def __init__(self, execution: Execution, number: int, base: int, code: int, exceptions: Exceptions) -> None:
        self._execution = execution
        self._number = number
        self._base = base
        self._code = code
        self._exceptions = exceptions
        self._thread: Thread = execution.thread
        waiting = execution.waiting.get(number)
        self._file: Bytes = self._thread.file if waiting is None else waiting.file
        self.scratch: Bytes = self._thread.scratch.bytes if waiting is None else waiting.scratch
        self._mask = self._thread.mask if waiting is None else waiting.mask
        self._index = self._thread.index if waiting is None else waiting.index

    @property
    def shapes(self) -> tuple[RegisterSetShape, ...]:
        """The register sets of the thread."""
        description = self._execution.executable.description
        accumulators = ACCUMULATORS if description.is_native else 0
        return thread_sets(description.target, description.facts.grf_count, accumulators)

    @property
    def slm(self) -> Bytes:
        """The shared local memory of the work-group."""
        return self._thread.slm.bytes

    def scratch_at(self, address: int, size: int) -> Bytes | None:
        """Returns bytes of the scratch space by their address; None if they are not there."""
        start = address - (SCRATCH_ADDRESS + self._number * SCRATCH_STRIDE)
        return self.scratch[start : start + size] if 0 <= start <= start + size <= len(self.scratch) else None

    def read(self, kind: int, first: int, count: int) -> bytes:
        """Returns registers of a set. Raises `Invalid` if there are no such registers."""
        shape = self._shape(kind, first, count)
        places = self._places(shape, first, count)
        if places is not None:
            return b"".join(place.tobytes() for place in places)
        size = shape.size
        whole: bytes
        if shape.type is RegisterSet.CHANNEL_ENABLE:
            whole = self._mask.to_bytes(size, "little")
        elif shape.type is RegisterSet.CONTROL:
            whole = CONTROL.pack(self._control, self._exceptions.status, self._instruction & 0xFFFF_FFFF, 0)
        elif shape.type is RegisterSet.BASES:
            bases = [0] * shape.count
            bases[INSTRUCTION_BASE] = self._base
            bases[SCRATCH_BASE] = SCRATCH_ADDRESS + self._number * SCRATCH_STRIDE if len(self.scratch) else 0
            whole = BASES.pack(*bases)
        else:
            whole = THREAD.pack(*self._execution.group, self._number, self._execution.threads, 0, 0, 0)
        return whole[first * size : (first + count) * size]

    def write(self, kind: int, first: int, count: int, data: bytes) -> None:
        """Sets registers. Raises `Invalid` if there are no such registers, `Refused` if they cannot be written."""
        shape = self._shape(kind, first, count)
        if len(data) != count * shape.size:
            raise Invalid(f"{len(data)} bytes for {count} registers of {shape.size}")
        if not shape.is_writable:
            raise Refused(f"register set {shape.type.name} cannot be written")
        places = self._places(shape, first, count)
        if places is not None:
            for number, place in enumerate(places):
                place[:] = np.frombuffer(data, np.uint8, shape.size, number * shape.size)
        elif count:
            self._write_control(*CONTROL.unpack(data))

    def _write_control(self, modes: int, status: int, instruction: int, _: int) -> None:
        if instruction != self._instruction & 0xFFFF_FFFF:
            raise Refused("cr0.2: a thread goes on where it has stopped")
        if (modes ^ self._control) & ~BREAKPOINT_SUPPRESS:
            if not self._thread.writes_control:
                raise Refused("cr0.0: the kernel keeps the modes of arithmetic that it starts with")
            new = np.array([modes & ~BREAKPOINT_SUPPRESS], np.uint32)
            self._architecture(CR0)[:] = new.view(np.uint8)
        self._exceptions.status, self._exceptions.suppresses = status, bool(modes & BREAKPOINT_SUPPRESS)

    @property
    def _control(self) -> int:
        modes = int(self._architecture(CR0).view(np.uint32)[0]) & ~BREAKPOINT_SUPPRESS
        return modes | (BREAKPOINT_SUPPRESS if self._exceptions.suppresses else 0)

    @property
    def _instruction(self) -> int:
        """The offset of the next instruction from the code of the module."""
        return self._code + self._execution.executable.program.offsets[self._index] - self._base

    def _architecture(self, register: Architecture) -> Bytes:
        start = self._thread.byte(Register(RegisterFile.ARF, register.number))
        return self._file[start : start + register.size]

    def _shape(self, kind: int, first: int, count: int) -> RegisterSetShape:
        found = next((shape for shape in self.shapes if shape.type == kind), None)
        if found is None:
            raise Invalid(f"the thread has no register set {kind}")
        if not (0 <= first < found.count and count <= found.count - first):
            raise Invalid(f"registers {first} to {first + count - 1} of {found.type.name}, which has {found.count}")
        return found

    def _places(self, shape: RegisterSetShape, first: int, count: int) -> list[Bytes] | None:
        """Returns the bytes of each register in place; None for those that are not kept as such."""
        numbers = range(first, first + count)
        if shape.type is RegisterSet.FLAG:
            return [self._architecture(FLAGS[number]) for number in numbers]
        if shape.type in _ALONE:
            return [self._architecture(_ALONE[shape.type]) for _ in numbers]
        if shape.type not in (RegisterSet.GRF, RegisterSet.ACCUMULATOR):
            return None
        skipped = self._execution.executable.description.facts.grf_count if shape.type is RegisterSet.ACCUMULATOR else 0
        starts = [(skipped + number) * shape.size for number in numbers]
        return [self._file[start : start + shape.size] for start in starts]


_ALONE = {RegisterSet.ADDRESS: ADDRESS, RegisterSet.STATE: STATE}
"""The sets with one register, which is kept as such."""
