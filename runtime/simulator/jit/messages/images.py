"""Messages to images in compiled code: a function for each kind of access, which works on one lane after the other.

Coordinates, components and copies of the states are passed in the worker's staging area.
"""

from __future__ import annotations

from dataclasses import dataclass

from runtime.llvm.text import IRFunction, Value, constant, integer, lanes, splat
from runtime.simulator.faults import FaultKind
from runtime.simulator.jit import routines
from runtime.simulator.jit.channels import Channels
from runtime.simulator.jit.launch_records import Areas
from runtime.simulator.jit.messages import sampling, texels
from runtime.simulator.jit.registers import Registers
from runtime.simulator.jit.routines import WORKER
from xegpu.isa import IllegalInstruction, Instruction, Register
from xegpu.isa.formats.footprint import byte_of, image_spans
from xegpu.isa.model.surface_states import (
    LARGEST_PITCH,
    LAYOUTS,
    SAMPLER_BYTES,
    SAMPLER_SIGNATURE,
    SHAPES,
    SURFACE_BYTES,
    SURFACE_SIGNATURE,
    Addressing,
    Border,
    ChannelType,
    Filter,
    Swizzle,
)
from xegpu.targets import Target

_ROW_BYTES = 4 * 32
"""A coordinate or a component of all lanes, in the staging area."""

_ROWS = 4
_DATA = _ROWS * _ROW_BYTES
_SURFACE = 2 * _ROWS * _ROW_BYTES
_SAMPLER = _SURFACE + SURFACE_BYTES

_PARAMETERS = "ptr %worker, i32 %index, i32 %mask, i32 %channels, i64 %surface, i64 %sampler, ptr %staging"
_INDEX, _MASK, _CHANNELS = (Value("i32", name) for name in ("%index", "%mask", "%channels"))
_STAGING = Value("ptr", "%staging")

_SHAPE_WORDS = 8


class Images:
    """Emits image messages in one function. Faults leave for the block `fault`."""

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
        """Checks and performs a message; `index` is the instruction's number."""
        code, image, count = self._code, instruction.image, instruction.exec_size
        if image is None or instruction.surface is None:
            raise IllegalInstruction(f"{instruction.mnemonic}: no image message")
        mask = self._channels.enabled(instruction, count)
        staging = code.offset(WORKER, self._areas.staging)
        coordinates, data, returned = image_spans(instruction, self._target)
        for number in range(_ROWS):
            row = splat(count, "i32", 0)
            if number < len(coordinates):
                row = self._registers.read(coordinates[number].start, count, 32)
            code.store(row, code.offset(staging, number * _ROW_BYTES), 4)
        for number, span in zip(image.components, data, strict=False):
            row = self._registers.read(span.start, count, 32)
            code.store(row, code.offset(staging, _DATA + number * _ROW_BYTES), 4)
        well = code.call(
            self._access(instruction),
            "i1",
            WORKER,
            constant("i32", index),
            self._bits(mask, count),
            constant("i32", image.channels),
            self._handle(instruction.surface),
            integer(0) if instruction.sampler is None else self._handle(instruction.sampler),
            staging,
        )
        sent = code.new_label("sent")
        code.branch(well, sent, self._fault)
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
        return code.cast("zext", code.cast("bitcast", mask, f"i{count}"), "i32")

    def _handle(self, register: Register) -> Value:
        return self._registers.read(byte_of(register, self._target), 1, 64)

    def _access(self, instruction: Instruction) -> str:
        """The function of a kind of access; it returns whether all was well, else the fault is recorded."""
        kind = "store" if instruction.spec.writes else "load" if instruction.sampler is None else "sample"

        def build(code: IRFunction) -> None:
            _ImageAccess(code).emit(kind)

        return self._code.module.function(f"image.{kind}", "i1", _PARAMETERS, build, inline=False)


@dataclass(frozen=True)
class _Shape:
    """A surface type: coordinate numbers of y and z (i32, -1: none), axes that filters mix, and the largest sizes."""

    y: Value
    z: Value
    filtered: Value
    limits: tuple[Value, Value, Value]


