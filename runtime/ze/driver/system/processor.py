"""The part of a device that executes: its queues, its clock, and whether it is lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from runtime.card import DeviceWork, Meter, WorkDone
from runtime.concurrency import PROCESS, step
from runtime.ze.driver.system.activity import Activity, ActivityListener, began
from runtime.ze.driver.system.machine import Machine
from runtime.ze.spec.results import ZeError, ze_result_t

if TYPE_CHECKING:
    from runtime.simulator.profile import Profile

TICK_BITS = 36
"""Valid bits of a device timestamp; those of a kernel timestamp are `KERNEL_TICK_BITS`."""

KERNEL_TICK_BITS = 32


class CommandFault(Exception):
    """A command that cannot be executed, for a reason that shows only when it runs."""


class PendingWork(Protocol):
    """Commands that were submitted together."""

    @property
    def is_pending(self) -> bool:
        """True if a command is still to be executed, or executes."""


class Epoch:
    """The time of a device between two losses; `fault` is the one that ended it, None as long as it lasts.

    What is submitted in an epoch and not done at its end is dropped.
    """

    __slots__ = ("fault",)

    def __init__(self) -> None:
        self.fault: str | None = None


class WorkQueue(Protocol):
    """The work of one queue of the device."""

    def mentions(self, signal: object) -> bool:
        """Returns whether a pending command waits for the event `signal` or will signal it."""

    def users(self, addresses: range) -> Sequence[PendingWork]:
        """Returns the pending work that may use the memory at some addresses."""

    def take_dropped(self) -> Epoch | None:
        """Returns the epoch of work that was dropped since this was last asked, None if none was."""

    def close(self, *, stops: bool = False) -> None:
        """Stops executing: the command that runs is finished, or ended if `stops`; what is left is dropped."""

    @property
    def client(self) -> object:
        """The context of the queue, as long as it exists."""

    @property
    def owner(self) -> object:
        """The device of the queue: a card or one of its tiles."""

    @property
    def rank(self) -> int:
        """The priority; a higher rank goes first."""

    @property
    def is_ready(self) -> bool:
        """True if a command could start and has not."""

    @property
    def idle(self) -> bool:
        """True if no work is pending."""


class Processor:
    """The part of a card that executes, which its tiles share, and which is lost when a kernel faults."""

    def __init__(self, machine: Machine, name: str, tick_ns: int, meter: Meter) -> None:
        self.machine = machine
        self.meter = meter
        self.tick_ns = tick_ns
        self.streams: tuple[WorkQueue, ...] = ()
        self.listeners: tuple[ActivityListener, ...] = ()
        self.top_rank = 0
        self.bottom_rank = 0
        self.epoch = Epoch()
        self.fault: str | None = None
        """The reason for which the device is lost, if it is."""
        self._name = name
        self._last_tick = 0
        self._forks = PROCESS.forks

    @property
    def lost(self) -> bool:
        return self.fault is not None

    def add(self, stream: WorkQueue) -> None:
        """Adds a queue, unless it is there."""
        while stream not in self.streams:
            before = self.streams
            streams = (*before, stream)
            if self._replace(before, streams, *_ranks(streams)):
                return

    def discard(self, stream: WorkQueue) -> None:
        """Removes a queue."""
        while True:
            before = self.streams
            streams = tuple(other for other in before if other is not stream)
            if self._replace(before, streams, *_ranks(streams)):
                return

    @step
    def _replace(self, before: tuple[WorkQueue, ...], streams: tuple[WorkQueue, ...], top: int, bottom: int) -> bool:
        if self.streams is not before:
            return False
        self.streams = streams
        self.top_rank = top
        self.bottom_rank = bottom
        return True

    def listen(self, listener: ActivityListener) -> None:
        """Has a listener hear of all commands that begin from now on, until `ignore`."""
        while listener not in self.listeners:
            before = self.listeners
            self._replace_listeners(before, (*before, listener))

    def ignore(self, listener: ActivityListener) -> None:
        """Has a listener hear of nothing any more."""
        while listener in self.listeners:
            before = self.listeners
            self._replace_listeners(before, tuple(other for other in before if other is not listener))

    @step
    def _replace_listeners(self, before: tuple[ActivityListener, ...], listeners: tuple[ActivityListener, ...]) -> None:
        if self.listeners is before:
            self.listeners = listeners

    @property
    def skips(self) -> bool:
        """True if a listener has launches and copies skipped."""
        return any(listener.skips for listener in self.listeners)

    def report(
        self, device: object, work: DeviceWork, done: WorkDone, nanoseconds: int, profile: Profile | None = None
    ) -> None:
        """Tells the listeners the work of the command that this thread executes, which took `nanoseconds`."""
        start = began.get(0) or self.tick()
        end = self.tick_behind(start, nanoseconds)
        activity = Activity(device, start, end, nanoseconds, work, done, profile)
        for listener in self.listeners:
            listener.hear(activity)

    def has_ready_above(self, rank: int) -> bool:
        """Returns whether a queue of higher rank has a command that is about to start."""
        return any(stream.rank > rank and stream.is_ready for stream in self.streams)

    def is_idle(self, owner: object = None) -> bool:
        """Returns whether the queues of `owner` have no work pending; with None, all queues."""
        return all(stream.idle for stream in self.streams if owner is None or stream.owner is owner)

    def tick(self) -> int:
        """Returns the device time in ticks; no two calls return the same time."""
        return self._tick_from(time.monotonic_ns() // self.tick_ns)

    @step
    def _tick_from(self, now: int) -> int:
        last = self._last_tick
        if now <= last:
            now = last + 1
        self._last_tick = now
        return now

    def tick_behind(self, start: int, nanoseconds: int | None) -> int:
        """Returns the time at which work ends that began at `start` and takes `nanoseconds` on the device (None: it
        ends now).
        """
        if nanoseconds is None:
            return self.tick()
        return self._tick_to(start + max(1, round(nanoseconds / self.tick_ns)))

    @step
    def _tick_to(self, end: int) -> int:
        if self._last_tick < end:
            self._last_tick = end
        return end

    def lose(self, fault: str) -> None:
        """Marks the device as lost because of `fault`, which drops all that is pending on it."""
        if self.fault is None:
            self.meter.lose()
        self._end_epoch(fault, Epoch())
        self.machine.notify()

    @step
    def _end_epoch(self, fault: str, next: Epoch) -> None:
        if self.fault is None:
            self.fault = fault
        self.epoch.fault = fault
        self.epoch = next

    def recover(self) -> None:
        """Puts a lost device back into service; dropped commands stay dropped."""
        self.fault = None
        self.meter.recover()

    def lost_error(self, fault: str | None = None) -> ZeError:
        """Returns the error `DEVICE_LOST` with the report of a fault, by default the latest one."""
        return ZeError(ze_result_t.ZE_RESULT_ERROR_DEVICE_LOST, fault or self.fault or f"{self._name} was lost")

    def require_process(self) -> None:
        """Raises `UNINITIALIZED` for the device of a parent process: a child of fork has none of its threads."""
        if self._forks != PROCESS.forks:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, f"{self._name} is a device of the process that forked"
            )

    def require_available(self) -> None:
        """Raises `DEVICE_LOST` if the device is lost, and `UNINITIALIZED` if it is that of a parent process."""
        self.require_process()
        if self.fault is not None:
            raise self.lost_error()

    def wait(self, ready: Callable[[], bool], timeout: int) -> bool:
        """Waits at most `timeout` nanoseconds until `ready()`, and returns whether it is.

        Raises:
            ZeError: `DEVICE_LOST` if the device is lost or becomes so.
        """
        self.require_process()
        done = self.machine.wait(lambda: self.lost or ready(), timeout)
        self.require_available()
        return done


def _ranks(streams: tuple[WorkQueue, ...]) -> tuple[int, int]:
    """Returns the highest and the lowest rank."""
    ranks = [stream.rank for stream in streams]
    return max(ranks, default=0), min(ranks, default=0)
