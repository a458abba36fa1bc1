"""Gives webs their places in the register file: a linear scan with first fit over the bytes of the file."""

from __future__ import annotations

from collections.abc import Sequence

from passes.xe_allocate_registers.coalescing import Web
from passes.xe_allocate_registers.liveness import overlap


def assign(webs: Sequence[Web], file_bytes: int) -> Web | None:
    """Places every web that has no fixed place; returns the first one for which no room is left, or None."""
    fixed = [web for web in webs if web.fixed is not None]
    for web in fixed:
        web.place = web.fixed
    active: list[Web] = []
    for web in sorted((w for w in webs if w.fixed is None), key=lambda w: (w.segments[0][0], -w.size)):
        start = web.segments[0][0]
        active = [other for other in active if other.segments[-1][1] > start]
        occupied = 0
        for other in (*fixed, *active):
            if overlap(other.segments, web.segments):
                assert other.place is not None
                occupied |= ((1 << other.size) - 1) << other.place
        place = first_fit(occupied, web.size, web.alignment, file_bytes)
        if place is None:
            return web
        web.place = place
        active.append(web)
    return None


def first_fit(occupied: int, size: int, alignment: int, limit: int) -> int | None:
    """Lowest aligned place for `size` free units below `limit`; `occupied` has a bit for each taken unit."""
    wanted = (1 << size) - 1
    place = 0
    while place + size <= limit:
        taken = occupied >> place & wanted
        if not taken:
            return place
        past = place + taken.bit_length()
        place = -(-past // alignment) * alignment
    return None
