"""A piece of device code in a file, and what reading a file may cost."""

from __future__ import annotations

from typing import NamedTuple

from xegpu.on_demand import dataclass
from zebin.errors import Report, ZebinError

ZEBIN = "ZEBIN"
"""The kind of images that this package reads; that of others is the name of their format."""


@dataclass(frozen=True)
class OffloadImage:
    """A piece of device code in a file.

    Attributes:
        name: The names or numbers of what holds it, outermost first, with slashes between; empty for the file itself.
        target: The device as the innermost container states it, empty if none does.
        kind: `ZEBIN`, or the name of another format, as in `SPIR-V module`.
        data: Its bytes, decompressed.
        group: The name of the fat binary of which a driver loads one member; the image's own name outside of those.
        offset: The offset of its first byte in the file, None for what was compressed.
    """

    name: str
    target: str
    kind: str
    data: memoryview
    group: str
    offset: int | None = None

    @property
    def is_zebin(self) -> bool:
        return self.kind == ZEBIN

    @property
    def member(self) -> str:
        """The innermost name."""
        return self.name.rpartition("/")[2]


class ContainerPart(NamedTuple):
    """A piece of a container with its name and device there, which are empty if it has none, and its bytes.

    `offset` is that of its first byte in the container, None if it was compressed.
    """

    name: str
    target: str
    data: memoryview
    offset: int | None


class Budget:
    """A limit of what reading one file may cost, whatever its bytes say: entries, images and decompressed bytes."""

    MOST_ENTRIES = 1 << 16
    MOST_NESTED = 8
    _FREE_BYTES = 64 << 20
    _MOST_INFLATED = 4 << 30
    _INFLATION = 64
    """Decompressed bytes for each byte of the file. Device code takes a tenth when it is compressed."""

    def __init__(self, size: int) -> None:
        self._inflated_left = max(self._FREE_BYTES, min(size * self._INFLATION, self._MOST_INFLATED))
        self._bytes_left = 4 * size + self._FREE_BYTES
        self._entries_left = self.MOST_ENTRIES

    @property
    def inflated_left(self) -> int:
        """The number of bytes that may still be decompressed."""
        return self._inflated_left

    def inflated(self, size: int) -> None:
        """Counts decompressed bytes, of which images consist."""
        self._inflated_left -= size
        self._bytes_left += 4 * size

    def entry(self) -> None:
        """Counts an entry of a container. Raises `ZebinError` if there are too many."""
        self._entries_left -= 1
        if self._entries_left < 0:
            raise broken("image.limit", f"more than {self.MOST_ENTRIES} pieces of device code")

    def image(self, size: int) -> None:
        """Counts the bytes of an image. Raises `ZebinError` if the images together exceed the file by far."""
        self._bytes_left -= size
        if self._bytes_left < 0:
            raise broken("image.limit", "pieces of device code overlap: together they are larger than the file by far")


def broken(code: str, message: str, *, found: object = "", expected: str = "") -> ZebinError:
    """Returns the error for a container that cannot be read."""
    return Report().fatal(code, message, found=found, expected=expected)


def piece(data: memoryview, start: int, size: int, what: str) -> memoryview:
    """Returns a part of a container. Raises `ZebinError` if it does not lie in it."""
    if start + size > len(data):
        raise broken(
            "image.bounds",
            f"{what} ends past its container",
            found=f"{start:#x} + {size:#x}",
            expected=f"{len(data):#x}",
        )
    return data[start : start + size]
