"""A model of images in plain Python: exact fractions for conversions, one lane and one texel at a time."""

from __future__ import annotations

import math
from fractions import Fraction

from xegpu.isa import DataType
from xegpu.isa.model.operands import float_bits, float_value
from xegpu.isa.model.surface_states import SamplerState, SurfaceState

_LAYOUTS = (
    (8,), (16,), (32,), (8, 8), (8, 8, 8, 8), (16, 16), (16, 16, 16, 16), (32, 32), (32, 32, 32, 32),
    (10, 10, 10, 2), (11, 11, 10), (5, 6, 5), (5, 5, 5, 1), (4, 4, 4, 4),
)  # fmt: skip
_UINT, _SINT, _UNORM, _SNORM, _FLOAT = range(5)
_AXES = ("x", "xz", "xy", "xyz", "xyz", "x")
"""The coordinates that address each surface type."""

_FILTERED = (1, 1, 2, 2, 3, 1)
_NONE, _REPEAT, _CLAMP, _BORDER, _MIRROR = range(5)
_NAN = 0x7FC00000
_ONE = 0x3F800000

Texel = tuple[int, int, int, int]


def single(value: Fraction | float) -> int:
    """Bits of the nearest f."""
    return float_bits(float(value), DataType.F)


def number(bits: int) -> float:
    """The f that bits stand for."""
    return float_value(bits, DataType.F)


def from_channel(bits: int, width: int, kind: int) -> int:
    """Bits of the component."""
    signed = bits - (1 << width) if bits >> width - 1 else bits
    if kind == _UINT or (kind == _FLOAT and width == 32):
        return bits
    if kind == _SINT:
        return signed % (1 << 32)
    if kind == _UNORM:
        return single(Fraction(bits, (1 << width) - 1))
    if kind == _SNORM:
        return single(max(Fraction(-1), Fraction(signed, (1 << width - 1) - 1)))
    fraction_bits, sign = (10, bits >> 15) if width == 16 else (width - 5, 0)
    exponent, fraction = bits >> fraction_bits & 31, bits % (1 << fraction_bits)
    if exponent == 31:
        return _NAN if fraction else 0x7F800000 | sign << 31
    significand = fraction if exponent == 0 else fraction + (1 << fraction_bits)
    return single(significand * 2.0 ** (max(exponent, 1) - 15 - fraction_bits)) | sign << 31


def to_channel(bits: int, width: int, kind: int) -> int:
    """Bits of the channel."""
    signed = bits - (1 << 32) if bits >> 31 else bits
    largest = (1 << width) - 1
    if kind == _UINT:
        return min(bits, largest)
    if kind == _SINT:
        return min(max(signed, -(1 << width - 1)), largest >> 1) & largest
    if kind == _FLOAT and width == 32:
        return bits
    value = number(bits)
    if kind in (_UNORM, _SNORM):
        if math.isnan(value):
            return 0
        low, scale = (0, largest) if kind == _UNORM else (-1, largest >> 1)
        return round(Fraction(min(max(value, low), 1)) * scale) & largest
    if width == 16:
        return 0x7E00 if math.isnan(value) else float_bits(value, DataType.HF)
    return _small(value, width - 5)


def _small(value: float, fraction_bits: int) -> int:
    """The nearest unsigned float, found among all of them; ties to the even one."""
    infinity = 31 << fraction_bits
    if math.isnan(value):
        return infinity | 1 << fraction_bits - 1
    if value <= 0:
        return 0

    def magnitude(bits: int) -> Fraction:
        """Infinity stands where the next number would."""
        exponent, fraction = bits >> fraction_bits, bits % (1 << fraction_bits)
        significand = fraction + ((1 << fraction_bits) if exponent else 0)
        return Fraction(significand) * Fraction(2) ** (max(exponent, 1) - 15 - fraction_bits)

    if value == math.inf or value >= magnitude(infinity):
        return infinity
    below = max((bits for bits in range(infinity) if magnitude(bits) <= value), default=0)
    rest, step = Fraction(value) - magnitude(below), magnitude(below + 1) - magnitude(below)
    up = rest * 2 > step or (rest * 2 == step and below % 2 == 1)
    return below + up


def decode(raw: bytes, surface: SurfaceState) -> Texel:
    """Components of a texel."""
    widths, kind = _LAYOUTS[surface.layout], surface.channel_type
    word = int.from_bytes(raw, "little")
    one = 1 if kind in (_UINT, _SINT) else _ONE
    values = [0, 0, 0, one, 0, one, 0]
    for channel, width in enumerate(widths):
        values[channel] = from_channel(word % (1 << width), width, kind)
        word >>= width
    x, y, z, w = (values[name] for name in surface.swizzle)
    return x, y, z, w


