"""Access history: for each byte of a memory, the accesses that can still race with a later one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.interpreter.messages.accesses import NO_LANE

_PAGE_BITS = 14
_PAGE_BYTES = 1 << _PAGE_BITS
_RECORD = np.dtype([("state", np.int32), ("writer", np.int8), ("reader", np.int8)])
"""The number of the set of accesses to a byte, and the lanes of the latest write and of the latest read among them."""

MAX_PAGES = 4096
MAX_STATES = 1 << 19
MAX_ACCESSES = 8
"""Limits on pages, on different sets of accesses, and on accesses in a set."""


class AccessEvent(NamedTuple):
    """One execution of the instruction of that number by a thread, between two of its synchronizations."""

    thread: int
    time: int
    instruction: int
    writes: bool
    atomic: bool

    def conflicts(self, other: AccessEvent) -> bool:
        """Returns whether the two, unordered and of different threads, are a race."""
        return (self.writes or other.writes) and not (self.atomic and other.atomic)

    def covers(self, other: AccessEvent) -> bool:
        """Returns whether everything that conflicts with `other` conflicts with this as well."""
        return (self.writes or not other.writes) and (not self.atomic or other.atomic)


@dataclass(frozen=True, slots=True)
class Conflict:
    """An access, by `lane` if it is known, that races with the current one at byte number `byte` of the latter."""

    event: AccessEvent
    lane: int | None
    byte: int


Knows = Callable[[int, int], bool]
"""Returns whether a thread's action at a time happened before the current access."""


class History:
    """The accesses to the bytes of one memory.

    An access to a byte is kept until a later one races with everything that it races with, and either happens after it
    or has been reported with it. Beyond the limits, the oldest accesses are dropped: races may then be missed, but no
    false ones are reported.
    """

    def __init__(self) -> None:
        self._pages: dict[int, NDArray[np.void]] = {}
        self._states: list[tuple[AccessEvent, ...]] = [()]
        self._numbers: dict[tuple[AccessEvent, ...], int] = {(): 0}

    def add(
        self, event: AccessEvent, addresses: NDArray[np.uint64], lanes: NDArray[np.int64], knows: Knows
    ) -> list[Conflict]:
        """Records an access to single bytes, each by one of `lanes`; returns its races, each with another access
        once.
        """
        if len(self._states) > MAX_STATES:
            self._pages.clear()
            self._states, self._numbers = [()], {(): 0}
        conflicts: dict[AccessEvent, Conflict] = {}
        for page, part in self._parts(addresses):
            offsets = addresses[part] & np.uint64(_PAGE_BYTES - 1)
            records = page[offsets]
            numbers, members = np.unique(records["state"], return_inverse=True)
            following = np.empty(len(numbers), np.int32)
            for position, number in enumerate(numbers):
                state = self._states[number]
                for other in reversed(state):
                    if other not in conflicts and other.conflicts(event) and not knows(other.thread, other.time):
                        byte = int(np.argmax(members == position))
                        conflicts[other] = Conflict(other, _lane_of(other, state, records[byte]), int(part[byte]))
                following[position] = self._number(_successor(state, event, knows))
            page["state"][offsets] = following[members]
            page["writer" if event.writes else "reader"][offsets] = lanes[part]
        return list(conflicts.values())

    def _parts(self, addresses: NDArray[np.uint64]) -> Iterator[tuple[NDArray[np.void], NDArray[np.intp]]]:
        """Returns the pages that contain the bytes, each with the bytes that it contains."""
        pages = addresses >> np.uint64(_PAGE_BITS)
        if (pages == pages[0]).all():
            yield self._page(int(pages[0])), np.arange(len(addresses))
            return
        for number in np.unique(pages):
            yield self._page(int(number)), np.flatnonzero(pages == number)

    def _page(self, number: int) -> NDArray[np.void]:
        if number not in self._pages:
            if len(self._pages) == MAX_PAGES:
                del self._pages[next(iter(self._pages))]
            self._pages[number] = np.zeros(_PAGE_BYTES, _RECORD)
        return self._pages[number]

    def _number(self, state: tuple[AccessEvent, ...]) -> int:
        if state not in self._numbers:
            self._numbers[state] = len(self._states)
            self._states.append(state)
        return self._numbers[state]


def _successor(state: tuple[AccessEvent, ...], event: AccessEvent, knows: Knows) -> tuple[AccessEvent, ...]:
    """Returns the accesses that are still to be kept when `event` is added to them."""

    def stays(other: AccessEvent) -> bool:
        return not event.covers(other) or not (event.conflicts(other) or knows(other.thread, other.time))

    kept = [other for other in state if stays(other)]
    if len(kept) >= MAX_ACCESSES:
        # The first two are probably of other groups than the latest ones, which are of the current group.
        del kept[2]
    return (*kept, event)


def _lane_of(event: AccessEvent, state: tuple[AccessEvent, ...], record: np.void) -> int | None:
    """Returns the lane of an access in a set, if it is the latest read or write; no other lanes are recorded."""
    alike = [other for other in state if other.writes == event.writes]
    if alike[-1] is not event:
        return None
    lane = int(record["writer" if event.writes else "reader"])
    return None if lane == NO_LANE else lane
