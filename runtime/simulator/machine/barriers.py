"""Barriers of a work-group: the effect of signals and waits, for the interpreter and for reports of both engines.

A barrier fires when as many producers and consumers have signalled as its first signal says, and may then be used
again. A thread that signals as a consumer gets a ticket, with which it may wait until the barrier has fired.
"""

from __future__ import annotations

import ctypes
from enum import IntEnum

NO_TICKET = 0
PRODUCER, CONSUMER = 1, 2
"""Roles of a signal; 0 is both."""


class Barrier(ctypes.Structure):
    """State of one barrier: numbers of producers and consumers expected, numbers of those arrived, and times fired."""

    _fields_ = [
        ("producers", ctypes.c_uint32),
        ("consumers", ctypes.c_uint32),
        ("arrived_producers", ctypes.c_uint32),
        ("arrived_consumers", ctypes.c_uint32),
        ("fired", ctypes.c_uint32),
    ]


class Problem(IntEnum):
    """A violation of the rules of barriers."""

    UNKNOWN = 1
    COUNTS = 2
    CROWD = 3
    NO_SIGNAL = 4
    TWICE = 5
    ROLE = 6


def group_barrier(threads: int) -> int:
    """Returns the payload of a signal to barrier 0 that all threads of a group send."""
    return threads << 16 | threads << 24


class WorkGroupBarriers:
    """The barriers of one work-group."""

    def __init__(self, count: int, threads: int):
        self.states = (Barrier * count)()
        self._tickets = [[NO_TICKET] * count for _ in range(threads)]
        self.group_payload = group_barrier(threads)

    def signal(self, thread: int, payload: int) -> Problem | None:
        """Thread number `thread` signals: bits 7:0 barrier, 15:14 role, 23:16 producers, 31:24 consumers."""
        number, role, producers, consumers = payload & 0xFF, payload >> 14 & 3, payload >> 16 & 0xFF, payload >> 24
        if number >= len(self.states):
            return Problem.UNKNOWN
        if role > CONSUMER or not producers or not consumers:
            return Problem.ROLE
        state = self.states[number]
        if (state.arrived_producers or state.arrived_consumers) and (state.producers, state.consumers) != (
            producers,
            consumers,
        ):
            return Problem.COUNTS
        state.producers, state.consumers = producers, consumers
        if role != PRODUCER:
            if self._tickets[thread][number] != NO_TICKET:
                return Problem.TWICE
            self._tickets[thread][number] = state.fired + 1
        state.arrived_producers += role != CONSUMER
        state.arrived_consumers += role != PRODUCER
        if state.arrived_producers > producers or state.arrived_consumers > consumers:
            return Problem.CROWD
        if (state.arrived_producers, state.arrived_consumers) == (producers, consumers):
            state.arrived_producers = state.arrived_consumers = 0
            state.fired += 1
        return None

    def wait(self, thread: int, number: int) -> Problem | bool:
        """Returns whether thread number `thread` may proceed after its wait, or a problem."""
        if number >= len(self.states):
            return Problem.UNKNOWN
        ticket = self._tickets[thread][number]
        if ticket == NO_TICKET:
            return Problem.NO_SIGNAL
        if self.states[number].fired < ticket:
            return False
        self._tickets[thread][number] = NO_TICKET
        return True


def problem_text(problem: int, payload: int, count: int) -> str:
    """Describes a problem; the payload is that of the signal, or the number of the barrier that is waited for."""
    number, producers, consumers = payload & 0xFF, payload >> 16 & 0xFF, payload >> 24
    return {
        Problem.UNKNOWN: f"barrier {number}, the kernel has {count}",
        Problem.COUNTS: f"barrier {number} for {producers} producers and {consumers} consumers, others signalled it "
        "with other numbers",
        Problem.CROWD: f"barrier {number} takes {producers} producers and {consumers} consumers, one more signals",
        Problem.NO_SIGNAL: f"the thread waits for barrier {number} without having signalled as a consumer",
        Problem.TWICE: f"the thread signals barrier {number} again before it has waited",
        Problem.ROLE: f"barrier {number} with role {payload >> 14 & 3}, {producers} producers, {consumers} consumers",
    }[Problem(problem)]


def deadlock_text(waiting: int, threads: int, number: int, state: Barrier) -> str:
    """Describes a deadlock by the barrier that the first waiting thread of a group waits for."""
    return (
        f"{waiting} of {threads} subgroups wait, the others have ended; barrier {number} has "
        f"{state.arrived_producers} of {state.producers} producers and "
        f"{state.arrived_consumers} of {state.consumers} consumers"
    )
