"""Copies, fills and hints, of memory and of images (specification: Memory Copies and Hints)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from runtime.ze.declaration import AT_LEAST_ONE, Chapter, api
from runtime.ze.dispatch import direct
from runtime.ze.driver.execution.command_list import CommandList
from runtime.ze.driver.execution.commands import do_nothing, uses_operands
from runtime.ze.driver.execution.event import Event
from runtime.ze.driver.execution.image_copies import (
    box_size,
    copy_texels,
    format_of,
    image_of_list,
    texel_box,
    texels_in_memory,
    texels_of,
)
from runtime.ze.driver.execution.metering import metered
from runtime.ze.driver.handle import enumerator, live, pointer, required, unsigned
from runtime.ze.driver.images.image import Image
from runtime.ze.driver.memory.boxes import box_rows, byte_box, distance_between
from runtime.ze.driver.memory.operands import Operand, fill_bytes, initialized_bytes, no_bytes, operand_bytes
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.spec.enums import ze_memory_advice_t
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import ze_copy_region_t, ze_image_region_t
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import numpy as np


@api(
    Chapter.COPY,
    "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT",
    pointers="dstptr srcptr",
    memory="dstptr[size] srcptr[size]",
)
def zeCommandListAppendMemoryCopy(
    hCommandList: CommandList,
    dstptr: Operand,
    srcptr: Operand,
    size: int,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a copy of `size` bytes, which are read when the command runs.

    The ranges may overlap. An empty copy still signals its event.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a range that is not inside one allocation of the context or one host buffer.
    """
    command_list = live(hCommandList, CommandList)
    _append_copy(command_list, dstptr, command_list.context, srcptr, size, hSignalEvent, phWaitEvents)


def _append_copy(
    command_list: CommandList,
    dstptr: Operand,
    source_context: Context,
    srcptr: Operand,
    size: int,
    hSignalEvent: Event | None,
    phWaitEvents: Sequence[Event] | None,
) -> None:
    """Appends a copy from memory of `source_context`, and copies which bytes are initialized for
    `--check=uninitialized`.
    """
    required(dstptr, "dstptr")
    required(srcptr, "srcptr")
    if size < 0:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"{size} bytes to copy")
    context = command_list.context
    target = operand_bytes(context, dstptr, size, "dstptr", writes=True) if size else no_bytes
    source = operand_bytes(source_context, srcptr, size, "srcptr", writes=False) if size else no_bytes

    def copy() -> None:
        known = initialized_bytes(source_context, srcptr, size)
        known = None if known is None else known.copy()
        np.copyto(target(), source())
        written = initialized_bytes(context, dstptr, size)
        if known is not None and written is not None:
            written[:] = known

    command_list.append(
        metered(command_list, copy, size, dstptr, srcptr), hSignalEvent, phWaitEvents, uses_operands(dstptr, srcptr)
    )


@api(
    Chapter.COPY,
    "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT",
    pointers="ptr pattern",
    memory="ptr[size]",
    rules={"pattern_size": AT_LEAST_ONE},
)
def zeCommandListAppendMemoryFill(
    hCommandList: CommandList,
    ptr: int,
    pattern: bytes,
    pattern_size: int,
    size: int,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a fill of `size` bytes with repetitions of `pattern`, which is read now.

    An empty fill still signals its event. The last repetition is cut where `size` is not a multiple of the pattern's.

    Raises:
        ZeError: `INVALID_SIZE` if the pattern's size in bytes is not a power of two or exceeds what the queue group
            can take.
    """
    command_list = live(hCommandList, CommandList)
    required(pattern, "pattern")
    limit = command_list.device.queue_groups[command_list.ordinal].maxMemoryFillPatternSize
    if not 0 < pattern_size <= min(limit, len(pattern)) or pattern_size & (pattern_size - 1):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE,
            f"a pattern of {pattern_size} bytes, expected a power of two up to {min(limit, len(pattern))}",
        )
    unsigned(size, "size", 64)
    pointer(ptr, "ptr")
    target = operand_bytes(command_list.context, ptr, size, "ptr", writes=True) if size else no_bytes
    value = pattern[:pattern_size]
    fill = metered(command_list, lambda: fill_bytes(target(), value), size, ptr, None)
    command_list.append(fill, hSignalEvent, phWaitEvents, uses_operands(ptr))


@api(
    Chapter.COPY,
    "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT OVERLAPPING_REGIONS",
    pointers="dstptr dstRegion srcptr srcRegion",
    memory="dstptr[1] srcptr[1]",
)
def zeCommandListAppendMemoryCopyRegion(
    hCommandList: CommandList,
    dstptr: Operand,
    dstRegion: ze_copy_region_t,
    dstPitch: int,
    dstSlicePitch: int,
    srcptr: Operand,
    srcRegion: ze_copy_region_t,
    srcPitch: int,
    srcSlicePitch: int,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a copy of a box of bytes, whose rows and slices are a pitch in bytes apart.

    A depth of 0 means one slice. An empty region still signals its event.

    Raises:
        ZeError: `INVALID_ARGUMENT` for regions of different sizes or memory that is too small, `INVALID_SIZE` for
            pitches that are too small, and `OVERLAPPING_REGIONS` for boxes that share bytes.
    """
    command_list = live(hCommandList, CommandList)
    required(dstptr, "dstptr")
    required(dstRegion, "dstRegion")
    required(srcptr, "srcptr")
    required(srcRegion, "srcRegion")
    to = byte_box(dstRegion, dstPitch, dstSlicePitch, "dstRegion")
    from_ = byte_box(srcRegion, srcPitch, srcSlicePitch, "srcRegion")
    if to.extent != from_.extent:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{from_.extent} bytes do not fit the region of {to.extent}"
        )
    if not (to.width and to.height):
        command_list.append(do_nothing, hSignalEvent, phWaitEvents)
        return
    distance = distance_between(dstptr, srcptr)
    if distance is not None and to.overlaps(from_, distance):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_OVERLAPPING_REGIONS, f"the regions of {to.extent} bytes share bytes")
    context = command_list.context
    target = box_rows(operand_bytes(context, dstptr, to.end, "dstptr", writes=True), to)
    source = box_rows(operand_bytes(context, srcptr, from_.end, "srcptr", writes=False), from_)
    uses = uses_operands(dstptr, srcptr)
    copy = metered(command_list, lambda: np.copyto(target(), source()), prod(to.extent), dstptr, srcptr)
    command_list.append(copy, hSignalEvent, phWaitEvents, uses)


