"""Conversion between the bytes of texels and components."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from xegpu.isa.model import IDENTITY, LAYOUTS, Border, ChannelType, SamplerState, SurfaceState, Swizzle, TexelLayout

Bytes = NDArray[np.uint8]
Components = NDArray[np.uint32]
"""Bits of components: shape [texels, 4]."""

_ONE = 0x3F800000
"""Bits of 1.0 as an f32."""

_HALF_EXPONENT_AND_FRACTION = 15
"""Bits of an hf without its sign."""


def decode_texels(raw: Bytes, surface: SurfaceState) -> Components:
    """Returns the components of texels, whose bytes are the rows of `raw`."""
    layout, kind = LAYOUTS[surface.layout], ChannelType(surface.channel_type)
    channels = _channels(raw, layout, kind)
    if surface.swizzle == IDENTITY and len(channels) == len(IDENTITY):
        return np.ascontiguousarray(channels.T)
    one = np.uint32(one_of(surface))
    values = {Swizzle.ZERO: np.uint32(0), Swizzle.X: np.uint32(0), Swizzle.ONE: one}
    values |= {Swizzle.R: np.uint32(0), Swizzle.G: np.uint32(0), Swizzle.B: np.uint32(0), Swizzle.A: one}
    components = np.empty((len(raw), 4), np.uint32)
    for number, name in enumerate(surface.swizzle):
        components[:, number] = values[Swizzle(name)]
        if name < len(channels):
            components[:, number] = channels[name]
    return components


def _channels(raw: Bytes, layout: TexelLayout, kind: ChannelType) -> Components:
    """Returns the value of each channel of texels: shape [channels, texels]."""
    width = layout.bits[0]
    if width % 8 == 0 and len(set(layout.bits)) == 1:
        return _read(raw.view(f"<u{width // 8}").T.astype(np.uint32), width, kind)
    words = np.zeros((len(raw), 16), np.uint8)
    words[:, : layout.texel_bytes] = raw
    numbers = range(len(layout.bits))
    return np.stack([_read(_bits(words.view("<u8"), layout, n), layout.width(n), kind) for n in numbers])


def border_texel(surface: SurfaceState, sampler: SamplerState | None) -> Components:
    """Returns the components of texels outside of the image, as one row."""
    if sampler is None or sampler.border == Border.ZERO_BITS:
        nothing: Components = decode_texels(np.zeros((1, LAYOUTS[surface.layout].texel_bytes), np.uint8), surface)[0]
        return nothing
    one = one_of(surface)
    colour = one if sampler.border == Border.OPAQUE_WHITE else 0
    alpha = 0 if sampler.border == Border.TRANSPARENT_BLACK else one
    return np.array([colour, colour, colour, alpha], np.uint32)


def one_of(surface: SurfaceState) -> int:
    """Returns the bits of a component that is one."""
    return 1 if ChannelType(surface.channel_type).is_integer else _ONE


def _bits(words: NDArray[np.uint64], layout: TexelLayout, channel: int) -> Components:
    """Returns the bits of a channel of texels, each a row of two qwords."""
    word, shift = divmod(layout.shift(channel), 64)
    mask = np.uint64((1 << layout.width(channel)) - 1)
    bits: NDArray[np.uint64] = (words[:, word] >> np.uint64(shift)) & mask
    return bits.astype(np.uint32)


def _read(bits: Components, width: int, kind: ChannelType) -> Components:
    if kind is ChannelType.UINT or width == 32:
        return bits
    if kind is ChannelType.FLOAT:
        # The 10 and 11 bit floats are the upper bits of an hf without its sign.
        halves = bits if width == 16 else bits << np.uint32(_HALF_EXPONENT_AND_FRACTION - width)
        singles = halves.astype(np.uint16).view(np.float16).astype(np.float32)
        return _canonical(singles).view(np.uint32)
    if kind is ChannelType.UNORM:
        return (bits.astype(np.float32) / np.float32((1 << width) - 1)).view(np.uint32)
    unused = np.int32(32 - width)
    signed = (bits.view(np.int32) << unused) >> unused
    if kind is ChannelType.SINT:
        return signed.view(np.uint32)
    largest = np.float32((1 << width - 1) - 1)
    return np.asarray(np.maximum(signed.astype(np.float32) / largest, np.float32(-1)), np.float32).view(np.uint32)


def _canonical(values: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.where(np.isnan(values), np.float32(np.nan), values)


def encode_texels(components: Components, surface: SurfaceState) -> Bytes:
    """Returns the bytes of texels, one row each."""
    layout, kind = LAYOUTS[surface.layout], ChannelType(surface.channel_type)
    words = np.zeros((len(components), 2), np.uint64)
    for channel, width in enumerate(layout.bits):
        if channel in surface.swizzle:
            word, shift = divmod(layout.shift(channel), 64)
            stored = _written(components[:, surface.swizzle.index(channel)].copy(), width, kind)
            words[:, word] |= stored.astype(np.uint64) << np.uint64(shift)
    return words.view(np.uint8)[:, : layout.texel_bytes]


def _written(bits: Components, width: int, kind: ChannelType) -> Components:
    mask = (1 << width) - 1
    if width == 32:
        return bits
    match kind:
        case ChannelType.UINT:
            return np.minimum(bits, np.uint32(mask))
        case ChannelType.SINT:
            limited = np.clip(bits.view(np.int32), -(1 << width - 1), mask >> 1)
            return np.asarray(limited.view(np.uint32) & np.uint32(mask), np.uint32)
        case ChannelType.FLOAT:
            return _half(bits) if width == 16 else _small_float(bits, width - 5)
    low, largest = (0.0, mask) if kind is ChannelType.UNORM else (-1.0, mask >> 1)
    values = bits.view(np.float32).astype(np.float64)
    scaled = np.rint(np.where(np.isnan(values), 0.0, np.clip(values, low, 1.0)) * largest)
    return np.asarray(scaled.astype(np.int64) & mask, np.uint32)


def _half(bits: Components) -> Components:
    with np.errstate(all="ignore"):
        halves = bits.view(np.float32).astype(np.float16)
    return np.where(np.isnan(halves), np.float16(np.nan), halves).view(np.uint16).astype(np.uint32)


def _small_float(bits: Components, fraction_bits: int) -> Components:
    """Returns the bits of unsigned floats that have the exponent of hf, rounded to nearest even."""
    values = bits.view(np.float32).astype(np.float64)
    infinity = 31 << fraction_bits
    finite = np.where(np.isfinite(values) & (values > 0), values, 0.0)
    exponent = np.maximum(np.frexp(finite)[1] - 1, -14)
    quanta = np.rint(np.ldexp(finite, fraction_bits - exponent)).astype(np.int64)
    stored = np.minimum(quanta + (exponent.astype(np.int64) + 14 << fraction_bits), infinity)
    stored = np.where(finite > 0, stored, 0)
    stored = np.where(np.isposinf(values), infinity, stored)
    return np.where(np.isnan(values), infinity | 1 << fraction_bits - 1, stored).astype(np.uint32)
