"""The memory of a program of the host, as far as its file determines it."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

LONGEST_NAME = 256
_U64 = struct.Struct("<Q")


class HostSection(NamedTuple):
    """A section of a file of the host. Only those with `is_mapped` have an address; `is_data` excludes code."""

    name: str
    address: int
    offset: int
    size: int
    is_mapped: bool
    is_data: bool

    def is_called(self, prefix: str) -> bool:
        """Returns whether the name starts like this, which programs of Windows cut to eight characters."""
        return self.name.startswith(prefix) or (len(self.name) == SHORT_NAME and prefix.startswith(self.name))


SHORT_NAME = 8
"""Characters of a section's name in programs of Windows."""


class Relocate(Protocol):
    def __call__(self, wanted: set[int]) -> Iterable[tuple[int, int]]:
        """Returns those of these addresses whose words are written when the program is loaded, with the words."""


class ProgramMemory:
    """The sections of a file of the host that are mapped, and the words and texts in them."""

    def __init__(self, data: memoryview, sections: Iterable[HostSection], relocate: Relocate) -> None:
        self._data = data
        self.sections = list(sections)
        self._relocate = relocate
        self._mapped = sorted((s for s in self.sections if s.is_mapped), key=lambda section: section.address)
        self._addresses = [section.address for section in self._mapped]

    def constants(self) -> Iterator[HostSection]:
        """Yields the mapped sections of data, as long as they are not larger together than the file."""
        left = len(self._data)
        for section in self._mapped:
            if section.is_data:
                left -= section.size
                if left < 0:
                    return
                yield section

    def words(self, wanted: set[int]) -> Mapping[int, int]:
        """Returns the words at these addresses, as they are when the program runs."""
        words: dict[int, int] = {}
        for at in wanted:
            place = self.place(at, 8)
            if place is not None:
                words[at] = _U64.unpack_from(self._data, place)[0]
        return words | dict(self._relocate(wanted) if wanted else ())

    def place(self, address: int, size: int) -> int | None:
        """Returns the offset in the file of bytes in memory, None if they are not those of one section."""
        index = bisect_right(self._addresses, address) - 1
        if index < 0 or size <= 0:
            return None
        section = self._mapped[index]
        inside = address - section.address
        return section.offset + inside if inside + size <= section.size else None

    def text(self, address: int) -> str:
        """Returns the text at an address, empty if there is none."""
        place = self.place(address, 1)
        return "" if place is None else text_at(self._data, place)


def text_at(data: memoryview, offset: int) -> str:
    """Returns the text at an offset in a file up to its terminating zero."""
    return bytes(data[offset : offset + LONGEST_NAME]).partition(b"\0")[0].decode(errors="replace")