@api(
    Chapter.COPY,
    "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT",
    pointers="dstptr srcptr",
    seed=None,
    memory="dstptr[size] srcptr[size]",
)
def zeCommandListAppendMemoryCopyFromContext(
    hCommandList: CommandList,
    dstptr: Operand,
    hContextSrc: Context | None,
    srcptr: Operand,
    size: int,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a copy from memory of another context of the same driver; of the list's without `hContextSrc`."""
    command_list = live(hCommandList, CommandList)
    source_context = command_list.context if hContextSrc is None else live(hContextSrc, Context)
    if source_context.machine is not command_list.context.machine:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{source_context!r} is of another driver")
    _append_copy(command_list, dstptr, source_context, srcptr, size, hSignalEvent, phWaitEvents)


def _check_range(command_list: CommandList, ptr: int, size: int) -> None:
    usm = command_list.context.usm(pointer(ptr, "ptr"))
    if usm is None or ptr + unsigned(size, "size", 64) > usm.allocation.address + usm.size:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{size} bytes at {ptr:#x} are not inside one allocation of {command_list.context!r}",
        )


@api(Chapter.COPY, pointers="ptr", memory="ptr[size]")
def zeCommandListAppendMemoryPrefetch(hCommandList: CommandList, ptr: int, size: int) -> None:
    """Appends a prefetch of shared memory to the list's device: only the validation layer asks for it.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a range that is not inside one allocation of the context.
    """
    command_list = live(hCommandList, CommandList)
    _check_range(command_list, ptr, size)
    command_list.append(do_nothing)


@api(
    Chapter.COPY,
    "DEVICE_LOST INVALID_ENUMERATION",
    pointers="ptr",
    memory="ptr[size]",
    inexpressible="UNSUPPORTED_ENUMERATION: every device takes every advice",
)
def zeCommandListAppendMemAdvise(hCommandList: CommandList, hDevice: Device, ptr: int, size: int, advice: int) -> None:
    """Appends advice on how a device will use shared memory: only the validation layer asks for it.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a range that is not inside one allocation of the context.
    """
    command_list = live(hCommandList, CommandList)
    device = live(hDevice, Device)
    pointer(ptr, "ptr")
    enumerator(advice, ze_memory_advice_t)
    command_list.context.device(device)
    _check_range(command_list, ptr, size)
    command_list.append(do_nothing)


@api(Chapter.COPY, "INVALID_SYNCHRONIZATION_OBJECT OVERLAPPING_REGIONS")
def zeCommandListAppendImageCopy(
    hCommandList: CommandList,
    hDstImage: Image,
    hSrcImage: Image,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a copy of a whole image to another one of the same size and format.

    Raises:
        ZeError: `INVALID_ARGUMENT` for images that differ in size or format.
    """
    direct(zeCommandListAppendImageCopyRegion)(
        hCommandList, hDstImage, hSrcImage, None, None, hSignalEvent, phWaitEvents
    )


@api(Chapter.COPY, "INVALID_SYNCHRONIZATION_OBJECT OVERLAPPING_REGIONS")
def zeCommandListAppendImageCopyRegion(
    hCommandList: CommandList,
    hDstImage: Image,
    hSrcImage: Image,
    pDstRegion: ze_image_region_t | None = None,
    pSrcRegion: ze_image_region_t | None = None,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a copy of a box of texels between images of the same format.

    Raises:
        ZeError: `INVALID_ARGUMENT` for regions that differ in size or are not inside their image, and
            `OVERLAPPING_REGIONS` within one image or its views.
    """
    command_list = live(hCommandList, CommandList)
    target, source = image_of_list(command_list, hDstImage), image_of_list(command_list, hSrcImage)
    to, from_ = texel_box(target, pDstRegion, "pDstRegion"), texel_box(source, pSrcRegion, "pSrcRegion")
    formats = [format_of(image) for image in (target, source)]
    if formats[0] != formats[1] or box_size(to) != box_size(from_):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{box_size(from_)[::-1]} texels of layout and type {formats[1]} do not fit "
            f"{box_size(to)[::-1]} of {formats[0]}",
        )
    apart = any(a.stop <= b.start or b.stop <= a.start for a, b in zip(to, from_, strict=True))
    if target.surface.base == source.surface.base and not apart:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_OVERLAPPING_REGIONS, f"the regions of {target!r} and {source!r} overlap"
        )
    command_list.append(
        lambda: copy_texels(texels_of(target, to), texels_of(source, from_)),
        hSignalEvent,
        phWaitEvents,
        uses_operands(*target.addresses, *source.addresses),
    )