def encode(components: Texel, surface: SurfaceState) -> bytes:
    """Bytes of a texel."""
    widths, kind = _LAYOUTS[surface.layout], surface.channel_type
    word = shift = 0
    for channel, width in enumerate(widths):
        if channel in surface.swizzle:
            word |= to_channel(components[surface.swizzle.index(channel)], width, kind) << shift
        shift += width
    return word.to_bytes(shift // 8, "little")


class ImageModel:
    """An image whose storage is `data`; its base is the first byte."""

    def __init__(self, surface: SurfaceState, data: bytes):
        self.surface = surface
        self.data = bytearray(data)
        self._texel = sum(_LAYOUTS[surface.layout]) // 8

    def place(self, coordinates: tuple[int, int, int, int]) -> int | None:
        """Returns the address of the texel at signed integer coordinates, None outside the surface."""
        u, v, r, level = coordinates
        given = dict(zip(_AXES[self.surface.type], (u, v, r), strict=False))
        return None if level else self._place(given.get("x", 0), given.get("y", 0), given.get("z", 0))

    def _place(self, x: int, y: int, z: int) -> int | None:
        surface = self.surface
        if not (0 <= x < surface.width and 0 <= y < surface.height and 0 <= z < surface.depth):
            return None
        return x * self._texel + y * surface.row_pitch + z * surface.slice_pitch

    def read(self, coordinates: tuple[int, int, int, int]) -> Texel:
        return self._texel_at(self.place(coordinates))

    def _texel_at(self, place: int | None) -> Texel:
        raw = bytes(self._texel) if place is None else bytes(self.data[place : place + self._texel])
        return decode(raw, self.surface)

    def write(self, coordinates: tuple[int, int, int, int], components: Texel) -> None:
        place = self.place(coordinates)
        if place is not None:
            self.data[place : place + self._texel] = encode(components, self.surface)

    # Sampling.

    def sample(self, coordinates: tuple[float, float, float], sampler: SamplerState) -> Texel:
        """Components at float coordinates."""
        surface = self.surface
        sizes = dict(zip("xyz", (surface.width, surface.height, surface.depth), strict=True))
        linear = sampler.filter == 1 and surface.channel_type not in (_UINT, _SINT)
        choices: dict[str, list[tuple[int, float]]] = {}
        weights: dict[str, float] = {}
        for number, axis in enumerate(_AXES[surface.type]):
            s, size = coordinates[number], sizes[axis]
            if number >= _FILTERED[surface.type]:
                layer = 0 if math.isnan(s) else round(min(max(s, 0.0), float(size - 1)))
                choices[axis] = [(layer, 1.0)]
                continue
            u = _texel_coordinate(s, size, sampler)
            moved = _round(u - 0.5) if linear else u
            first = math.floor(moved)
            choices[axis] = [(self._wrap(first, size, sampler), 0.0)]
            if linear:
                choices[axis].append((self._wrap(first + 1, size, sampler), 0.0))
                weights[axis] = _round(moved - first)
        return self._mix("xyz", choices, weights, {}, sampler)

    def _mix(
        self,
        axes: str,
        choices: dict[str, list[tuple[int, float]]],
        weights: dict[str, float],
        chosen: dict[str, int],
        sampler: SamplerState,
    ) -> Texel:
        if not axes:
            place = self._place(chosen.get("x", 0), chosen.get("y", 0), chosen.get("z", 0))
            return self._border(sampler) if place is None and sampler.border else self._texel_at(place)
        before, axis = axes[:-1], axes[-1]
        found = [
            self._mix(before, choices, weights, chosen | {axis: index}, sampler)
            for index, _ in choices.get(axis, [(0, 0.0)])
        ]
        if len(found) == 1:
            return found[0]
        x, y, z, w = (_lerp(p, q, weights[axis]) for p, q in zip(*found, strict=True))
        return x, y, z, w

    def _border(self, sampler: SamplerState) -> Texel:
        one = 1 if self.surface.channel_type in (_UINT, _SINT) else _ONE
        colour = one if sampler.border == 3 else 0
        return colour, colour, colour, 0 if sampler.border == 1 else one

    def _wrap(self, index: int, size: int, sampler: SamplerState) -> int:
        if sampler.addressing == _REPEAT:
            return index % size
        if sampler.addressing == _MIRROR:
            folded = index % (2 * size)
            return folded if folded < size else 2 * size - 1 - folded
        return min(max(index, 0), size - 1) if sampler.addressing == _CLAMP else index


def _texel_coordinate(s: float, size: int, sampler: SamplerState) -> float:
    if sampler.normalized and math.isfinite(s):
        if sampler.addressing == _REPEAT:
            s = _round(s - math.floor(s))
        elif sampler.addressing == _MIRROR:
            s = _round(s - 2.0 * math.floor(_round(s * 0.5)))
        s = _round(s * size)
    elif sampler.normalized and sampler.addressing in (_REPEAT, _MIRROR):
        s = math.nan
    return 0.0 if math.isnan(s) else min(max(s, -(2.0**30)), 2.0**30)


def _round(value: float) -> float:
    """To f; once more after f64, which changes nothing for one operation on f."""
    return number(single(value))


def _lerp(p: int, q: int, weight: float) -> int:
    first, second = number(p), number(q)
    difference = _round(second - first)
    result = first + _round(weight * difference)
    return _NAN if math.isnan(result) else single(result)
