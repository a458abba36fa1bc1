"""Assigns webs to the register file: a linear scan with first fit over the bytes of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from passes.xe.allocate_registers.coalescing import Web
from passes.xe.allocate_registers.occupation import Occupation, first_fit

Evict = Callable[[Web, Iterable[Web]], Web | None]
"""Returns the web to evict, out of one that does not fit and those that overlap it; None if none can be evicted."""


def keep_all(stuck: Web, in_the_way: Iterable[Web]) -> Web | None:
    """Evicts nothing."""
    return None


def assign(webs: Sequence[Web], file_bytes: int, evict: Evict = keep_all) -> list[Web] | None:
    """Assigns all webs without a fixed address. Returns those that `evict` chose; None if the webs do not fit."""
    fixed = [(web, web.fixed) for web in webs if web.fixed is not None]
    for web, address in fixed:
        web.address = address
    if fixed_end(webs) > file_bytes:
        return None
    taken: Occupation[Web] = Occupation()
    for web, address in fixed:
        taken.take(web, web.segments, address, web.size)
    evicted: list[Web] = []
    for web in sorted((w for w in webs if w.fixed is None), key=lambda w: (w.segments[0][0], -w.size)):
        taken.advance(web.segments[0][0])
        while (found := first_fit(taken.units(web.segments), web.size, web.alignment, file_bytes)) is None:
            victim = evict(web, taken.owners(web.segments))
            if victim is None:
                return None
            evicted.append(victim)
            if victim is web:
                break
            taken.release(victim)
        else:
            web.address = found
            taken.take(web, web.segments, found, web.size)
    return evicted


def fixed_end(webs: Iterable[Web]) -> int:
    """Returns the end of the registers in which the thread starts."""
    return max((web.fixed + web.size for web in webs if web.fixed is not None), default=0)
