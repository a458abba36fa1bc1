"""Boxes of texels, in images and in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from runtime.ze.driver.execution.command_list import CommandList
from runtime.ze.driver.handle import live, unsigned
from runtime.ze.driver.images.image import Image
from runtime.ze.driver.images.planes import Plane
from runtime.ze.driver.memory.operands import Operand, operand_bytes
from runtime.ze.driver.system.processor import CommandFault
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import ze_image_region_t
from xegpu.isa.model import LAYOUTS, SHAPES, SurfaceType
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Texels: TypeAlias = "NDArray[np.uint8]"

TexelBox = tuple[slice, slice, slice]
"""The slices or layers, rows and texels of a box."""


def texel_box(image: Image, region: ze_image_region_t | None, name: str) -> TexelBox:
    """Returns the box of pixels that a region names; the whole image for None.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a region that is not inside the image, or cuts texels that stand for several
            pixels.
    """
    plane = image.planes[0]
    surface = plane.surface
    sizes = (surface.width * plane.across, surface.height * plane.down, surface.depth)
    if region is None:
        x, y, z = (slice(0, size) for size in sizes)
        return z, y, x
    origins = (region.originX, region.originY, region.originZ)
    extents = (region.width, region.height, region.depth)
    axes = SHAPES[SurfaceType(surface.type)].axes
    inside = all(
        (unsigned(origin, name), unsigned(extent, name)) == (0, 1)
        for number, (origin, extent) in enumerate(zip(origins, extents, strict=True))
        if number not in axes
    )
    found = []
    for axis, size in zip(axes, sizes, strict=True):
        first, count = (0, 1) if axis is None else (origins[axis], extents[axis])
        inside = inside and first + unsigned(count, name) <= size and unsigned(first, name) < size
        found.append(slice(first, first + count))
    x, y, z = found
    coarse = max(plane.across for plane in image.planes), max(plane.down for plane in image.planes)
    if not inside or any(
        edge % step for part, step in ((x, coarse[0]), (y, coarse[1])) for edge in (part.start, part.stop)
    ):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{name}: {extents} texels from {origins} on leave {image!r} of {sizes}, or cut its texels",
        )
    return z, y, x


def _part(plane: Plane, box: TexelBox) -> TexelBox:
    """Returns the texels of a plane that stand for the pixels of a box."""
    z, y, x = box
    rows = slice(y.start // plane.down, y.stop // plane.down)
    return z, rows, slice(x.start // plane.across, x.stop // plane.across)


def box_size(box: TexelBox) -> tuple[int, int, int]:
    """Returns the slices or layers, rows and texels of a box."""
    z, y, x = (part.stop - part.start for part in box)
    return z, y, x


def image_of_list(command_list: CommandList, image: Image | None) -> Image:
    """Returns a live image if it belongs to the list's driver; raises `INVALID_ARGUMENT` otherwise."""
    found = live(image, Image)
    if not command_list.context.takes_from(found.context):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{found!r} belongs to another driver")
    found.require_usable()
    return found


def texels_of(image: Image, box: TexelBox) -> list[_Texels]:
    """Returns the texels of a box in each plane, when the command runs: the image may have been destroyed since."""
    if not image.has_texels:
        raise CommandFault(f"image copy: {image!r} was destroyed before it ran")
    return [image.texels(number)[_part(plane, box)] for number, plane in enumerate(image.planes)]


def copy_texels(target: Sequence[_Texels], source: Sequence[_Texels]) -> None:
    """Copies the texels of all planes."""
    for to, from_ in zip(target, source, strict=True):
        np.copyto(to, from_)


def format_of(image: Image) -> list[tuple[int, int, int, int]]:
    """Returns the properties that images must share to be copied: layout, type and pixels per texel of each plane."""
    surfaces = [(plane.surface, plane) for plane in image.planes]
    return [(surface.layout, surface.channel_type, plane.across, plane.down) for surface, plane in surfaces]


def texels_in_memory(
    command_list: CommandList,
    operand: Operand,
    image: Image,
    box: TexelBox,
    pitches: tuple[int, int],
    name: str,
    *,
    writes: bool,
) -> Callable[[], list[_Texels]]:
    """Returns a function that returns the texels of a box in memory when the command runs, one plane after the other.

    Args:
        command_list: The list whose context addresses belong to.
        operand: The memory.
        image: The image whose box is copied.
        box: The box, in pixels.
        pitches: The row and the slice pitch in bytes; 0 for no gap.
        name: The parameter that the operand comes from.
        writes: True if the command writes the memory.

    Raises:
        ZeError: `INVALID_ARGUMENT` for pitches that are too small or given for several planes, or memory that is
            too small.
    """
    if any(pitches) and len(image.planes) > 1:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"pitches are for images of one plane, {image!r} has several"
        )
    places, start = [], 0
    for plane in image.planes:
        slices, rows, columns = box_size(_part(plane, box))
        texel = LAYOUTS[plane.surface.layout].texel_bytes
        row = unsigned(pitches[0], "row pitch") or columns * texel
        slice_ = unsigned(pitches[1], "slice pitch") or rows * row
        if row < columns * texel or slice_ < rows * row:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
                f"pitches of {row} and {slice_} bytes for {rows} rows of {columns * texel} bytes",
            )
        size = (slices - 1) * slice_ + (rows - 1) * row + columns * texel if slices * rows * columns else 0
        places.append((start, start + size, (slices, rows, columns, texel), (slice_, row, texel, 1)))
        start += size
    data = operand_bytes(command_list.context, operand, start, name, writes)

    def planes() -> list[_Texels]:
        whole = data()
        return [
            np.lib.stride_tricks.as_strided(whole[first:end], shape, strides) for first, end, shape, strides in places
        ]

    return planes
