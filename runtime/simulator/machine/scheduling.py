"""Forward progress: the scheduling of threads of a group, and of groups of a launch, when some spin.

A thread in a loop that may spin yields after a quantum of `QUANTUM` instructions; a group with such threads yields to
other groups after some rounds. Both engines count alike, so that their schedules are the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

QUANTUM = 256
"""Instructions after which a thread in a spinning loop yields to the other threads of its group."""

ROUNDS = 4
"""Rounds with spinning threads after which a group yields to other groups."""

LONE_ROUNDS = 4096
"""The same for a group that is the only resident one."""

ROUNDS_AFTER_FAULT = 1 << 10
"""Rounds that remain for spinning groups after another one has faulted: they may wait for it forever."""


class GroupSlot(Protocol):
    """A slot for one resident work-group at a time."""

    def go_on(self, rounds: int) -> bool:
        """Runs until a group yields after `rounds` rounds (True), or no group is left for this slot (False)."""
        ...


def schedule(open_slot: Callable[[], GroupSlot | None], most: int, has_faulted: Callable[[], bool]) -> None:
    """Schedules slots round robin, up to `most` at a time, until all are done.

    After a fault, groups that only spin are abandoned. `open_slot` returns another slot if there is work for it.
    """
    slots: deque[GroupSlot] = deque()
    remaining = ROUNDS_AFTER_FAULT
    while remaining > 0:
        slot, rounds = open_slot() if len(slots) < most else None, ROUNDS
        if slot is None:
            if not slots:
                return
            slot = slots.popleft()
            rounds = ROUNDS if slots or has_faulted() else LONE_ROUNDS
        if slot.go_on(rounds):
            slots.append(slot)
            if has_faulted():
                remaining -= rounds
