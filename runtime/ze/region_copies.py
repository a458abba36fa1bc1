"""Copies of boxes of memory (specification: Memory Copies, zeCommandListAppendMemoryCopyRegion)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runtime.ze.command_list import CommandList
from runtime.ze.copies import Operand, operand_bytes
from runtime.ze.event import Event
from runtime.ze.handle import live, required, unsigned
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.stream import do_nothing
from runtime.ze.structs import ze_copy_region_t


@dataclass(frozen=True)
class _Box:
    """`width` bytes of each of `height` rows of `depth` slices; pitches in bytes, `start` is that of the first byte."""

    start: int
    width: int
    height: int
    depth: int
    pitch: int
    slice_pitch: int

    @property
    def extent(self) -> tuple[int, int, int]:
        return self.width, self.height, self.depth

    @property
    def end(self) -> int:
        """The byte behind the last one."""
        return self.start + (self.depth - 1) * self.slice_pitch + (self.height - 1) * self.pitch + self.width

    def overlaps(self, distance: int) -> bool:
        """Whether the box shares a byte with one of equal extent and pitches that lies `distance` bytes further on."""
        for slices in _near(distance, self.slice_pitch, self.depth):
            for rows in _near(distance - slices * self.slice_pitch, self.pitch, self.height):
                if abs(distance - slices * self.slice_pitch - rows * self.pitch) < self.width:
                    return True
        return False


def _near(distance: int, pitch: int, count: int) -> list[int]:
    """Multiples of a pitch next to a distance, as long as there are so many rows or slices."""
    if count == 1:
        return [0]
    below = distance // pitch
    return [number for number in (below, below + 1) if abs(number) < count]


def _box(region: ze_copy_region_t, pitch: int, slice_pitch: int, name: str) -> _Box:
    """The box that a region names; a pitch of 0 is as long as a row or slice that begins at the origin of the memory.

    Raises invalid size for a pitch that is shorter.
    """
    x, y, z = (unsigned(value, f"{name}.origin") for value in (region.originX, region.originY, region.originZ))
    width, height = (unsigned(value, name) for value in (region.width, region.height))
    depth = unsigned(region.depth, f"{name}.depth") or 1
    row = unsigned(pitch, "pitch") or x + width
    plane = unsigned(slice_pitch, "slicePitch") or (y + height) * row
    if row < width or (depth > 1 and plane < (height - 1) * row + width):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE,
            f"{name}: pitches of {row} and {plane} bytes for {height} rows of {width} bytes",
        )
    return _Box(z * plane + y * row + x, width, height, depth, row, plane)


def _rows(data: Callable[[], NDArray[np.uint8]], box: _Box) -> Callable[[], NDArray[np.uint8]]:
    """The bytes of a box, of shape [slices, rows, bytes], in place."""
    shape, strides = (box.depth, box.height, box.width), (box.slice_pitch, box.pitch, 1)
    return lambda: np.lib.stride_tricks.as_strided(data()[box.start :], shape, strides)


def _distance(destination: Operand, source: Operand) -> int | None:
    """Bytes from the first operand to the second; None where they are no addresses, or not both."""
    both = isinstance(destination, int | np.integer) and isinstance(source, int | np.integer)
    return int(source) - int(destination) if both else None


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
    """Copy a box of bytes, of rows and slices that are so many bytes apart. An empty region still signals.

    A depth of 0 means one slice. Raises invalid argument for regions of different size or memory that is too small,
    invalid size for pitches that are, and overlapping regions for boxes of equal pitches that share bytes.
    """
    command_list = live(hCommandList, CommandList)
    required(dstptr, "dstptr")
    required(dstRegion, "dstRegion", ze_copy_region_t)
    required(srcptr, "srcptr")
    required(srcRegion, "srcRegion", ze_copy_region_t)
    to = _box(dstRegion, dstPitch, dstSlicePitch, "dstRegion")
    from_ = _box(srcRegion, srcPitch, srcSlicePitch, "srcRegion")
    if to.extent != from_.extent:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{from_.extent} bytes do not fit the region of {to.extent}"
        )
    if not (to.width and to.height):
        command_list.append(do_nothing, hSignalEvent, phWaitEvents)
        return
    distance = _distance(dstptr, srcptr)
    is_comparable = (to.pitch, to.slice_pitch) == (from_.pitch, from_.slice_pitch)
    if distance is not None and is_comparable and to.overlaps(distance + from_.start - to.start):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_OVERLAPPING_REGIONS, f"the regions of {to.extent} bytes share bytes")
    context = command_list.context
    target = _rows(operand_bytes(context, dstptr, to.end, "dstptr", writes=True), to)
    source = _rows(operand_bytes(context, srcptr, from_.end, "srcptr", writes=False), from_)
    command_list.append(lambda: np.copyto(target(), source()), hSignalEvent, phWaitEvents)
