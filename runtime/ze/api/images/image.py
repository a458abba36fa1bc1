"""Images and their views (specification: Image)."""

from __future__ import annotations

from dataclasses import replace

from runtime.ze.api.memory.elsewhere import refuse_elsewhere
from runtime.ze.conversion import chained
from runtime.ze.declaration import Chapter, api
from runtime.ze.dispatch import direct
from runtime.ze.driver.handle import live, required, unsigned
from runtime.ze.driver.images.image import Image, require_images
from runtime.ze.driver.images.planes import Plane, image_planes
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.ending import destroy
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
    """Returns the filters that samplers support for such an image; linear filters do not support integers.

    Raises:
        ZeError: as `zeImageCreate`.
    """
    device = live(hDevice, Device)
    required(desc, "desc")
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
    """Creates an image with undefined texels. Kernels see an image of a media format through views of its planes.

    Raises:
        ZeError: `UNSUPPORTED_IMAGE_FORMAT`; `UNSUPPORTED_SIZE` above the limits of `zeDeviceGetImageProperties`,
            and for media formats whose texels stand for several pixels; `UNSUPPORTED_FEATURE` on a device without
            images, and for mip levels; `OUT_OF_DEVICE_MEMORY`.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    required(desc, "desc")
    require_images(device)
    refuse_elsewhere(desc.pNext)
    return Image(context, device, image_planes(desc))


@api(Chapter.IMAGE)
def zeImageDestroy(hImage: Image) -> None:
    """Destroys an image. The caller must ensure that no device still uses it or a view of it."""
    destroy(hImage, Image)


def _plane_of(image: Image, desc: ze_image_desc_t) -> Plane:
    """Returns the plane that a view is for: the one that its descriptor names, or the only one."""
    planar = chained(desc.pNext, ze_image_view_planar_ext_desc_t)
    if planar is not None:
        index = unsigned(planar.planeIndex, "planeIndex")
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
    """Creates an image that shares the texels of another one, in another format, or the texels of one of its planes.

    `desc.pNext` may have `ze_image_view_planar_ext_desc_t`. A view must be destroyed too, and cannot be used after its
    image.

    Raises:
        ZeError: `UNSUPPORTED_IMAGE_FORMAT` for texels of another size, and `INVALID_ARGUMENT` for another shape.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    image = live(hImage, Image)
    image.require_usable()
    required(desc, "desc")
    require_images(device)
    refuse_elsewhere(desc.pNext)
    plane = _plane_of(image, desc)
    wanted = image_planes(desc)
    new, old = wanted[0].surface, plane.surface
    if len(wanted) > 1 or LAYOUTS[new.layout].texel_bytes != LAYOUTS[old.layout].texel_bytes:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT,
            f"texels of {LAYOUTS[old.layout].text} bits are not those of {LAYOUTS[new.layout].text}",
        )
    if not context.takes_from(image.context) or (new.type, new.width, new.height, new.depth) != (
        old.type,
        old.width,
        old.height,
        old.depth,
    ):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"a view of {new.width} x {new.height} x {new.depth} texels of {image!r}, whose plane has "
            f"{old.width} x {old.height} x {old.depth}: a view has the size, the type and the driver of its image",
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
    """Does what `zeImageViewCreateExt` does, which has replaced it."""
    return direct(zeImageViewCreateExt)(hContext, hDevice, desc, hImage)


@api(Chapter.IMAGE, since=(1, 2))
def zeImageGetMemoryPropertiesExp(hImage: Image) -> ze_image_memory_properties_exp_t:
    """Returns the size of an image, and the row and slice pitch of its first plane, in bytes."""
    image = live(hImage, Image)
    surface = image.surface
    return ze_image_memory_properties_exp_t(image.storage.size, surface.row_pitch, surface.slice_pitch)


@api(Chapter.IMAGE, since=(1, 3))
def zeImageGetAllocPropertiesExt(hContext: Context, hImage: Image) -> ze_image_allocation_ext_properties_t:
    """Returns the number of an image's memory, which a view shares with its image."""
    live(hContext, Context)
    image = live(hImage, Image)
    while image.source is not None:
        image = image.source
    return ze_image_allocation_ext_properties_t(image.id)
