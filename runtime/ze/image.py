"""Images: texels that kernels read, write and sample (specification: Image). Copies are in `image_copies`."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runtime.simulator import Allocation
from runtime.ze.context import Context
from runtime.ze.device import Device
from runtime.ze.enums import (
    ze_image_flags_t,
    ze_image_format_layout_t,
    ze_image_format_swizzle_t,
    ze_image_format_type_t,
    ze_image_sampler_filter_flags_t,
    ze_image_type_t,
)
from runtime.ze.handle import Handle, enumerator, flag_set, live, required, unsigned
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.structs import ze_image_desc_t, ze_image_format_t, ze_image_properties_t
from xegpu.isa.surfaces import LAYOUTS, SHAPES, SURFACE_BYTES, ChannelType, SurfaceState, SurfaceType

_ROW_ALIGNMENT = 64


class Image(Handle):
    """Texels in a device's memory, and the surface state that kernels find them by, at address `state`."""

    noun: ClassVar[str] = "image"

    def __init__(self, context: Context, device: Device, surface: SurfaceState) -> None:
        super().__init__(context)
        self.context = context
        self.device = device
        memory = context.machine.memory
        self._record = memory.allocate(SURFACE_BYTES, SURFACE_BYTES, "surface state", f"image #{self.id}")
        try:
            device.require_room(surface.extent)
            self._storage = memory.allocate(surface.extent, _ROW_ALIGNMENT, "image", f"image #{self.id}")
        except MemoryError as error:
            super().retire()
            memory.free(self._record)
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, f"no room for {surface.extent} bytes: {error}"
            ) from error
        with context.machine.changed:
            device.local_bytes += surface.extent
        self.surface = replace(surface, base=self._storage.address)
        self._record.view()[:] = self.surface.pack()

    @property
    def state(self) -> int:
        return self._record.address

    @property
    def properties(self) -> dict[str, int]:
        """What kernels may ask for, by the word of `.ze_info`; sizes that the type does not have are 1."""
        surface = self.surface
        layers = SHAPES[SurfaceType(surface.type)].is_array
        return {
            "image_width": surface.width,
            "image_height": surface.height,
            "image_depth": 1 if layers else surface.depth,
            "image_array_size": surface.depth if layers else 1,
        }

    @property
    def storage(self) -> Allocation:
        """The memory that holds the texels."""
        return self._storage

    @property
    def texel_bytes(self) -> int:
        return LAYOUTS[self.surface.layout].texel_bytes

    def texels(self) -> NDArray[np.uint8]:
        """The bytes in place, of shape [slices or layers, rows, texels, bytes of a texel]."""
        surface = self.surface
        shape = (surface.depth, surface.height, surface.width, self.texel_bytes)
        strides = (surface.slice_pitch, surface.row_pitch, self.texel_bytes, 1)
        whole = np.frombuffer(self._storage.view(), np.uint8)
        return np.lib.stride_tricks.as_strided(whole, shape, strides)

    def retire(self) -> None:
        super().retire()
        for allocation in (self._storage, self._record):
            self.context.machine.memory.free(allocation)
        with self.context.machine.changed:
            self.device.local_bytes -= self.surface.extent


def _channels(format: ze_image_format_t) -> tuple[int, ChannelType]:
    """Layout and channel type of a format; raises unsupported image format."""
    layout = enumerator(format.layout, ze_image_format_layout_t)
    type = ChannelType(enumerator(format.type, ze_image_format_type_t))
    if layout >= len(LAYOUTS) or type not in LAYOUTS[layout].types:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT,
            f"no images of {layout.name} with {type.name} channels",
        )
    return layout, type


def _surface(desc: ze_image_desc_t) -> SurfaceState:
    """The surface that a descriptor asks for, its base still open; raises `ZeError`."""
    required(desc, "desc")
    flag_set(desc.flags, ze_image_flags_t)
    type = SurfaceType(enumerator(desc.type, ze_image_type_t))
    layout, channel_type = _channels(desc.format)
    x, y, z, w = (
        enumerator(swizzle, ze_image_format_swizzle_t)
        for swizzle in (desc.format.x, desc.format.y, desc.format.z, desc.format.w)
    )
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
    row_pitch = -(-width * LAYOUTS[layout].texel_bytes // _ROW_ALIGNMENT) * _ROW_ALIGNMENT
    return SurfaceState(
        type, layout, channel_type, width, height, depth, 0, row_pitch, row_pitch * height, (x, y, z, w)
    )


def _require_images(device: Device) -> None:
    if not device.target.has_images:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, f"{device.target.name} has no images")


def zeImageGetProperties(hDevice: Device, desc: ze_image_desc_t) -> ze_image_properties_t:
    """What samplers can do with such an image; filters mix no integers. Raises unsupported image format."""
    device = live(hDevice, Device)
    _require_images(device)
    filters = ze_image_sampler_filter_flags_t.ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT
    if not ChannelType(_surface(desc).channel_type).is_integer:
        filters |= ze_image_sampler_filter_flags_t.ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR
    return ze_image_properties_t(filters)


def zeImageCreate(hContext: Context, hDevice: Device, desc: ze_image_desc_t) -> Image:
    """An image with undefined texels.

    Raises unsupported image format; unsupported size above the limits of `zeDeviceGetImageProperties`; unsupported
    feature on a device without images, and for mip levels; out of device memory.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    _require_images(device)
    return Image(context, device, _surface(desc))


def zeImageDestroy(hImage: Image) -> None:
    """Destroy an image. The caller sees to it that no device uses it any more."""
    live(hImage, Image).retire()


def zeContextMakeImageResident(hContext: Context, hDevice: Device, hImage: Image) -> None:
    """Keep an image on a device; simulated memory always is."""
    live(hContext, Context).device(hDevice)
    live(hImage, Image)


def zeContextEvictImage(hContext: Context, hDevice: Device, hImage: Image) -> None:
    """Let an image go from a device; simulated memory always stays."""
    live(hContext, Context).device(hDevice)
    live(hImage, Image)
