"""The numbers that OpenCL has for the formats of images: kernels may ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xegpu.isa.model import LAYOUTS, ChannelType, Swizzle

if TYPE_CHECKING:
    from xegpu.isa.model import SurfaceState

_C, _U, _S, _N, _F = ChannelType, ChannelType.UINT, ChannelType.SINT, ChannelType.UNORM, ChannelType.FLOAT

_DATA_TYPES: dict[tuple[tuple[int, ...], ChannelType], int] = {
    ((8,), _C.SNORM): 0x10D0,
    ((16,), _C.SNORM): 0x10D1,
    ((8,), _N): 0x10D2,
    ((16,), _N): 0x10D3,
    ((5, 6, 5), _N): 0x10D4,
    ((5, 5, 5, 1), _N): 0x10D5,
    ((8,), _S): 0x10D7,
    ((16,), _S): 0x10D8,
    ((32,), _S): 0x10D9,
    ((8,), _U): 0x10DA,
    ((16,), _U): 0x10DB,
    ((32,), _U): 0x10DC,
    ((16,), _F): 0x10DD,
    ((32,), _F): 0x10DE,
    ((10, 10, 10, 2), _N): 0x10E0,
}
"""OpenCL's numbers by the bits of channels, once if they are equal, and their type."""

_R, _G, _B, _A, _0, _1 = Swizzle.R, Swizzle.G, Swizzle.B, Swizzle.A, Swizzle.ZERO, Swizzle.ONE

_ORDERS: dict[tuple[Swizzle, ...], int] = {
    (_R, _0, _0, _1): 0x10B0,
    (_0, _0, _0, _R): 0x10B1,
    (_0, _0, _0, _A): 0x10B1,
    (_R, _G, _0, _1): 0x10B2,
    (_R, _0, _0, _G): 0x10B3,
    (_R, _0, _0, _A): 0x10B3,
    (_R, _G, _B, _1): 0x10B4,
    (_R, _G, _B, _A): 0x10B5,
    (_B, _G, _R, _A): 0x10B6,
    (_G, _B, _A, _R): 0x10B7,
    (_R, _R, _R, _R): 0x10B8,
    (_R, _R, _R, _1): 0x10B9,
    (_A, _B, _G, _R): 0x10C3,
}
"""OpenCL's numbers by the channels that are the components x, y, z and w."""

UNKNOWN = 0
"""The number of a format that OpenCL does not have."""


def channel_data_type(surface: SurfaceState) -> int:
    """Returns OpenCL's number of a channel data type, `UNKNOWN` for one that it does not have."""
    bits = LAYOUTS[surface.layout].bits
    equal = bits[:1] if len(set(bits)) == 1 else bits
    return _DATA_TYPES.get((equal, ChannelType(surface.channel_type)), UNKNOWN)


def channel_order(surface: SurfaceState) -> int:
    """Returns OpenCL's number of a channel order, `UNKNOWN` for one that it does not have."""
    channels = len(LAYOUTS[surface.layout].bits)

    def source(number: int) -> Swizzle:
        """Returns the source of a component; a channel that the layout lacks is 0, or 1 for A."""
        if number == Swizzle.X:
            return Swizzle.ZERO
        if channels <= number <= Swizzle.A:
            return Swizzle.ONE if number == Swizzle.A else Swizzle.ZERO
        return Swizzle(number)

    return _ORDERS.get(tuple(map(source, surface.swizzle)), UNKNOWN)
