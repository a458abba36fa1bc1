"""Origins of undefined values, kept for each byte of the registers.

A number stands for a byte: `DEFINED`, or in its low bits the number of an origin, and above those one bit for each bit
of the byte that is defined nevertheless. Logic and copies track single bits; for everything else a byte is undefined as
a whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int32]

DEFINED = 0
UNWRITTEN = 1
"""A register byte that was neither written nor read so far."""

_KNOWN_SHIFT = 16
_ORIGIN = (1 << _KNOWN_SHIFT) - 1
_BYTE = 0xFF


def origins_of(numbers: Numbers) -> Numbers:
    """Returns the numbers of the origins alone."""
    return numbers & _ORIGIN


def undefined_bits(numbers: Numbers) -> Numbers:
    """Returns the undefined bits of each byte."""
    return np.where(numbers == DEFINED, 0, ~(numbers >> _KNOWN_SHIFT) & _BYTE).astype(np.int32)


def with_undefined_bits(origins: Numbers, undefined: Numbers) -> Numbers:
    """Returns the numbers of bytes of which some bits are undefined, and come from `origins`."""
    known = (~undefined & _BYTE) << _KNOWN_SHIFT
    return np.where(undefined == 0, DEFINED, origins_of(origins) | known).astype(np.int32)


@dataclass(frozen=True, slots=True)
class UndefinedOrigin:
    """The instruction, by number, that first read undefined bytes, and a description of these bytes."""

    index: int
    what: str
    from_memory: bool


class Origins:
    """Assigns numbers, above `UNWRITTEN`, to origins, for the bytes of registers."""

    def __init__(self) -> None:
        self._numbers: dict[UndefinedOrigin, int] = {}
        self._origins: list[UndefinedOrigin] = []

    def number(self, origin: UndefinedOrigin) -> int:
        """Returns the number of an origin, always the same."""
        if origin not in self._numbers:
            if UNWRITTEN + len(self._origins) < _ORIGIN:
                self._origins.append(origin)
            # The last number is shared by all origins that exceed the range.
            self._numbers[origin] = UNWRITTEN + len(self._origins)
        return self._numbers[origin]

    def __getitem__(self, number: int) -> UndefinedOrigin:
        """Returns the origin of a byte's number."""
        return self._origins[(number & _ORIGIN) - UNWRITTEN - 1]
