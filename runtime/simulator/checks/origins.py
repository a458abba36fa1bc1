"""Where undefined values come from."""

from __future__ import annotations

from dataclasses import dataclass

DEFINED = 0
UNWRITTEN = 1
"""A register byte that nobody has written, and nobody has read either."""


@dataclass(frozen=True, slots=True)
class Origin:
    """An instruction, by its number, that read undefined bytes first, and what they were bytes of."""

    index: int
    what: str
    from_memory: bool


class Origins:
    """Numbers for origins, to be kept for each byte of registers. Higher than `UNWRITTEN`."""

    def __init__(self) -> None:
        self._numbers: dict[Origin, int] = {}
        self._origins: list[Origin] = []

    def number(self, origin: Origin) -> int:
        """The number of an origin, always the same."""
        if origin not in self._numbers:
            self._origins.append(origin)
            self._numbers[origin] = UNWRITTEN + len(self._origins)
        return self._numbers[origin]

    def __getitem__(self, number: int) -> Origin:
        return self._origins[number - UNWRITTEN - 1]
