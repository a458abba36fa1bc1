"""Routines of image messages: machine code for one kind of message and one format of surfaces, lane by lane."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from runtime.disk_cache import default_cache
from runtime.llvm import (
    Cpu,
    IRFunction,
    IRModule,
    MachineCode,
    Value,
    constant,
    integer,
    machine_code,
    mangled,
)
from runtime.simulator.jit.images.records import DATA, ROW_BYTES, ImageRecord
from runtime.simulator.jit.images.sampling import Axis, between, corners, layer, place
from runtime.simulator.jit.images.texels import components, dword, load_texel, store_texel, texel_words
from runtime.simulator.jit.state.routines import load_field
from runtime.simulator.machine.images.texels import border_texel
from xegpu.isa.model import LAYOUTS, SHAPES, ChannelType, SamplerState, SurfaceState, SurfaceType

ROUTINE = "image"
IMAGE, MASK, STAGING = Value("ptr", "%image"), Value("i32", "%mask"), Value("ptr", "%staging")
_LEVEL = 3
"""The number of the coordinate that is the level of detail."""


@dataclass(frozen=True)
class ImageUse:
    """The message and the states that a routine is for, without the sizes and the place of the image."""

    writes: bool
    components: tuple[int, ...]
    surface: SurfaceState
    sampler: SamplerState | None

    @staticmethod
    def of(writes: bool, components: tuple[int, ...], surface: SurfaceState, sampler: SamplerState | None) -> ImageUse:
        """Returns the use of a surface by a message."""
        kind = surface.type, surface.layout, surface.channel_type
        return ImageUse(writes, components, SurfaceState(*kind, 0, 0, 0, 0, 0, 0, surface.swizzle), sampler)


@lru_cache(maxsize=256)
def compiled_routine(use: ImageUse, cpu: Cpu) -> MachineCode:
    """Returns machine code that exports `ROUTINE`. Thread-safe."""
    module = IRModule(cpu)
    module.export(ROUTINE, "void", f"{IMAGE}, {MASK}, {STAGING}", lambda code: _Routine(code, use).emit())
    return machine_code(module.text(), [ROUTINE], cpu, default_cache())


class _Routine:
    """Emits a routine: a loop over the enabled lanes, the lowest one first."""

    def __init__(self, code: IRFunction, use: ImageUse):
        self._code = code
        self._use = use
        self._shape = SHAPES[SurfaceType(use.surface.type)]
        self._layout = LAYOUTS[use.surface.layout]
        self._kind = ChannelType(use.surface.channel_type)
        border = border_texel(use.surface, use.sampler)
        self._border = [dword(int(border[number])) for number in use.components]

    def emit(self) -> None:
        code = self._code
        names = ("width", "height", "depth", "row_pitch", "slice_pitch")
        *self._sizes, self._row, self._slice = (load_field(code, IMAGE, ImageRecord, name) for name in names)
        self._texels = load_field(code, IMAGE, ImageRecord, "texels")
        with code.loop(MASK) as lanes:
            (left,) = lanes.values
            code.jump_if(code.compare("icmp eq", left, dword(0)), lanes.after)
            rest = code.binary("and", left, code.binary("sub", left, dword(1)))
            lane = code.call(mangled("cttz", "i32"), "i32", left, constant("i1", "true"))
            self._lane(code.offset(STAGING, code.binary("shl", code.cast("zext", lane, "i64"), integer(2))))
            lanes.repeat(rest)
        code.give()

    def _lane(self, own: Value) -> None:
        """Emits a lane, whose first coordinate is at `own`."""
        code, use = self._code, self._use
        if use.writes:
            self._write(own, *self._position(own))
            return
        if use.sampler is None:
            found = self._fetch(*self._position(own))
        else:
            found = self._sample(own, use.sampler)
        for number, bits in zip(use.components, found, strict=True):
            code.store(bits, code.offset(own, DATA + number * ROW_BYTES), 4)

    def _coordinate(self, own: Value, number: int, type: str) -> Value:
        return self._code.load(type, self._code.offset(own, number * ROW_BYTES), 4)

    def _position(self, own: Value) -> tuple[Value, Value, Value]:
        """Returns x, y and z of the texel at integer coordinates; other levels of detail are outside of the image."""
        code = self._code
        x, y, z = (
            integer(0) if axis is None else code.cast("sext", self._coordinate(own, axis, "i32"), "i64")
            for axis in self._shape.axes
        )
        level = self._coordinate(own, _LEVEL, "i32")
        return code.select(code.compare("icmp eq", level, dword(0)), x, integer(-1)), y, z

    def _place(self, x: Value, y: Value, z: Value) -> tuple[Value, Value]:
        """Returns whether a texel is inside of the image, and where it is; of one outside, where the first is."""
        code = self._code
        checks = [code.compare("icmp ult", number, size) for number, size in zip((x, y, z), self._sizes, strict=True)]
        inside = code.binary("and", code.binary("and", *checks[:2]), checks[2])
        start = code.binary("mul", x, integer(self._layout.texel_bytes))
        for number, pitch in ((y, self._row), (z, self._slice)):
            start = code.binary("add", start, code.binary("mul", number, pitch))
        return inside, code.offset(self._texels, code.select(inside, start, integer(0)))

    def _fetch(self, x: Value, y: Value, z: Value) -> list[Value]:
        """Returns the components of a texel."""
        code, use = self._code, self._use
        inside, pointer = self._place(x, y, z)
        words = load_texel(code, pointer, self._layout.texel_bytes)
        found = components(code, words, self._layout, self._kind, use.surface.swizzle, use.components)
        return [code.select(inside, *pair) for pair in zip(found, self._border, strict=True)]

    def _sample(self, own: Value, sampler: SamplerState) -> list[Value]:
        axes = []
        for rank, (axis, size) in enumerate(zip(self._shape.axes, self._sizes, strict=True)):
            if axis is None:
                axes.append(Axis((integer(0),)))
                continue
            number = self._coordinate(own, axis, "float")
            if rank < self._shape.filtered:
                axes.append(place(self._code, number, size, sampler, integers=self._kind.is_integer))
            else:
                axes.append(layer(self._code, number, size))
        texels = [self._fetch(*corner) for corner in corners(axes)]
        for weight in (axis.weight for axis in axes if axis.weight is not None):
            pairs = zip(texels[::2], texels[1::2], strict=True)
            texels = [self._mixed(first, second, weight) for first, second in pairs]
        return texels[0]

    def _mixed(self, first: list[Value], second: list[Value], weight: Value) -> list[Value]:
        return [between(self._code, p, q, weight) for p, q in zip(first, second, strict=True)]

    def _write(self, own: Value, x: Value, y: Value, z: Value) -> None:
        code, use = self._code, self._use
        inside, pointer = self._place(x, y, z)
        with code.if_(inside):
            places = {number: code.offset(own, DATA + number * ROW_BYTES) for number in use.components}
            given = {number: code.load("i32", place, 4) for number, place in places.items()}
            words = texel_words(code, given, self._layout, self._kind, use.surface.swizzle)
            store_texel(code, words, pointer, self._layout.texel_bytes)
