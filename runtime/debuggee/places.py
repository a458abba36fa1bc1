"""The places of hardware threads on a GPU, by which debuggers name them."""

from __future__ import annotations

from typing import NamedTuple

from xegpu.targets import Target


class ThreadPlace(NamedTuple):
    """The place of a hardware thread."""

    slice: int
    subslice: int
    eu: int
    thread: int


ALL_THREADS = ThreadPlace(*4 * (0xFFFF_FFFF,))
"""Stands for all threads, or for none in particular."""


def place_of(target: Target, group: int, number: int) -> ThreadPlace:
    """Returns the place of thread `number` of work-group number `group`.

    Groups take the cores in turn, and their threads the EUs of the core.
    """
    core, eus = group % (target.slices * target.subslices_per_slice), target.eus_per_subslice
    return ThreadPlace(*divmod(core, target.subslices_per_slice), number % eus, number // eus)


def number_at(target: Target, group: int, place: ThreadPlace) -> int | None:
    """Returns the number of the thread of a work-group at a place; None if it is on another core."""
    if place.eu >= target.eus_per_subslice:
        return None
    number = place.thread * target.eus_per_subslice + place.eu
    return number if place_of(target, group, number) == place else None