class _ImageAccess:
    """Emits the body of one function."""

    def __init__(self, code: IRFunction):
        self._code = code
        self._surface = code.offset(_STAGING, _SURFACE)
        self._sampler = code.offset(_STAGING, _SAMPLER)
        self._site = code.variable("[2 x i64]", "site", 8)

    def emit(self, kind: str) -> None:
        code = self._code
        code.branch(code.compare("icmp eq", _MASK, constant("i32", 0)), "done", "some")
        code.label("some")
        self._check_surface()
        if kind == "sample":
            self._check_sampler()
        self._check_storage(write=kind == "store")
        shape = self._shape()
        number = code.variable("i32", "number", 4)
        code.store(constant("i32", 0), number, 4)
        code.jump("next_lane")
        code.label("next_lane")
        lane = code.load("i32", number, 4)
        code.store(code.binary("add", lane, constant("i32", 1)), number, 4)
        code.branch(code.compare("icmp eq", lane, constant("i32", 32)), "done", "test")
        code.label("test")
        bit = code.cast("trunc", code.binary("lshr", _MASK, lane), "i1")
        code.branch(bit, "access", "next_lane")
        code.label("access")
        place = code.binary("shl", code.cast("zext", lane, "i64"), integer(2))
        match kind:
            case "store":
                self._store(shape, place)
            case "load":
                x, y, z = self._integers(shape, place)
                self._give(place, self._read([x, y, z], Border.ZERO_BITS))
            case _:
                self._give(place, self._sample(shape, place))
        code.jump("next_lane")
        code.label("done")
        code.give(constant("i1", "true"))

    # Checks.

    def _check_surface(self) -> None:
        code, record = self._code, self._surface
        self._copy_state(Value("i64", "%surface"), SURFACE_BYTES, record, FaultKind.BAD_SURFACE)
        layout = code.call("llvm.umin.i32", "i32", self._byte(texels.LAYOUT), constant("i32", len(LAYOUTS) - 1))
        row = texels.layout_row(code, layout)
        type = self._byte(texels.CHANNEL_TYPE)
        kinds = code.binary("lshr", texels.legal_types(code, row), code.binary("and", type, constant("i32", 31)))
        broken = [
            code.compare("icmp ne", texels.field(code, record, 0, 4), constant("i32", SURFACE_SIGNATURE)),
            self._is_set(record, texels.RESERVED, 1),
            self._is_set(record, 48, 8),
            self._is_set(record, 56, 8),
            self._above(self._byte(texels.TYPE), max(SHAPES)),
            self._above(self._byte(texels.LAYOUT), len(LAYOUTS) - 1),
            self._above(type, max(ChannelType)),
            code.compare("icmp eq", code.binary("and", kinds, constant("i32", 1)), constant("i32", 0)),
            *(self._above(self._byte(texels.SWIZZLE + number), max(Swizzle)) for number in range(4)),
            *self._broken_sizes(code.cast("zext", texels.texel_bytes(code, row), "i64")),
        ]
        self._refuse(broken, FaultKind.BAD_SURFACE, Value("i64", "%surface"))

    def _broken_sizes(self, texel: Value) -> list[Value]:
        code = self._code
        sizes = self._sizes()
        low = code.binary("sub", texel, integer(1))
        base, row, slice_ = (
            texels.field(code, self._surface, offset, 8)
            for offset in (texels.BASE, texels.ROW_PITCH, texels.SLICE_PITCH)
        )
        broken = [code.compare("icmp ne", code.binary("and", value, low), integer(0)) for value in (base, row, slice_)]
        for size, limit in zip(sizes, self._shape().limits, strict=True):
            less_one = code.binary("sub", size, integer(1))
            broken.append(code.compare("icmp uge", less_one, code.cast("zext", limit, "i64")))
        for pitch, least in ((row, (sizes[0], texel)), (slice_, (sizes[1], row))):
            broken.append(code.compare("icmp ult", pitch, code.binary("mul", *least)))
            broken.append(code.compare("icmp ugt", pitch, integer(LARGEST_PITCH)))
        return broken

    def _check_sampler(self) -> None:
        code, record, handle = self._code, self._sampler, Value("i64", "%sampler")
        self._copy_state(handle, SAMPLER_BYTES, record, FaultKind.BAD_SAMPLER)
        broken = [
            code.compare("icmp ne", texels.field(code, record, 0, 4), constant("i32", SAMPLER_SIGNATURE)),
            self._is_set(record, sampling.SAMPLER_RESERVED, 8),
        ]
        for offset, most in (
            (sampling.ADDRESSING, max(Addressing)),
            (sampling.FILTER, max(Filter)),
            (sampling.NORMALIZED, 1),
            (sampling.BORDER, max(Border)),
        ):
            broken.append(self._above(texels.field(code, record, offset, 1), most))
        self._refuse(broken, FaultKind.BAD_SAMPLER, handle)

    def _copy_state(self, handle: Value, size: int, copy: Value, kind: FaultKind) -> None:
        """Copies a state, which the kernel could change while it is in use; leaves with a fault if it is not live."""
        code = self._code
        code.store(integer(0), self._site, 8)
        low = code.binary("and", handle, integer(size - 1))
        aligned, found, lost = (code.new_label(name) for name in ("aligned", "found", "lost"))
        code.branch(code.compare("icmp eq", low, integer(0)), aligned, lost)
        code.label(aligned)
        outside = code.call(
            routines.find(code.module), "i32", WORKER, handle, integer(size), self._site, constant("i1", "false")
        )
        code.branch(code.compare("icmp eq", outside, constant("i32", 0)), found, lost)
        code.label(lost)
        routines.record_fault(code, kind, _INDEX, None, handle)
        code.give(constant("i1", "false"))
        code.label(found)
        code.copy(copy, code.cast("inttoptr", handle, "ptr"), size)

    def _check_storage(self, *, write: bool) -> None:
        """Leaves with a fault unless one allocation covers the texels from the first to the last."""
        code = self._code
        width, height, depth = self._sizes()
        row = texels.layout_row(code, self._byte(texels.LAYOUT))
        extent = code.binary("mul", width, code.cast("zext", texels.texel_bytes(code, row), "i64"))
        for size, offset in ((height, texels.ROW_PITCH), (depth, texels.SLICE_PITCH)):
            pitch = texels.field(code, self._surface, offset, 8)
            before = code.binary("sub", size, integer(1))
            extent = code.binary("add", extent, code.binary("mul", before, pitch))
        base = texels.field(code, self._surface, texels.BASE, 8)
        kind = code.call(
            routines.find(code.module), "i32", WORKER, base, extent, self._site, constant("i1", str(write).lower())
        )
        code.branch(code.compare("icmp eq", kind, constant("i32", 0)), "covered", "uncovered")
        code.label("uncovered")
        routines.record_fault(code, kind, _INDEX, None, base, extent)
        code.give(constant("i1", "false"))
        code.label("covered")

    def _refuse(self, broken: list[Value], kind: FaultKind, handle: Value) -> None:
        code = self._code
        any_ = broken[0]
        for rule in broken[1:]:
            any_ = code.binary("or", any_, rule)
        bad, good = code.new_label("bad"), code.new_label("good")
        code.branch(any_, bad, good, rare=True)
        code.label(bad)
        routines.record_fault(code, kind, _INDEX, None, handle)
        code.give(constant("i1", "false"))
        code.label(good)

    def _byte(self, offset: int) -> Value:
        return texels.field(self._code, self._surface, offset, 1)

    def _above(self, value: Value, most: int) -> Value:
        return self._code.compare("icmp ugt", value, constant("i32", int(most)))

    def _is_set(self, record: Value, offset: int, size: int) -> Value:
        value = texels.field(self._code, record, offset, size)
        return self._code.compare("icmp ne", value, constant(value.type, 0))

    def _sizes(self) -> tuple[Value, Value, Value]:
        """Width, height and depth, i64."""
        width, height, depth = (
            self._code.cast("zext", texels.field(self._code, self._surface, offset, 4), "i64")
            for offset in (texels.WIDTH, texels.HEIGHT, texels.DEPTH)
        )
        return width, height, depth

    def _shape(self) -> _Shape:
        """What is known of the surface's type, which may be wrong still."""
        code = self._code
        words: list[int] = []
        for shape in SHAPES.values():
            axes = [-1 if axis is None else axis for axis in shape.axes[1:]]
            found = [*axes, shape.filtered, *shape.limits]
            words += found + [0] * (_SHAPE_WORDS - len(found))
        table = code.module.constant_data("image.shapes", words)
        type = code.call("llvm.umin.i32", "i32", self._byte(texels.TYPE), constant("i32", int(max(SHAPES))))
        row = code.offset(table, code.binary("mul", code.cast("zext", type, "i64"), integer(4 * _SHAPE_WORDS)))
        y, z, filtered, width, height, depth = (code.load("i32", code.offset(row, 4 * n), 4) for n in range(6))
        return _Shape(y, z, filtered, (width, height, depth))

    # Lanes.

    def _coordinate(self, axis: Value, place: Value, type: str) -> tuple[Value, Value]:
        """A lane's coordinate, whatever there is none, and whether there is none."""
        code = self._code
        is_none = code.compare("icmp slt", axis, constant("i32", 0))
        number = code.cast("zext", code.select(is_none, constant("i32", 0), axis), "i64")
        row = code.offset(_STAGING, code.binary("mul", number, integer(_ROW_BYTES)))
        return code.load(type, code.offset(row, place), 4), is_none

    def _integers(self, shape: _Shape, place: Value) -> tuple[Value, Value, Value]:
        """x, y and z, i64; outside of every image at another level of detail than 0."""
        code = self._code
        places = []
        for axis in (constant("i32", 0), shape.y, shape.z):
            value, is_none = self._coordinate(axis, place, "i32")
            places.append(code.cast("sext", code.select(is_none, constant("i32", 0), value), "i64"))
        level = code.load("i32", code.offset(code.offset(_STAGING, 3 * _ROW_BYTES), place), 4)
        x = code.select(code.compare("icmp eq", level, constant("i32", 0)), places[0], integer(-1))
        return x, places[1], places[2]

    def _store(self, shape: _Shape, place: Value) -> None:
        code = self._code
        x, y, z = self._integers(shape, place)
        one = texels.one_of(code, self._surface)
        components = Value(texels.COMPONENTS, "poison")
        for number in range(_ROWS):
            row = code.offset(_STAGING, _DATA + number * _ROW_BYTES)
            is_given = code.compare(
                "icmp ne", code.binary("and", _CHANNELS, constant("i32", 1 << number)), constant("i32", 0)
            )
            default = one if number == 3 else constant("i32", 0)
            value = code.select(is_given, code.load("i32", code.offset(row, place), 4), default)
            components = code.value(texels.COMPONENTS, f"insertelement {components}, {value}, i64 {number}")
        code.run(texels.write_texel(code.module), self._surface, x, y, z, components)

    def _read(self, places: list[Value], border: Border | Value) -> Value:
        number = constant("i32", int(border)) if isinstance(border, Border) else border
        read = texels.read_texel(self._code.module)
        return self._code.call(read, texels.COMPONENTS, self._surface, *places, number)

    def _give(self, place: Value, components: Value) -> None:
        code = self._code
        for number in range(_ROWS):
            row = code.offset(_STAGING, _DATA + number * _ROW_BYTES)
            code.store(code.extract(components, number), code.offset(row, place), 4)

    def _sample(self, shape: _Shape, place: Value) -> Value:
        code = self._code
        addressing, filter_, normalized, border = (
            texels.field(code, self._sampler, offset, 1)
            for offset in (sampling.ADDRESSING, sampling.FILTER, sampling.NORMALIZED, sampling.BORDER)
        )
        is_float = self._above(self._byte(texels.CHANNEL_TYPE), ChannelType.SINT)
        linear = code.binary("and", is_float, code.compare("icmp eq", filter_, constant("i32", int(Filter.LINEAR))))
        in_texels = code.compare("icmp ne", normalized, constant("i32", 0))
        axes = []
        for rank, (axis, size) in enumerate(zip((constant("i32", 0), shape.y, shape.z), self._sizes(), strict=True)):
            value, is_none = self._coordinate(axis, place, "float")
            filtered = code.compare("icmp ugt", shape.filtered, constant("i32", rank))
            mixed = code.binary("and", linear, filtered)
            found = sampling.axis(code, value, size, addressing, in_texels, mixed)
            first = code.select(filtered, found.first, sampling.layer(code, value, size))
            first = code.select(is_none, integer(0), first)
            axes.append(sampling.Axis(first, found.second, found.weight, mixed))
        return sampling.mixed(code, axes, [], lambda places: self._read(places, border))
