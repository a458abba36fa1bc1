"""Formats of images: the planes of texels that they consist of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from runtime.ze.driver.handle import enumerator, required, unsigned
from runtime.ze.spec.enums import (
    ze_image_format_layout_t,
    ze_image_format_swizzle_t,
    ze_image_format_type_t,
    ze_image_type_t,
)
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import ze_image_desc_t, ze_image_format_t
from xegpu.isa.model import IDENTITY, LAYOUTS, SHAPES, ChannelType, SurfaceState, SurfaceType
from xegpu.on_demand import dataclass

ROW_ALIGNMENT = 64


@dataclass(frozen=True)
class _PlaneFormat:
    """A plane of plain texels, each of which stands for `across` by `down` pixels of the image."""

    layout: ze_image_format_layout_t
    across: int = 1
    down: int = 1


_L = ze_image_format_layout_t

_8 = _PlaneFormat(_L.ZE_IMAGE_FORMAT_LAYOUT_8)

_16 = _PlaneFormat(_L.ZE_IMAGE_FORMAT_LAYOUT_16)

_BIPLANAR_8 = (_8, _PlaneFormat(_L.ZE_IMAGE_FORMAT_LAYOUT_8_8, 2, 2))

_BIPLANAR_16 = (_16, _PlaneFormat(_L.ZE_IMAGE_FORMAT_LAYOUT_16_16, 2, 2))

_PAIRS_8 = (_PlaneFormat(_L.ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, 2),)

_PAIRS_16 = (_PlaneFormat(_L.ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16, 2),)

_QUARTER = _PlaneFormat(_L.ZE_IMAGE_FORMAT_LAYOUT_8, 2, 2)

_MEDIA: Mapping[ze_image_format_layout_t, tuple[_PlaneFormat, ...]] = {
    _L.ZE_IMAGE_FORMAT_LAYOUT_Y8: (_8,),
    _L.ZE_IMAGE_FORMAT_LAYOUT_Y16: (_16,),
    _L.ZE_IMAGE_FORMAT_LAYOUT_400P: (_8,),
    _L.ZE_IMAGE_FORMAT_LAYOUT_NV12: _BIPLANAR_8,
    _L.ZE_IMAGE_FORMAT_LAYOUT_P010: _BIPLANAR_16,
    _L.ZE_IMAGE_FORMAT_LAYOUT_P012: _BIPLANAR_16,
    _L.ZE_IMAGE_FORMAT_LAYOUT_P016: _BIPLANAR_16,
    _L.ZE_IMAGE_FORMAT_LAYOUT_P216: (_16, _PlaneFormat(_L.ZE_IMAGE_FORMAT_LAYOUT_16_16, 2)),
    _L.ZE_IMAGE_FORMAT_LAYOUT_YUYV: _PAIRS_8,
    _L.ZE_IMAGE_FORMAT_LAYOUT_VYUY: _PAIRS_8,
    _L.ZE_IMAGE_FORMAT_LAYOUT_YVYU: _PAIRS_8,
    _L.ZE_IMAGE_FORMAT_LAYOUT_UYVY: _PAIRS_8,
    _L.ZE_IMAGE_FORMAT_LAYOUT_YUY2: _PAIRS_8,
    _L.ZE_IMAGE_FORMAT_LAYOUT_Y210: _PAIRS_16,
    _L.ZE_IMAGE_FORMAT_LAYOUT_Y216: _PAIRS_16,
    _L.ZE_IMAGE_FORMAT_LAYOUT_AYUV: (_PlaneFormat(_L.ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8),),
    _L.ZE_IMAGE_FORMAT_LAYOUT_Y410: (_PlaneFormat(_L.ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2),),
    _L.ZE_IMAGE_FORMAT_LAYOUT_Y416: (_PlaneFormat(_L.ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16),),
    _L.ZE_IMAGE_FORMAT_LAYOUT_I420: (_8, _QUARTER, _QUARTER),
    _L.ZE_IMAGE_FORMAT_LAYOUT_YV12: (_8, _QUARTER, _QUARTER),
    _L.ZE_IMAGE_FORMAT_LAYOUT_422H: (_8, replace(_8, across=2), replace(_8, across=2)),
    _L.ZE_IMAGE_FORMAT_LAYOUT_422V: (_8, replace(_8, down=2), replace(_8, down=2)),
    _L.ZE_IMAGE_FORMAT_LAYOUT_444P: (_8, _8, _8),
    _L.ZE_IMAGE_FORMAT_LAYOUT_RGBP: (_8, _8, _8),
    _L.ZE_IMAGE_FORMAT_LAYOUT_BRGP: (_8, _8, _8),
}
"""The planes of media layouts."""


@dataclass(frozen=True)
class Plane:
    """A plane of an image, whose texels stand for `across` by `down` pixels each.

    The base of its surface state counts from the beginning of the image.
    """

    surface: SurfaceState
    across: int = 1
    down: int = 1

    @property
    def is_plain(self) -> bool:
        """True if a texel is a pixel."""
        return self.across == self.down == 1


def _planes_of(layout: ze_image_format_layout_t, kind: ChannelType) -> tuple[_PlaneFormat, ...]:
    """Returns the planes of a format; raises `UNSUPPORTED_IMAGE_FORMAT`."""
    planes = _MEDIA.get(layout, (_PlaneFormat(layout),))
    if any(plane.layout >= len(LAYOUTS) or kind not in LAYOUTS[plane.layout].types for plane in planes):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT,
            f"no images of {layout.name} with {kind.name} channels",
        )
    return planes


def _sizes(desc: ze_image_desc_t, type: SurfaceType) -> tuple[int, int, int]:
    """Returns width, height, and depth or layers, 1 where the type has none. Raises `UNSUPPORTED_SIZE`."""
    if unsigned(desc.miplevels, "miplevels") > 1:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, f"{desc.miplevels} mip levels, images have one")
    shape = SHAPES[type]
    given = (
        unsigned(desc.width, "width", 64),
        unsigned(desc.height, "height"),
        unsigned(desc.arraylevels, "arraylevels") if shape.is_array else unsigned(desc.depth, "depth"),
    )
    width, height, depth = (1 if axis is None else max(size, 1) for axis, size in zip(shape.axes, given, strict=True))
    for size, limit in zip((width, height, depth), shape.limits, strict=True):
        if size > limit:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_SIZE, f"{type.name} of {given} texels, at most {shape.limits}"
            )
    return width, height, depth


def _channels(format: ze_image_format_t) -> tuple[ChannelType, tuple[int, int, int, int]]:
    """Returns the type of the channels, and the channel of each component."""
    kind = ChannelType(enumerator(format.type, ze_image_format_type_t))
    x, y, z, w = (enumerator(each, ze_image_format_swizzle_t) for each in (format.x, format.y, format.z, format.w))
    return kind, (x, y, z, w)


def image_planes(desc: ze_image_desc_t) -> tuple[Plane, ...]:
    """Returns the planes that a descriptor asks for, one behind the other from byte 0 on.

    Media layouts say everything about their channels: the type and the swizzle of the format are ignored.

    Raises:
        ZeError: as `zeImageCreate`.
    """
    required(desc, "desc")
    type = SurfaceType(enumerator(desc.type, ze_image_type_t))
    layout = enumerator(desc.format.layout, ze_image_format_layout_t)
    kind, swizzle = (ChannelType.UNORM, IDENTITY) if layout in _MEDIA else _channels(desc.format)
    planes = _planes_of(layout, kind)
    width, height, depth = _sizes(desc, type)
    if layout in _MEDIA and type is not SurfaceType.IMAGE_2D:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, f"{layout.name} is of 2D images, not of {type.name}"
        )
    found, base = [], 0
    for plane in planes:
        if width % plane.across or height % plane.down:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_SIZE,
                f"{width} x {height} pixels of {layout.name}, expected multiples of {plane.across} and {plane.down}",
            )
        columns, rows = width // plane.across, height // plane.down
        pitch = -(-columns * LAYOUTS[plane.layout].texel_bytes // ROW_ALIGNMENT) * ROW_ALIGNMENT
        surface = SurfaceState(type, plane.layout, kind, columns, rows, depth, base, pitch, pitch * rows, swizzle)
        found.append(Plane(surface, plane.across, plane.down))
        base += pitch * rows * depth
    return tuple(found)
