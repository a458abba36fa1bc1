"""The structures of Level Zero in C (`structures.txt`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from runtime.driver.abi.types import code_of

_PATH = Path(__file__).with_name("structures.txt")

HEADER = ("stype", "pNext")
"""The members that structures which can be extended begin with."""


@dataclass(frozen=True, slots=True)
class CMember:
    """One member of a structure; `path` leads through nested ones, `length` is that of an array or 0."""

    path: str
    type: str
    offset: int
    length: int

    @property
    def code(self) -> str:
        """The member's code in the module `struct`."""
        if not self.length:
            return code_of(self.type)
        one = code_of(self.type)
        return f"{self.length}{'s' if one in 'sB' else one}"

    @property
    def end(self) -> int:
        """The byte behind the member."""
        return self.offset + _SIZES[code_of(self.type)] * (self.length or 1)


_SIZES = {"s": 1, "B": 1, "i": 4, "I": 4, "q": 8, "Q": 8, "f": 4, "d": 8}
"""The bytes of a number, by its code in the module `struct`."""


@dataclass(frozen=True, slots=True)
class CStructure:
    """One structure: its size in bytes and its members."""

    name: str
    size: int
    text: str

    @property
    def members(self) -> tuple[CMember, ...]:
        """The members in order."""
        return tuple(map(_member, self.text.split(", ")))

    @property
    def is_extensible(self) -> bool:
        """True if the structure begins with its type and the link to extensions of it."""
        return tuple(member.path for member in self.members[:2]) == HEADER

    def format_of(self, members: tuple[CMember, ...], begin: int = 0, end: int | None = None) -> str:
        """Returns the format, for the module `struct`, of some members and the gaps between.

        Args:
            members: The members, in order.
            begin: The first byte.
            end: The byte behind the last one; by default the end of the structure.
        """
        text, position, end = "<", begin, self.size if end is None else end
        for member in members:
            text += f"{member.offset - position}x{member.code}" if member.offset > position else member.code
            position = member.end
        return text + (f"{end - position}x" if end > position else "")


_MEMBER = re.compile(r"([\w ]+\**) ([\w.]+)(?:\[(\d+)\])?@(\d+)")


def _member(text: str) -> CMember:
    match = _MEMBER.fullmatch(text)
    assert match is not None, text
    type, path, length, offset = match.groups()
    return CMember(path, type, int(offset), int(length or 0))


@cache
def layouts() -> Mapping[str, CStructure]:
    """Returns all structures by name."""
    found = {}
    for line in _PATH.read_text("ascii").splitlines():
        if not line.startswith("#"):
            head, members = line.split(": ", 1)
            size, name = head.split()
            found[name] = CStructure(name, int(size), members)
    return found
