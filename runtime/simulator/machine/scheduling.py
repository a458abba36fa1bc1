"""Forward progress: how threads of a group, and groups of a launch, get their turns while others spin.

A thread in a loop that may spin has its turn for `QUANTUM` instructions; a group with such threads gives way to other
groups after some rounds. Both engines count the same, so that their orders are the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

QUANTUM = 256
"""Instructions after which a thread in a spinning loop gives way to the other threads of its group."""

ROUNDS = 4
"""Rounds, with threads that give way, after which a group gives way to other groups."""

LONE_ROUNDS = 4096
"""The same for a group that has no others beside it."""

MERCY = 1 << 10
"""Rounds for the groups that still spin when another one has faulted: what they wait for may never come."""


class GroupSlot(Protocol):
    """Where work-groups run, one after the other."""

    def go_on(self, rounds: int) -> bool:
        """Runs until a group gives way after `rounds` rounds (true), or there is nothing left to do here (false)."""
        ...


def take_turns(open_place: Callable[[], GroupSlot | None], most: int, has_faulted: Callable[[], bool]) -> None:
    """Runs places in turn, up to `most` at a time, until all are done; groups that only spin after a fault are left.

    `open_place` gives another place if there is work for it.
    """
    places: deque[GroupSlot] = deque()
    mercy = MERCY
    while mercy > 0:
        place, rounds = open_place() if len(places) < most else None, ROUNDS
        if place is None:
            if not places:
                return
            place = places.popleft()
            rounds = ROUNDS if places or has_faulted() else LONE_ROUNDS
        if place.go_on(rounds):
            places.append(place)
            if has_faulted():
                mercy -= rounds
