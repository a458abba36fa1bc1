"""The output of kernels: records in a buffer, which the runtime reads when the kernel has ended.

The buffer starts with two 64-bit numbers: the bytes that kernels have asked for, these 16 included, and the size of the
buffer in bytes. A thread (each lane of it, in kernels of work-items) adds the size of its record to the first, and
writes the record where that number was, if it fits. A record consists of dwords:

| Dword | Content |
|---|---|
| 0 | bytes of the record; written first |
| 1 | number of the text among the kernel's, counted from 1; written last |
| 2, 3, 4 | work-group x, y, z |
| 5 | subgroup in the work-group; bit 31: the text is that of an assertion that does not hold |
| 6 ... | for each argument a `PrintfType`, and one or two dwords with its value |
"""

from __future__ import annotations

import re
from enum import IntEnum

from xegpu.on_demand import dataclass

HEADER_BYTES = 16
RECORD_WORDS = 6
"""Dwords of a record without arguments."""
ASSERTION = 1 << 31
"""The bit of dword 5 that marks an assertion."""


class PrintfType(IntEnum):
    """The kind of an argument, with the number that Intel's drivers give it."""

    INT = 3
    FLOAT = 4
    LONG = 6
    DOUBLE = 8

    @property
    def words(self) -> int:
        return 1 if self in (PrintfType.INT, PrintfType.FLOAT) else 2


@dataclass(frozen=True)
class Directive:
    """`%-08.3lld` in its parts; `precision` is None where there is none. Lengths are left to the types of values."""

    flags: str
    width: int
    precision: int | None
    letter: str

    @property
    def takes_integer(self) -> bool:
        return self.letter in _INTEGERS

    @property
    def is_signed(self) -> bool:
        """Returns whether the directive takes a signed integer."""
        return self.letter in "di"


_INTEGERS = "diuoxXcp"
_FLOATS = "fFeEgGaA"
_DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d*)(?:\.(?P<precision>\d*))?(?:hh|h|ll|l|j|z|t|L)?(?P<letter>.)?"
)
_WIDEST = 512


def parse_format(text: str) -> list[str | Directive]:
    """Returns the literal parts and the directives of a format, in order; raises `ValueError` if `printf` lacks one."""
    parts: list[str | Directive] = []
    position = 0
    for found in _DIRECTIVE.finditer(text):
        parts.append(text[position : found.start()])
        position = found.end()
        letter = found["letter"] or ""
        if found[0] == "%%":
            parts.append("%")
            continue
        if letter not in (*_INTEGERS, *_FLOATS):
            expected = f"one of {', '.join(_INTEGERS + _FLOATS)}"
            raise ValueError(f"'{found[0]}' is no directive for a number: expected {expected}")
        width, precision = int(found["width"] or 0), found["precision"]
        digits = None if precision is None else int(precision or 0)
        if max(width, digits or 0) > _WIDEST:
            raise ValueError(f"'{found[0]}' is wider than {_WIDEST} characters")
        parts.append(Directive(found["flags"], width, digits, letter))
    parts.append(text[position:])
    return [part for part in parts if part]
