"""Image messages in compiled code, through the staging area of the worker.

Texel formats and filters depend on states in memory that are not known when a kernel is compiled. The code of a kernel
therefore only moves registers into the staging area and back, and calls a routine for the image, if the launch has
recorded one, or Python (`runtime.simulator.jit.images`).
"""

from __future__ import annotations

import ctypes

from runtime.llvm import IRBlock, IRFunction, Value, constant, integer, lanes, mangled, splat, vector
from runtime.simulator.jit.images.records import DATA, ROW_BYTES, ImageRecord
from runtime.simulator.jit.state.channels import Channels
from runtime.simulator.jit.state.launch_records import Areas, LaunchRecord, Worker
from runtime.simulator.jit.state.registers import Registers
from runtime.simulator.jit.state.routines import WORKER, load_field
from runtime.simulator.machine.images.access import ROWS
from xegpu.isa import IllegalInstruction, Instruction, Register
from xegpu.isa.formats import byte_of, image_spans
from xegpu.isa.model import SAMPLER_BYTES, SURFACE_BYTES
from xegpu.targets import Target

_PARAMETERS = "ptr %worker, i32 %index, i32 %mask, i64 %surface, i64 %sampler, ptr %staging"


class Images:
    """Emits image messages in one function. Faults branch to the block `fault`."""

    def __init__(
        self, code: IRFunction, registers: Registers, channels: Channels, target: Target, areas: Areas, fault: IRBlock
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
            code.store(row, code.offset(staging, number * ROW_BYTES), 4)
        for number, span in zip(image.components, data, strict=False):
            row = self._registers.read(span.start, count, 32)
            code.store(row, code.offset(staging, DATA + number * ROW_BYTES), 4)
        sampler = integer(0) if instruction.sampler is None else self._handle(instruction.sampler)
        succeeded = code.call(
            code.module.function("access_image", "i32", _PARAMETERS, _access, inline=False),
            "i32",
            WORKER,
            constant("i32", index),
            self._bits(mask, count),
            self._handle(instruction.surface),
            sampler,
            staging,
        )
        code.jump_unless(code.compare("icmp ne", succeeded, constant("i32", 0)), self._fault)
        for number, span in zip(image.components, returned, strict=False):
            row = code.load(lanes(count, "i32"), code.offset(staging, DATA + number * ROW_BYTES), 4)
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


def _access(code: IRFunction) -> None:
    """Emits the search among the images of the launch: a routine performs the message, or else the callback."""
    index, mask, staging = Value("i32", "%index"), Value("i32", "%mask"), Value("ptr", "%staging")
    surface, sampler = Value("i64", "%surface"), Value("i64", "%sampler")
    launch = load_field(code, WORKER, Worker, "launch")
    # The records before the count were written before it.
    count = code.value(
        "i64", f"load atomic i64, {code.offset(launch, LaunchRecord.image_count.offset)} acquire, align 8"
    )
    first = load_field(code, launch, LaunchRecord, "images")
    with code.loop(integer(0)) as search:
        (number,) = search.values
        code.jump_unless(code.compare("icmp ult", number, count), search.after)
        other = code.block("other")
        record = code.offset(first, code.binary("mul", number, integer(ctypes.sizeof(ImageRecord))))
        for name, wanted in (("index", index), ("surface", surface), ("sampler", sampler)):
            own = load_field(code, record, ImageRecord, name)
            code.jump_unless(code.compare("icmp eq", own, wanted), other)
        for what, size in (("surface", SURFACE_BYTES), ("sampler", SAMPLER_BYTES)):
            copy = code.offset(record, getattr(ImageRecord, f"{what}_copy").offset)
            state = load_field(code, record, ImageRecord, f"{what}_state")
            words = vector(size // 8, "i64")
            differing = code.binary("xor", code.load(words, copy, 8), code.load(words, state, 1))
            bits = code.call(mangled("vector.reduce.or", words), "i64", differing)
            code.jump_unless(code.compare("icmp eq", bits, integer(0)), other)
        routine = load_field(code, record, ImageRecord, "routine")
        code.line(f"call void {routine.name}({record}, {mask}, {staging})")
        code.give(constant("i32", 1))
        code.begin(other)
        search.repeat(code.binary("add", number, integer(1)))
    callback = load_field(code, launch, LaunchRecord, "access_image")
    arguments = ", ".join(map(str, (WORKER, index, mask, surface, sampler, staging)))
    code.give(code.value("i32", f"call i32 {callback.name}({arguments})"))
