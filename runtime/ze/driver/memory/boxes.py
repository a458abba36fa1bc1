"""Boxes of bytes with row and slice pitches, which region copies read and write."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from runtime.ze.driver.handle import unsigned
from runtime.ze.driver.memory.operands import Operand
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import ze_copy_region_t
from xegpu.on_demand import dataclass, imports_on_demand

with imports_on_demand(globals()):
    import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class ByteBox:
    """A box of bytes in memory: `width` bytes of each of `height` rows of `depth` slices.

    Pitches are in bytes, and `start` is the offset of the first byte.
    """

    start: int
    width: int
    height: int
    depth: int
    pitch: int
    slice_pitch: int

    @property
    def extent(self) -> tuple[int, int, int]:
        """Width, height and depth."""
        return self.width, self.height, self.depth

    @property
    def end(self) -> int:
        """The offset behind the last byte."""
        return self.start + (self.depth - 1) * self.slice_pitch + (self.height - 1) * self.pitch + self.width

    def rows(self) -> NDArray[np.int64]:
        """Returns the offsets of the rows, ascending."""
        slices = np.arange(self.depth, dtype=np.int64)[:, None] * self.slice_pitch
        return (self.start + slices + np.arange(self.height, dtype=np.int64) * self.pitch).reshape(-1)

    def overlaps(self, other: ByteBox, distance: int) -> bool:
        """Returns whether the box shares a byte with another one, of memory that begins `distance` bytes further on."""
        if self.end <= other.start + distance or other.end + distance <= self.start:
            return False
        rows, others = self.rows(), other.rows() + distance
        # A row shares bytes with another one that begins less than a width before or behind it.
        return bool(
            np.any(np.searchsorted(rows, others - self.width, "right") < np.searchsorted(rows, others + other.width))
        )


def byte_box(region: ze_copy_region_t, pitch: int, slice_pitch: int, name: str) -> ByteBox:
    """Returns the box that a region names.

    A pitch of 0 stands for the length of a row, or of a slice, that begins at the origin of the memory.

    Raises:
        ZeError: `INVALID_SIZE` for a pitch that is shorter.
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
    return ByteBox(z * plane + y * row + x, width, height, depth, row, plane)


def box_rows(data: Callable[[], NDArray[np.uint8]], box: ByteBox) -> Callable[[], NDArray[np.uint8]]:
    """Returns a function that returns the bytes of a box in place, `[slices, rows, bytes]`."""
    shape, strides = (box.depth, box.height, box.width), (box.slice_pitch, box.pitch, 1)
    return lambda: np.lib.stride_tricks.as_strided(data()[box.start :], shape, strides)


def distance_between(destination: Operand, source: Operand) -> int | None:
    """Returns the bytes from the first operand to the second; None unless both are addresses."""
    return source - destination if isinstance(destination, int) and isinstance(source, int) else None