@api(Chapter.COPY, "INVALID_SYNCHRONIZATION_OBJECT", pointers="dstptr", memory="dstptr[1]")
def zeCommandListAppendImageCopyToMemory(
    hCommandList: CommandList,
    dstptr: Operand,
    hSrcImage: Image,
    pSrcRegion: ze_image_region_t | None = None,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a copy of a box of texels to consecutive bytes of memory."""
    direct(zeCommandListAppendImageCopyToMemoryExt)(
        hCommandList, dstptr, hSrcImage, pSrcRegion, 0, 0, hSignalEvent, phWaitEvents
    )


@api(Chapter.COPY, "INVALID_SYNCHRONIZATION_OBJECT", pointers="srcptr", memory="srcptr[1]")
def zeCommandListAppendImageCopyFromMemory(
    hCommandList: CommandList,
    hDstImage: Image,
    srcptr: Operand,
    pDstRegion: ze_image_region_t | None = None,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a copy from consecutive bytes of memory to a box of an image's texels."""
    direct(zeCommandListAppendImageCopyFromMemoryExt)(
        hCommandList, hDstImage, srcptr, pDstRegion, 0, 0, hSignalEvent, phWaitEvents
    )


@api(Chapter.COPY, "INVALID_SYNCHRONIZATION_OBJECT", pointers="dstptr", since=(1, 3), memory="dstptr[1]")
def zeCommandListAppendImageCopyToMemoryExt(
    hCommandList: CommandList,
    dstptr: Operand,
    hSrcImage: Image,
    pSrcRegion: ze_image_region_t | None,
    destRowPitch: int,
    destSlicePitch: int,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a copy of a box of texels to memory whose rows and slices are a pitch in bytes apart.

    A pitch of 0 means that rows, or slices, follow each other without a gap.
    """
    command_list = live(hCommandList, CommandList)
    source = image_of_list(command_list, hSrcImage)
    required(dstptr, "dstptr")
    box = texel_box(source, pSrcRegion, "pSrcRegion")
    target = texels_in_memory(command_list, dstptr, source, box, (destRowPitch, destSlicePitch), "dstptr", writes=True)
    uses = uses_operands(dstptr, *source.addresses)
    command_list.append(lambda: copy_texels(target(), texels_of(source, box)), hSignalEvent, phWaitEvents, uses)


@api(Chapter.COPY, "INVALID_SYNCHRONIZATION_OBJECT", pointers="srcptr", since=(1, 3), memory="srcptr[1]")
def zeCommandListAppendImageCopyFromMemoryExt(
    hCommandList: CommandList,
    hDstImage: Image,
    srcptr: Operand,
    pDstRegion: ze_image_region_t | None,
    srcRowPitch: int,
    srcSlicePitch: int,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a copy to a box of an image's texels from memory whose rows and slices are a pitch in bytes apart.

    A pitch of 0 means that rows, or slices, follow each other without a gap.
    """
    command_list = live(hCommandList, CommandList)
    target = image_of_list(command_list, hDstImage)
    required(srcptr, "srcptr")
    box = texel_box(target, pDstRegion, "pDstRegion")
    source = texels_in_memory(command_list, srcptr, target, box, (srcRowPitch, srcSlicePitch), "srcptr", writes=False)
    uses = uses_operands(srcptr, *target.addresses)
    command_list.append(lambda: copy_texels(texels_of(target, box), source()), hSignalEvent, phWaitEvents, uses)
