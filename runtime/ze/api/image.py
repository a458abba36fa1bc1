"""Images and their views (specification: Image)."""

from __future__ import annotations

from dataclasses import replace

from runtime.ze.declaration import Chapter, api
from runtime.ze.dispatch import direct
from runtime.ze.driver.handle import live, required, unsigned
from runtime.ze.driver.images.image import Image, require_images
from runtime.ze.driver.images.planes import Plane, image_planes
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.spec.enums import ze_image_sampler_filter_flags_t
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import (
    ze_image_allocation_ext_properties_t,
    ze_image_desc_t,
    ze_image_memory_properties_exp_t,
    ze_image_properties_t,
    ze_image_view_planar_ext_desc_t,
)
from xegpu.isa.model import LAYOUTS, ChannelType


@api(
    Chapter.IMAGE, "UNSUPPORTED_FEATURE UNSUPPORTED_SIZE INVALID_ENUMERATION UNSUPPORTED_IMAGE_FORMAT", pointers="desc"
)
def zeImageGetProperties(hDevice: Device, desc: ze_image_desc_t) -> ze_image_properties_t:
    """What samplers can do with such an image; filters mix no integers. Raises unsupported image format."""
    device = live(hDevice, Device)
    required(desc, "desc", ze_image_desc_t)
    require_images(device)
    filters = ze_image_sampler_filter_flags_t.ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT
    if not ChannelType(image_planes(desc)[0].surface.channel_type).is_integer:
        filters |= ze_image_sampler_filter_flags_t.ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR
    return ze_image_properties_t(filters)


@api(
    Chapter.IMAGE,
    "DEVICE_LOST OUT_OF_DEVICE_MEMORY UNSUPPORTED_FEATURE UNSUPPORTED_SIZE INVALID_ENUMERATION "
    "UNSUPPORTED_IMAGE_FORMAT",
    pointers="desc",
)
def zeImageCreate(hContext: Context, hDevice: Device, desc: ze_image_desc_t) -> Image:
    """An image with undefined texels. Kernels see one of a media format through views of its planes.

    Raises unsupported image format; unsupported size above the limits of `zeDeviceGetImageProperties`, and for media
    formats that share texels between pixels; unsupported feature on a device without images, and for mip levels; out
    of device memory.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    required(desc, "desc", ze_image_desc_t)
    require_images(device)
    return Image(context, device, image_planes(desc))


@api(Chapter.IMAGE)
def zeImageDestroy(hImage: Image) -> None:
    """Destroy an image. The caller sees to it that no device uses it, or a view of it, any more."""
    live(hImage, Image).retire()


def _plane_of(image: Image, desc: ze_image_desc_t) -> Plane:
    """The plane that a view is of: the one that its descriptor names, or the only one."""
    if isinstance(desc.pNext, ze_image_view_planar_ext_desc_t):
        index = unsigned(desc.pNext.planeIndex, "planeIndex")
        if index >= len(image.planes):
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
                f"plane {index} of {image!r}, which has {len(image.planes)}",
            )
        return image.planes[index]
    if len(image.planes) > 1:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{image!r} has {len(image.planes)} planes, and none is named"
        )
    return image.planes[0]


@api(
    Chapter.IMAGE,
    "DEVICE_LOST OUT_OF_DEVICE_MEMORY UNSUPPORTED_FEATURE UNSUPPORTED_SIZE INVALID_ENUMERATION "
    "UNSUPPORTED_IMAGE_FORMAT",
    pointers="desc",
    since=(1, 5),
)
def zeImageViewCreateExt(hContext: Context, hDevice: Device, desc: ze_image_desc_t, hImage: Image) -> Image:
    """An image of the same texels, read in another format, or of the texels of one plane.

    `desc.pNext` may be `ze_image_view_planar_ext_desc_t`. Raises unsupported image format for texels of another size,
    and invalid argument for another shape. The view is destroyed by itself, and of no use after the image.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    image = live(hImage, Image)
    required(desc, "desc", ze_image_desc_t)
    require_images(device)
    plane = _plane_of(image, desc)
    wanted = image_planes(desc)
    new, old = wanted[0].surface, plane.surface
    if len(wanted) > 1 or LAYOUTS[new.layout].texel_bytes != LAYOUTS[old.layout].texel_bytes:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT,
            f"texels of {LAYOUTS[old.layout].text} bits are not those of {LAYOUTS[new.layout].text}",
        )
    if image.context is not context or (new.type, new.width, new.height, new.depth) != (
        old.type,
        old.width,
        old.height,
        old.depth,
    ):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"a view of {new.width} x {new.height} x {new.depth} texels of {image!r}, whose plane has "
            f"{old.width} x {old.height} x {old.depth} and is of the same context and type",
        )
    base = old.base - image.storage.address
    surface = replace(old, base=base, layout=new.layout, channel_type=new.channel_type, swizzle=new.swizzle)
    return Image(context, device, (Plane(surface),), image)


@api(
    Chapter.IMAGE,
    "DEVICE_LOST OUT_OF_DEVICE_MEMORY UNSUPPORTED_FEATURE UNSUPPORTED_SIZE INVALID_ENUMERATION "
    "UNSUPPORTED_IMAGE_FORMAT",
    pointers="desc",
    since=(1, 2),
)
def zeImageViewCreateExp(hContext: Context, hDevice: Device, desc: ze_image_desc_t, hImage: Image) -> Image:
    """As `zeImageViewCreateExt`, which has replaced it."""
    return direct(zeImageViewCreateExt)(hContext, hDevice, desc, hImage)


@api(Chapter.IMAGE, since=(1, 2))
def zeImageGetMemoryPropertiesExp(hImage: Image) -> ze_image_memory_properties_exp_t:
    """Bytes of an image, and from one row and one slice of its first plane to the next."""
    image = live(hImage, Image)
    surface = image.surface
    return ze_image_memory_properties_exp_t(image.storage.size, surface.row_pitch, surface.slice_pitch)


@api(Chapter.IMAGE, since=(1, 3))
def zeImageGetAllocPropertiesExt(hContext: Context, hImage: Image) -> ze_image_allocation_ext_properties_t:
    """The number of an image's memory, which a view has in common with its image."""
    live(hContext, Context)
    image = live(hImage, Image)
    while image.source is not None:
        image = image.source
    return ze_image_allocation_ext_properties_t(image.id)
