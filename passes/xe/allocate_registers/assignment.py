"""Assigns webs to the register file: a linear scan with first fit over the bytes of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from passes.xe.allocate_registers.coalescing import Web
from passes.xe.allocate_registers.liveness import overlap

Evict = Callable[[Web, Iterable[Web]], Web | None]
"""Returns the web to evict, out of one that does not fit and those that overlap it; None if none can be evicted."""


def keep_all(stuck: Web, in_the_way: Iterable[Web]) -> Web | None:
    """Evicts nothing."""
    return None


def assign(webs: Sequence[Web], file_bytes: int, evict: Evict = keep_all) -> list[Web] | None:
    """Assigns all webs without a fixed address. Returns those that `evict` chose; None if the webs do not fit."""
    fixed = [web for web in webs if web.fixed is not None]
    for web in fixed:
        web.address = web.fixed
    if fixed_end(webs) > file_bytes:
        return None
    active: list[Web] = []
    evicted: list[Web] = []
    for web in sorted((w for w in webs if w.fixed is None), key=lambda w: (w.segments[0][0], -w.size)):
        start = web.segments[0][0]
        active = [other for other in active if other.segments[-1][1] > start]
        in_the_way = [other for other in fixed if overlap(other.segments, web.segments)]
        # An active web without holes is live at the start of this one.
        in_the_way += [o for o in active if len(o.segments) == 1 or overlap(o.segments, web.segments)]
        while (address := first_fit(_occupied(in_the_way), web.size, web.alignment, file_bytes)) is None:
            victim = evict(web, in_the_way)
            if victim is None:
                return None
            evicted.append(victim)
            if victim is web:
                break
            active.remove(victim)
            in_the_way.remove(victim)
        else:
            web.address = address
            active.append(web)
    return evicted


def fixed_end(webs: Iterable[Web]) -> int:
    """Returns the end of the registers in which the thread starts."""
    return max((web.fixed + web.size for web in webs if web.fixed is not None), default=0)


def _occupied(webs: Iterable[Web]) -> int:
    """Returns a mask with one bit per occupied unit of the file."""
    occupied = 0
    for web in webs:
        assert web.address is not None
        occupied |= ((1 << web.size) - 1) << web.address
    return occupied


def first_fit(occupied: int, size: int, alignment: int, limit: int) -> int | None:
    """Returns the lowest aligned address of `size` free units below `limit`; None if there is none.

    `occupied` has one bit per occupied unit.
    """
    wanted = (1 << size) - 1
    address = 0
    while address + size <= limit:
        taken = occupied >> address & wanted
        if not taken:
            return address
        past = address + taken.bit_length()
        address = -(-past // alignment) * alignment
    return None
