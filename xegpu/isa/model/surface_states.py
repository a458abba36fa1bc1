"""Surface and sampler states: the records in memory that describe the images of image messages.

A surface is an image's storage with its shape and texel format, a sampler says how coordinates become texels. Numbers
of types, layouts, channel types, swizzles and addressing modes are those of Level Zero (`ze_image_type_t`,
`ze_image_format_layout_t`, ...). Whoever creates an image packs the records; kernels receive their addresses.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from enum import IntEnum

from xegpu.on_demand import dataclass


class SurfaceType(IntEnum):
    """Shape of an image."""

    IMAGE_1D = 0
    IMAGE_1D_ARRAY = 1
    IMAGE_2D = 2
    IMAGE_2D_ARRAY = 3
    IMAGE_3D = 4
    BUFFER = 5


@dataclass(frozen=True)
class Shape:
    """The meaning of coordinates for a surface type, and the limits of its size.

    `axes` are the numbers of the coordinates that are x, y and z (None: the image has one row, or one slice); z of an
    array is the layer. `filtered` is the number of axes, from x on, along which a linear filter mixes texels. `limits`
    are the largest width, height and depth in texels, rows and slices.
    """

    axes: tuple[int, int | None, int | None]
    filtered: int
    limits: tuple[int, int, int]

    @property
    def is_array(self) -> bool:
        return self.axes[2] is not None and self.filtered < 3


_SIDE, _LAYERS, _TEXELS = 1 << 14, 1 << 11, 1 << 27

SHAPES: dict[SurfaceType, Shape] = {
    SurfaceType.IMAGE_1D: Shape((0, None, None), 1, (_SIDE, 1, 1)),
    SurfaceType.IMAGE_1D_ARRAY: Shape((0, None, 1), 1, (_SIDE, 1, _LAYERS)),
    SurfaceType.IMAGE_2D: Shape((0, 1, None), 2, (_SIDE, _SIDE, 1)),
    SurfaceType.IMAGE_2D_ARRAY: Shape((0, 1, 2), 2, (_SIDE, _SIDE, _LAYERS)),
    SurfaceType.IMAGE_3D: Shape((0, 1, 2), 3, (_SIDE, _SIDE, _LAYERS)),
    SurfaceType.BUFFER: Shape((0, None, None), 1, (_TEXELS, 1, 1)),
}


class ChannelType(IntEnum):
    """The interpretation of the bits of a channel."""

    UINT = 0
    SINT = 1
    UNORM = 2
    SNORM = 3
    FLOAT = 4

    @property
    def is_integer(self) -> bool:
        return self in (ChannelType.UINT, ChannelType.SINT)


_BYTES = frozenset({ChannelType.UINT, ChannelType.SINT, ChannelType.UNORM, ChannelType.SNORM})
_WORDS = _BYTES | {ChannelType.FLOAT}
_DWORDS = frozenset({ChannelType.UINT, ChannelType.SINT, ChannelType.FLOAT})
_UNORM = frozenset({ChannelType.UNORM})


@dataclass(frozen=True)
class TexelLayout:
    """Bits of the channels R, G, B, A of a texel, from its lowest bit on, and the types that they may have."""

    bits: tuple[int, ...]
    types: frozenset[ChannelType]

    @property
    def texel_bytes(self) -> int:
        return sum(self.bits) // 8

    @property
    def text(self) -> str:
        return "_".join(map(str, self.bits))

    def shift(self, channel: int) -> int:
        """Returns the lowest bit of a channel."""
        return sum(self.bits[:channel])

    def width(self, channel: int) -> int:
        """Returns the bits of a channel, 0 if there is no such."""
        return self.bits[channel] if channel < len(self.bits) else 0


LAYOUTS: tuple[TexelLayout, ...] = (
    TexelLayout((8,), _BYTES),
    TexelLayout((16,), _WORDS),
    TexelLayout((32,), _DWORDS),
    TexelLayout((8, 8), _BYTES),
    TexelLayout((8, 8, 8, 8), _BYTES),
    TexelLayout((16, 16), _WORDS),
    TexelLayout((16, 16, 16, 16), _WORDS),
    TexelLayout((32, 32), _DWORDS),
    TexelLayout((32, 32, 32, 32), _DWORDS),
    TexelLayout((10, 10, 10, 2), frozenset({ChannelType.UINT, ChannelType.UNORM})),
    TexelLayout((11, 11, 10), frozenset({ChannelType.FLOAT})),
    TexelLayout((5, 6, 5), _UNORM),
    TexelLayout((5, 5, 5, 1), _UNORM),
    TexelLayout((4, 4, 4, 4), _UNORM),
)
"""Texel layouts; the index is the number."""


class Swizzle(IntEnum):
    """The source of a component: one of the channels, or a constant (`X` is zero)."""

    R = 0
    G = 1
    B = 2
    A = 3
    ZERO = 4
    ONE = 5
    X = 6


IDENTITY = (Swizzle.R, Swizzle.G, Swizzle.B, Swizzle.A)


class Addressing(IntEnum):
    """The texel that is read for a coordinate outside of the image."""

    NONE = 0
    REPEAT = 1
    CLAMP = 2
    CLAMP_TO_BORDER = 3
    MIRROR = 4


ADDRESSING_WORDS = {
    "none": Addressing.NONE,
    "clamp_edge": Addressing.CLAMP,
    "clamp_border": Addressing.CLAMP_TO_BORDER,
    "repeat": Addressing.REPEAT,
    "mirror": Addressing.MIRROR,
}
"""Addressing modes by the words of ze_info, in the order of SPIR-V's numbers for them."""


