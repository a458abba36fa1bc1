"""The part of a device that executes: its queues, its clock, and whether it is lost."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from runtime.ze.driver.system.machine import Machine
from runtime.ze.spec.results import ZeError, ze_result_t

TICK_BITS = 36
"""Valid bits of a device timestamp; those of a kernel timestamp are `KERNEL_TICK_BITS`."""

KERNEL_TICK_BITS = 32


class WorkQueue(Protocol):
    """The work of one queue of the device."""

    def mentions(self, signal: object) -> bool:
        """Returns whether a pending command waits for the event `signal` or will signal it."""

    def follow_locked(self, callback: Callable[[], None]) -> None:
        """Calls `callback`, with the machine locked, when all that is pending has ended."""

    def abandon_locked(self) -> None:
        """Drops all pending work."""

    @property
    def owner(self) -> object:
        """The device of the queue: a card or one of its tiles."""

    @property
    def rank(self) -> int:
        """The priority; a higher rank goes first."""

    @property
    def is_ready_locked(self) -> bool:
        """True if a command could start and has not."""

    @property
    def idle(self) -> bool:
        """True if no work is pending."""


class Processor:
    """The part of a card that executes, which its tiles share, and which is lost when a kernel faults."""

    def __init__(self, machine: Machine, name: str, tick_ns: int) -> None:
        self.machine = machine
        self.tick_ns = tick_ns
        self.streams: set[WorkQueue] = set()
        self.top_rank = 0
        self.bottom_rank = 0
        self._name = name
        self._fault: str | None = None
        self._last_tick = 0

    @property
    def lost(self) -> bool:
        return self._fault is not None

    def add(self, stream: WorkQueue) -> None:
        """Adds a queue."""
        with self.machine.changed:
            self.streams.add(stream)
            self._set_ranks()

    def discard_locked(self, stream: WorkQueue) -> None:
        """Removes a queue."""
        self.streams.discard(stream)
        self._set_ranks()

    def _set_ranks(self) -> None:
        ranks = {stream.rank for stream in self.streams}
        self.top_rank, self.bottom_rank = max(ranks, default=0), min(ranks, default=0)

    def has_ready_above_locked(self, rank: int) -> bool:
        """Returns whether a queue of higher rank has a command that is about to start."""
        return any(stream.rank > rank and stream.is_ready_locked for stream in self.streams)

    def is_idle(self, owner: object = None) -> bool:
        """Returns whether the queues of `owner` have no work pending; with None, all queues."""
        return all(stream.idle for stream in tuple(self.streams) if owner is None or stream.owner is owner)

    def tick(self) -> int:
        """Returns the device time in ticks; no two calls return the same time."""
        with self.machine.changed:
            self._last_tick = max(time.monotonic_ns() // self.tick_ns, self._last_tick + 1)
            return self._last_tick

    def tick_behind(self, start: int, nanoseconds: int | None) -> int:
        """Returns the time at which work ends that began at `start` and takes `nanoseconds` on the device (None: it
        ends now).
        """
        if nanoseconds is None:
            return self.tick()
        with self.machine.changed:
            end = start + max(1, round(nanoseconds / self.tick_ns))
            self._last_tick = max(self._last_tick, end)
            return end

    def lose(self, fault: str) -> None:
        """Marks the device as lost because of `fault`, and abandons all that is pending on it."""
        with self.machine.changed:
            if self._fault is None:
                self._fault = fault
            for stream in tuple(self.streams):
                stream.abandon_locked()
            self.machine.changed.notify_all()

    def recover(self) -> None:
        """Puts a lost device back into service; what was abandoned stays abandoned."""
        with self.machine.changed:
            self._fault = None

    def lost_error(self) -> ZeError:
        return ZeError(ze_result_t.ZE_RESULT_ERROR_DEVICE_LOST, self._fault or f"{self._name} was lost")

    def require_available(self) -> None:
        """Raises `DEVICE_LOST` if the device is lost."""
        if self._fault is not None:
            raise self.lost_error()

    def wait(self, ready: Callable[[], bool], timeout: int) -> bool:
        """Waits at most `timeout` nanoseconds until `ready()`, and returns whether it is.

        Raises:
            ZeError: `DEVICE_LOST` if the device is lost or becomes so.
        """
        done = self.machine.wait(lambda: self.lost or ready(), timeout)
        self.require_available()
        return done
