"""How often loops run, as far as the compiler knows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TripCount:
    """`(scale * argument + offset) / step` turns, rounded up; none if that is negative.

    `argument` is the index of a kernel argument that is an integer, None where the count is a constant. `step` is
    positive.
    """

    offset: int
    step: int = 1
    argument: int | None = None
    scale: int = 0