class Filter(IntEnum):
    NEAREST = 0
    LINEAR = 1


FILTER_WORDS = {mode.name.lower(): mode for mode in Filter}
"""Filter modes by the words of ze_info, in the order of SPIR-V's numbers for them."""


class Border(IntEnum):
    """The value that a sampler returns outside of the image: that of a texel of zero bits, or a colour and alpha."""

    ZERO_BITS = 0
    TRANSPARENT_BLACK = 1
    OPAQUE_BLACK = 2
    OPAQUE_WHITE = 3


MAX_IMAGE_ARGUMENTS = 128
"""The images that a kernel may read, and those that it may write."""

MAX_SAMPLERS = 16
"""The most samplers of a kernel: those that it brings along, and its arguments."""

SURFACE_SIGNATURE = 0x46525358
SAMPLER_SIGNATURE = 0x504D5358
"""First dwords of the records: `XSRF` and `XSMP`."""

_SURFACE = struct.Struct("<I4B4B3IQQQ16s")
SURFACE_OFFSETS = {
    "type": 4,
    "layout": 5,
    "width": 12,
    "height": 16,
    "depth": 20,
    "base": 24,
    "row_pitch": 32,
    "slice_pitch": 40,
}
"""The offsets of fields of a surface state, in bytes."""

SURFACE_BYTES = _SURFACE.size
"""Size and alignment of a surface state in bytes."""

_SAMPLER = struct.Struct("<I4B8s")
SAMPLER_BYTES = _SAMPLER.size
"""Size and alignment of a sampler state in bytes."""

LARGEST_PITCH = 1 << 40
"""Bytes from one slice to the next, at most: keeps addresses of texels from wrapping around."""


