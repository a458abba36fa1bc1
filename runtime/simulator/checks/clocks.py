"""The happens-before relation: vector clocks of hardware threads (Mattern, "Virtual time and global states", 1989).

A thread's time advances whenever it publishes its knowledge. A clock has, for each thread, the time up to which
everything is known to have happened before. Barriers pass clocks among the threads that meet; atomics on one address
pass them from a fence before the first atomic to a fence after the second one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field

Clock = dict[int, int]
"""Time by thread. Threads have numbers that are unique in the launch."""


def join(clock: Clock, other: Clock) -> None:
    """Merges `other` into `clock`: the later time for each thread."""
    for thread, time in other.items():
        if clock.get(thread, 0) < time:
            clock[thread] = time


@dataclass(slots=True)
class ThreadClock:
    """The knowledge of one thread, and the part that it publishes.

    A fence makes what came before `released`, which atomics pass on; what atomics have `found` is known after a fence.
    Both consist of two clocks: for the group, and for all threads.
    """

    thread: int
    group: int
    time: int = 1
    known: Clock = field(default_factory=dict)
    released: tuple[Clock, Clock] = field(default_factory=lambda: ({}, {}))
    found: tuple[Clock, Clock] = field(default_factory=lambda: ({}, {}))

    def knows(self, thread: int, time: int) -> bool:
        """Returns whether the thread's action at that time happened before."""
        return thread == self.thread or self.known.get(thread, 0) >= time

    def tell(self) -> Clock:
        """Returns the thread's knowledge, including itself; its actions from now on are later."""
        told = {**self.known, self.thread: self.time}
        self.time += 1
        return told

    def fence(self, *, wide: bool) -> None:
        """Applies a fence for the group, or a `wide` one for all threads."""
        in_group, everywhere = self.found
        join(self.known, in_group)
        if wide:
            join(self.known, everywhere)
        told = self.tell()
        self.released = (told, told if wide else self.released[1])


@dataclass(frozen=True, slots=True)
class BarrierSignal:
    """A signal that a thread has sent at a time, by the instruction with that number."""

    thread: int
    time: int
    instruction: int


class Meeting:
    """The barriers of one group: signals pass knowledge to all threads that wait for the same firing."""

    def __init__(self) -> None:
        self._told: dict[tuple[int, int], Clock] = {}
        self._tickets: dict[tuple[int, int], int] = {}
        self._waiting: defaultdict[tuple[int, int], int] = defaultdict(int)
        self._signals: defaultdict[int, dict[int, list[BarrierSignal]]] = defaultdict(dict)
        """For each barrier the signals for its last two firings, by how often it had fired before."""

    def signal(
        self, thread: ThreadClock, barrier: int, fired: int, instruction: int, *, waits: bool
    ) -> BarrierSignal | None:
        """A thread signals a barrier that has fired `fired` times; `waits` if it is going to wait for it.

        Returns a signal that made the barrier fire last and that this one need not follow, None if there is none.
        """
        firing = (barrier, fired)
        signals = self._signals[barrier]
        for other in [other for other in signals if other < fired - 1]:
            del signals[other]
        signals.setdefault(fired, []).append(BarrierSignal(thread.thread, thread.time, instruction))
        before = signals.get(fired - 1, [])
        join(self._told.setdefault(firing, {}), thread.tell())
        if waits:
            self._tickets[thread.thread, barrier] = fired
            self._waiting[firing] += 1
        return next((signal for signal in before if not thread.knows(signal.thread, signal.time)), None)

    def wait(self, thread: ThreadClock, barrier: int) -> None:
        """A thread proceeds after its wait."""
        firing = (barrier, self._tickets.pop((thread.thread, barrier)))
        join(thread.known, self._told[firing])
        self._waiting[firing] -= 1
        if not self._waiting[firing]:
            del self._waiting[firing], self._told[firing]


class AtomicReleases:
    """The knowledge that atomics pass on, by the addresses that they access."""

    def __init__(self) -> None:
        self._in_groups: dict[Hashable, Clock] = {}
        self._everywhere: dict[Hashable, Clock] = {}

    def pass_on(self, thread: ThreadClock, address: Hashable, *, writes: bool) -> None:
        """A thread performs an atomic; one that does not write only acquires."""
        local = (thread.group, address)
        in_group, everywhere = thread.found
        join(in_group, self._in_groups.get(local, {}))
        join(everywhere, self._everywhere.get(address, {}))
        if writes and thread.released[0]:
            join(self._in_groups.setdefault(local, {}), thread.released[0])
        if writes and thread.released[1]:
            join(self._everywhere.setdefault(address, {}), thread.released[1])
