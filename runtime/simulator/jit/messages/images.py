"""Image messages in compiled code: a callback to Python, through the staging area of the worker.

No kernel of the benchmarks uses images, and texel formats and filters depend on states in memory that are not known
when a kernel is compiled. Compiled code therefore only moves registers into the staging area and back, and
`access_image`, which the interpreter calls too, does the rest.
"""

from __future__ import annotations

import ctypes

import numpy as np

from runtime.llvm import IRFunction, Value, constant, integer, lanes, splat
from runtime.simulator.jit.channels import Channels
from runtime.simulator.jit.launch_records import Areas, LaunchRecord, Worker
from runtime.simulator.jit.registers import Registers
from runtime.simulator.jit.routines import WORKER, load_field
from runtime.simulator.machine.fault import Fault
from runtime.simulator.machine.images.access import ROWS, access_image
from runtime.simulator.memory import RangeTable
from xegpu.isa import IllegalInstruction, Instruction, Program, Register
from xegpu.isa.formats import byte_of, image_spans
from xegpu.targets import Target

_LANES = 32
_ROW_BYTES = 4 * _LANES
"""Bytes of a coordinate or a component of all lanes. The staging area has the coordinates, then the components."""

_DATA = ROWS * _ROW_BYTES


class Images:
    """Emits image messages in one function. Faults branch to the block `fault`."""

    def __init__(
        self, code: IRFunction, registers: Registers, channels: Channels, target: Target, areas: Areas, fault: str
    ):
        self._code = code
        self._registers = registers
        self._channels = channels
        self._target = target
        self._areas = areas
        self._fault = fault

    def emit(self, instruction: Instruction, index: int) -> None:
        """Emits a message; `index` is the instruction's number."""
        code, image, count = self._code, instruction.image, instruction.exec_size
        if image is None or instruction.surface is None:
            raise IllegalInstruction(f"{instruction.mnemonic}: no image message")
        mask = self._channels.enabled(instruction, count)
        staging = code.offset(WORKER, self._areas.staging)
        coordinates, data, returned = image_spans(instruction, self._target)
        for number in range(ROWS):
            row = splat(count, "i32", 0)
            if number < len(coordinates):
                row = self._registers.read(coordinates[number].start, count, 32)
            code.store(row, code.offset(staging, number * _ROW_BYTES), 4)
        for number, span in zip(image.components, data, strict=False):
            row = self._registers.read(span.start, count, 32)
            code.store(row, code.offset(staging, _DATA + number * _ROW_BYTES), 4)
        callback = load_field(code, load_field(code, WORKER, Worker, "launch"), LaunchRecord, "access_image")
        succeeded = code.value(
            "i32",
            f"call i32 {callback.name}({WORKER}, {constant('i32', index)}, {self._bits(mask, count)}, "
            f"{self._handle(instruction.surface)}, "
            f"{integer(0) if instruction.sampler is None else self._handle(instruction.sampler)}, {staging})",
        )
        sent = code.new_label("sent")
        code.branch(code.compare("icmp ne", succeeded, constant("i32", 0)), sent, self._fault)
        code.label(sent)
        for number, span in zip(image.components, returned, strict=False):
            row = code.load(lanes(count, "i32"), code.offset(staging, _DATA + number * _ROW_BYTES), 4)
            if mask is not None:
                row = code.select(mask, row, self._registers.read(span.start, count, 32))
            self._registers.write(span.start, row)

    def _bits(self, mask: Value | None, count: int) -> Value:
        if mask is None:
            return constant("i32", (1 << count) - 1)
        code = self._code
        return code.cast("zext", code.bits(mask), "i32")

    def _handle(self, register: Register) -> Value:
        return self._registers.read(byte_of(register, self._target), 1, 64)


_CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.c_void_p,
    ctypes.c_uint32,
    ctypes.c_uint32,
    ctypes.c_uint64,
    ctypes.c_uint64,
    ctypes.c_void_p,
)


class ImageAccess:
    """The callback of a launch: `i32 access_image(worker, index, mask, surface, sampler, staging)`.

    It returns 0 after a fault, which is then in the worker's record and, with its detail, in `faults`. Several host
    threads may call it at the same time: they share nothing but the dictionary and the memory of the device.
    """

    def __init__(self, program: Program, table: RangeTable):
        faults: dict[int, Fault] = {}
        errors: list[BaseException] = []

        # A closure and not a method: a cycle would keep the memory of the device alive until the next collection.
        def call(worker: int, index: int, mask: int, surface: int, sampler: int, staging: int) -> int:
            record = Worker.from_address(worker)
            try:
                _access(program.instructions[index], table, mask, surface, sampler, staging)
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
        self._callback = _CALLBACK(call)
        self.address = ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def raise_error(self) -> None:
        """Raises the first exception of a callback that was no fault, such as `KeyboardInterrupt`."""
        if self._errors:
            raise self._errors[0]


def _access(instruction: Instruction, table: RangeTable, mask: int, surface: int, sampler: int, staging: int) -> None:
    on = [lane for lane in range(_LANES) if mask >> lane & 1]
    if not on:
        return
    area = (ctypes.c_uint32 * (2 * ROWS * _LANES)).from_address(staging)
    coordinates, components = np.frombuffer(memoryview(area), np.uint32).reshape(2, ROWS, _LANES)
    given, data = coordinates[:, on], components[:, on]
    with np.errstate(all="ignore"):
        access_image(instruction, table, surface, None if instruction.sampler is None else sampler, given, data)
    components[:, on] = data