@dataclass(frozen=True)
class SurfaceState:
    """A surface: storage from `base` on, `width` texels a row, `height` rows a slice, `depth` slices or layers.

    Pitches are in bytes. Fields may hold any number that the record has room for; `broken_rule` checks them.
    """

    type: int
    layout: int
    channel_type: int
    width: int
    height: int
    depth: int
    base: int
    row_pitch: int
    slice_pitch: int
    swizzle: tuple[int, int, int, int] = IDENTITY
    signature: int = SURFACE_SIGNATURE
    reserved: bytes = bytes(17)

    def pack(self) -> bytes:
        """Returns the record; raises `struct.error` for fields that do not fit."""
        sizes = (self.width, self.height, self.depth, self.base, self.row_pitch, self.slice_pitch)
        codes = (self.type, self.layout, self.channel_type, self.reserved[0])
        return _SURFACE.pack(self.signature, *codes, *self.swizzle, *sizes, self.reserved[1:])

    @staticmethod
    def unpack(record: bytes) -> SurfaceState:
        """Reads the `SURFACE_BYTES` bytes of a record, whatever they are."""
        signature, type, layout, channel_type, byte, *fields, reserved = _SURFACE.unpack(record)
        x, y, z, w, width, height, depth, base, row_pitch, slice_pitch = fields
        return SurfaceState(
            type,
            layout,
            channel_type,
            width,
            height,
            depth,
            base,
            row_pitch,
            slice_pitch,
            (x, y, z, w),
            signature,
            bytes([byte]) + reserved,
        )

    @property
    def extent(self) -> int:
        """Bytes from the first to the last texel's end, of a surface that keeps the rules."""
        texel = LAYOUTS[self.layout].texel_bytes
        return (self.depth - 1) * self.slice_pitch + (self.height - 1) * self.row_pitch + self.width * texel

    def broken_rule(self) -> str | None:
        """Returns the first rule that the record breaks, as text; None if it keeps all."""
        if self.signature != SURFACE_SIGNATURE:
            return f"a surface state begins with {SURFACE_SIGNATURE:#x}, not {self.signature:#x}"
        if any(self.reserved):
            return "reserved bytes of the surface state are not zero"
        if self.type not in SHAPES:
            return f"surface type {self.type} is not from 0 to {max(SHAPES)}"
        if self.layout >= len(LAYOUTS) or self.channel_type not in LAYOUTS[self.layout].types:
            return f"no texels of layout {self.layout} and channel type {self.channel_type}"
        if wrong := [number for number in self.swizzle if number > max(Swizzle)]:
            return f"swizzle {wrong[0]} is not from 0 to {max(Swizzle)}"
        texel = LAYOUTS[self.layout].texel_bytes
        width, height, depth = SHAPES[SurfaceType(self.type)].limits
        return _first_broken(
            (
                _within("surface width", self.width, 1, width),
                _within("surface height", self.height, 1, height),
                _within("surface depth", self.depth, 1, depth),
                _multiple("surface base", self.base, texel),
                _multiple("row pitch", self.row_pitch, texel),
                _multiple("slice pitch", self.slice_pitch, texel),
                _within("row pitch", self.row_pitch, self.width * texel, LARGEST_PITCH),
                _within("slice pitch", self.slice_pitch, self.height * self.row_pitch, LARGEST_PITCH),
            )
        )


@dataclass(frozen=True)
class SamplerState:
    """The state of a sampler, which maps coordinates to texels; fields may hold any number from 0 to 255."""

    addressing: int
    filter: int
    normalized: int
    border: int = Border.ZERO_BITS
    signature: int = SAMPLER_SIGNATURE
    reserved: bytes = bytes(8)

    def pack(self) -> bytes:
        """Returns the record; raises `struct.error` for fields that do not fit."""
        codes = (self.addressing, self.filter, self.normalized, self.border)
        return _SAMPLER.pack(self.signature, *codes, self.reserved)

    @staticmethod
    def unpack(record: bytes) -> SamplerState:
        """Reads the `SAMPLER_BYTES` bytes of a record, whatever they are."""
        signature, addressing, filter, normalized, border, reserved = _SAMPLER.unpack(record)
        return SamplerState(addressing, filter, normalized, border, signature, reserved)

    def broken_rule(self) -> str | None:
        """Returns the first rule that the record breaks, as text; None if it keeps all."""
        if self.signature != SAMPLER_SIGNATURE:
            return f"a sampler state begins with {SAMPLER_SIGNATURE:#x}, not {self.signature:#x}"
        if any(self.reserved):
            return "reserved bytes of the sampler state are not zero"
        return _first_broken(
            (
                _within("addressing mode", self.addressing, 0, max(Addressing)),
                _within("filter", self.filter, 0, max(Filter)),
                _within("normalized", self.normalized, 0, 1),
                _within("border", self.border, 0, max(Border)),
            )
        )


def _first_broken(rules: Iterable[tuple[bool, str]]) -> str | None:
    return next((text for holds, text in rules if not holds), None)


def _within(what: str, value: int, low: int, high: int) -> tuple[bool, str]:
    return low <= value <= high, f"{what} {value} is not from {low} to {high}"


def _multiple(what: str, value: int, factor: int) -> tuple[bool, str]:
    return value % factor == 0, f"{what} {value:#x} is no multiple of {factor}"
