"""Image messages in Python: those that compiled code has no routine for, those that fault, and the first of each kind.

Texel formats and filters depend on states in memory that are not known when a kernel is compiled. A message goes
through `access_image`, which the interpreter calls, too, until its kind has been seen `FREQUENT` times in the process;
then it gets a routine, and each launch records the images for which its code may call one.
"""

from __future__ import annotations

import ctypes
from collections import Counter

import numpy as np

from runtime.llvm import Cpu, MachineCode
from runtime.simulator.jit.images.records import LANES, MOST_IMAGES, NO_INDEX, ImageRecord
from runtime.simulator.jit.images.routine import ROUTINE, ImageUse, compiled_routine
from runtime.simulator.jit.state.launch_records import LaunchRecord, Worker
from runtime.simulator.machine.fault import Fault
from runtime.simulator.machine.images.access import ROWS, access_image
from runtime.simulator.machine.images.states import read_sampler, read_surface
from runtime.simulator.memory import RangeTable
from xegpu.isa import Instruction, Program
from xegpu.isa.model import SamplerState, SurfaceState

FREQUENT = 64
"""Messages of a kind that go through Python, which takes as long as compiling a routine."""

_seen: Counter[ImageUse] = Counter()
_CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.c_void_p,
    ctypes.c_uint32,
    ctypes.c_uint32,
    ctypes.c_uint64,
    ctypes.c_uint64,
    ctypes.c_void_p,
)


_States = tuple[SurfaceState, SamplerState | None]


class ImageAccess:
    """The callback of a launch: `i32 access_image(worker, index, mask, surface, sampler, staging)`.

    It returns 0 after a fault, which is then in the worker's record and, with its detail, in `faults`. Several host
    threads may call it at the same time: they share nothing but dictionaries and the memory of the device.
    """

    def __init__(self, program: Program, table: RangeTable, launch: LaunchRecord, cpu: Cpu):
        faults: dict[int, Fault] = {}
        errors: list[BaseException] = []
        images = _Images(table, launch, cpu)

        # A closure and not a method: a cycle would keep the memory of the device alive until the next collection.
        def call(worker: int, index: int, mask: int, surface: int, sampler: int, staging: int) -> int:
            record = Worker.from_address(worker)
            try:
                _access(program.instructions[index], table, images, index, mask, surface, sampler, staging)
            except Fault as fault:
                record.kind, record.index, record.lane = fault.kind, index, -1
                record.address, record.access_size = fault.address or 0, fault.size
                faults[worker] = fault
                return 0
            except BaseException as error:  # compiled code cannot be unwound: `raise_error` raises it after the launch
                errors.append(error)
                return 0
            return 1

        self.faults = faults
        """The fault of a worker, by the address of its record."""
        self._errors = errors
        self._images = images
        self._callback = _CALLBACK(call)
        launch.access_image = ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def raise_error(self) -> None:
        """Raises the first exception of a callback that was no fault, such as `KeyboardInterrupt`."""
        if self._errors:
            raise self._errors[0]


class _Images:
    """The records of a launch, which its code searches while others are added: without an index, they match nothing."""

    def __init__(self, table: RangeTable, launch: LaunchRecord, cpu: Cpu):
        self._table = table
        self._launch = launch
        self._cpu = cpu
        self._records = (ImageRecord * MOST_IMAGES)()
        self._numbers = iter(range(MOST_IMAGES))
        self._routines: list[MachineCode] = []
        for record in self._records:
            record.index = NO_INDEX
        launch.images = ctypes.addressof(self._records)

    def add(self, index: int, names: tuple[int, int], use: ImageUse, states: _States) -> None:
        """Records an image that an instruction has accessed, if such uses are frequent.

        Host threads that come here at the same time record the same image each; none waits for another.
        """
        _seen[use] += 1
        if _seen[use] < FREQUENT:
            return
        number = next(self._numbers, None)
        if number is None:
            return
        routine = compiled_routine(use, self._cpu)
        self._routines.append(routine)
        (surface, sampler), (state, filter), record = names, states, self._records[number]
        record.routine, record.surface, record.sampler = routine.addresses[ROUTINE], surface, sampler
        record.surface_copy[:] = state.pack()
        record.surface_state = self._pointer(surface)
        record.sampler_state = ctypes.addressof(record) + ImageRecord.sampler_copy.offset
        if filter is not None:
            record.sampler_copy[:] = filter.pack()
            record.sampler_state = self._pointer(sampler)
        record.texels = self._pointer(state.base)
        record.width, record.height, record.depth = state.width, state.height, state.depth
        record.row_pitch, record.slice_pitch = state.row_pitch, state.slice_pitch
        record.index = index
        self._launch.image_count = max(self._launch.image_count, number + 1)

    def _pointer(self, address: int) -> int:
        """Returns where a byte of the device is in memory."""
        owner = int(np.searchsorted(self._table.starts, np.uint64(address), side="right")) - 1
        allocation = self._table.allocations[owner]
        return int(allocation.data.ctypes.data) + address - int(allocation.address)


def _access(
    instruction: Instruction,
    table: RangeTable,
    images: _Images,
    index: int,
    mask: int,
    surface: int,
    sampler: int,
    staging: int,
) -> None:
    on = [lane for lane in range(LANES) if mask >> lane & 1]
    if not on:
        return
    filter = None if instruction.sampler is None else read_sampler(table, sampler)
    states = read_surface(table, surface), filter
    area = (ctypes.c_uint32 * (2 * ROWS * LANES)).from_address(staging)
    coordinates, components = np.frombuffer(memoryview(area), np.uint32).reshape(2, ROWS, LANES)
    given, data = coordinates[:, on], components[:, on]
    with np.errstate(all="ignore"):
        access_image(instruction, table, surface, None if filter is None else sampler, given, data)
    components[:, on] = data
    if instruction.image is not None:
        use = ImageUse.of(instruction.spec.writes, instruction.image.components, *states)
        images.add(index, (surface, sampler), use, states)
