"""Where undefined values come from, and how that is kept for each byte of registers.

A number stands for a byte: `DEFINED`, or in its low bits the number of an origin, and above those a bit for each bit of
the byte that is defined all the same. Logic and copies keep the bits apart; for all else the byte is undefined.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int32]

DEFINED = 0
UNWRITTEN = 1
"""A register byte that nobody has written, and nobody has read either."""

_KNOWN_SHIFT = 16
_ORIGIN = (1 << _KNOWN_SHIFT) - 1
_BYTE = 0xFF


def origins_of(numbers: Numbers) -> Numbers:
    """The numbers of the origins alone."""
    return numbers & _ORIGIN


def undefined_bits(numbers: Numbers) -> Numbers:
    """The undefined bits of each byte."""
    return np.where(numbers == DEFINED, 0, ~(numbers >> _KNOWN_SHIFT) & _BYTE).astype(np.int32)


def with_undefined_bits(origins: Numbers, undefined: Numbers) -> Numbers:
    """The numbers of bytes of which some bits are undefined, and come from `origins`."""
    known = (~undefined & _BYTE) << _KNOWN_SHIFT
    return np.where(undefined == 0, DEFINED, origins_of(origins) | known).astype(np.int32)


@dataclass(frozen=True, slots=True)
class UndefinedOrigin:
    """An instruction, by its number, that read undefined bytes first, and what they were bytes of."""

    index: int
    what: str
    from_memory: bool


class Origins:
    """Numbers for origins, to be kept for each byte of registers. Higher than `UNWRITTEN`."""

    def __init__(self) -> None:
        self._numbers: dict[UndefinedOrigin, int] = {}
        self._origins: list[UndefinedOrigin] = []

    def number(self, origin: UndefinedOrigin) -> int:
        """The number of an origin, always the same."""
        if origin not in self._numbers:
            if UNWRITTEN + len(self._origins) < _ORIGIN:
                self._origins.append(origin)
            # The last number stands for all that do not fit.
            self._numbers[origin] = UNWRITTEN + len(self._origins)
        return self._numbers[origin]

    def __getitem__(self, number: int) -> UndefinedOrigin:
        """The origin in the number of a byte."""
        return self._origins[(number & _ORIGIN) - UNWRITTEN - 1]
