"""Streams: reports at regular times, from a buffer that keeps the latest ones."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from functools import partial
from typing import ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from runtime.concurrency import Latch, can_start_threads, lazy, start_thread, step
from runtime.ze.driver import Activity, Context, Event, Handle
from runtime.zet.metrics.system.counters import INDEX, Numbers, added
from runtime.zet.metrics.system.groups import MetricGroup

BUFFER_BYTES = 8 << 20
"""The size of the buffer of a stream."""

_NOTHING = np.empty(0, np.int64)

LOOK_SECONDS = 0.05
"""The longest sleep of the thread that notifies."""

_TIME = [INDEX[name] for name in ("elapsed_ns", "elapsed_clocks", "clock_ns")]
"""Counters of the time that kernels take; copies go on beside them."""

T = TypeVar("T")

Chain = tuple[T, "Chain[T]"] | None
"""Things in the order in which they came, the latest first."""


class _StreamedWork(NamedTuple):
    """The work of a tile between two times, and what it adds to the counters."""

    tile: int
    start: int
    end: int
    counts: Numbers

    def behind(self, time: int) -> _StreamedWork:
        """Returns the same work, but not before a time: its samples were read while it was simulated."""
        delay = max(time - self.start, 0)
        return self._replace(start=self.start + delay, end=self.end + delay)

    def until(self, times: Numbers) -> Numbers:
        """Returns what it has added by some times: a row for each."""
        share = np.clip((times - self.start) / (self.end - self.start), 0.0, 1.0)[:, None]
        return np.where(share < 1.0, np.floor(self.counts * share).astype(np.int64), self.counts)


class _StreamState(NamedTuple):
    """The state of a stream.

    `passed` counts the samples that were read or lost. `carried` is work that is not reported to its end, `heard` work
    that came since the last reading, `marks` are times with their markers, and `marker` is the latest one before.
    """

    passed: int
    carried: tuple[_StreamedWork, ...]
    heard: Chain[_StreamedWork]
    marks: Chain[tuple[int, int]]
    marker: int


class MetricStreamer(Handle):
    """A stream of the reports of a group: one for each tile at every sample.

    Attributes:
        period: Ticks of the device's timer between samples.
        notify_every: The reports after which the notification event is signaled.
    """

    noun: ClassVar[str] = "metric streamer"

    skips = False

    def __init__(
        self, context: Context, group: MetricGroup, notify_every: int, nanoseconds: int, event: Event | None
    ) -> None:
        super().__init__(context)
        self.context = context
        self.group = group
        self.event = event
        self._unit = group.unit
        self._processor = group.unit.device.processor
        self.period = max(1, round(nanoseconds / self._processor.tick_ns))
        self.notify_every = min(max(notify_every, 1), self.capacity)
        self._state = _StreamState(0, (), None, None, 0)
        self._ended = Latch()
        self._opened = self._processor.tick()
        self._unit.users[self] = group
        self._processor.listen(self)
        if event is not None and can_start_threads():
            start_thread(partial(_watch, weakref.ref(self), self._ended))

    @lazy
    def _columns(self) -> list[int]:
        return [INDEX[name] for name in self.group.form.row.counters]

    @property
    def capacity(self) -> int:
        """The samples that the buffer has room for."""
        return BUFFER_BYTES // self.sample_bytes

    @property
    def sample_bytes(self) -> int:
        """The bytes of the reports of one sample."""
        return self.group.form.report.itemsize * len(self._unit.tiles)

    @property
    def period_ns(self) -> int:
        return self.period * self._processor.tick_ns

    @property
    def available(self) -> int:
        """The samples that can be read now."""
        return min(self._now() - self._state.passed, self.capacity)

    def _now(self) -> int:
        """Returns the number of samples since the stream was opened."""
        return (self._processor.tick() - self._opened) // self.period

    # What commands do ------------------------------------------------------------------------------------------------

    def hear(self, activity: Activity) -> None:
        tile = self._unit.tile_of(activity)
        if tile is None:
            return
        counts = added(activity)
        if activity.profile is None:
            counts[_TIME] = 0
        start = max(activity.start, self._opened)
        piece = _StreamedWork(tile, start, max(activity.end, start + 1), counts[self._columns])
        while not self._replace(before := self._state, before._replace(heard=(piece, before.heard))):
            pass

    def mark(self, value: int) -> None:
        """Puts a marker into the stream. It is called when the command executes."""
        mark = (self._processor.tick(), value)
        while not self._replace(before := self._state, before._replace(marks=(mark, before.marks))):
            pass

    @step
    def _replace(self, before: _StreamState, after: _StreamState) -> bool:
        if self._state is not before:
            return False
        self._state = after
        return True

    # Reading ---------------------------------------------------------------------------------------------------------

    def read(self, most: int) -> tuple[bytes, bool]:
        """Returns the reports of at most some samples, and whether others with work in them were lost before these."""
        clock = self._unit.device.meter.clock_mhz
        while True:
            before = self._state
            start = self._opened + before.passed * self.period
            pieces = (*before.carried, *(piece.behind(start) for piece in in_order(before.heard)))
            now = self._now()
            samples, is_lost = self._kept(pieces, before.passed, now)
            taken = samples[:most]
            passed = now if len(taken) == len(samples) else int(samples[len(taken)])
            reports, after = self._reported(before, pieces, taken, passed, clock)
            if not len(taken) or self._replace(before, after):
                return reports, is_lost

    def _kept(self, pieces: Sequence[_StreamedWork], first: int, last: int) -> tuple[Numbers, bool]:
        """Returns the samples from `first` up to `last` that the buffer has, and whether any with work is lost.

        If there are more than it has room for, those in which nothing was done go first, and then the oldest.
        """
        room = self.capacity
        if last - first <= room:
            return np.arange(first, last), False
        ranges = [self._samples_of(piece, first, last) for piece in pieces]
        busy = np.unique(np.concatenate([np.arange(max(low, high - room), high) for low, high in ranges] or [_NOTHING]))
        if len(busy) > room or any(high - low > room for low, high in ranges):
            return busy[-room:], True
        idle = np.setdiff1d(np.arange(last - room, last), busy)
        return np.union1d(busy, idle[len(busy) - room :] if len(busy) < room else _NOTHING), False

    def _samples_of(self, piece: _StreamedWork, first: int, last: int) -> tuple[int, int]:
        """Returns the samples, of those from `first` up to `last`, between whose edges work was done."""
        low = max((piece.start - self._opened) // self.period, first)
        return min(low, last), min(max(-(-(piece.end - self._opened) // self.period), low), last)

    def _reported(
        self, state: _StreamState, pieces: Sequence[_StreamedWork], samples: Numbers, passed: int, clock: float
    ) -> tuple[bytes, _StreamState]:
        """Returns the reports of some samples, and the state in which all before `passed` were read."""
        unit, form = self._unit, self.group.form
        starts = self._opened + samples * self.period
        rows = np.zeros((len(samples), len(unit.tiles), len(self._columns)), np.int64)
        for piece in pieces:
            low, high = np.searchsorted(samples, self._samples_of(piece, 0, passed))
            done = piece.until(starts[low:high] + self.period) - piece.until(starts[low:high])
            rows[low:high, piece.tile] += done
        self._add_time(rows, clock)
        end = self._opened + passed * self.period
        marks = in_order(state.marks)
        reports = np.zeros((len(samples), len(unit.tiles)), form.report)
        reports["tag"] = form.tag
        reports["tile"] = np.arange(len(unit.tiles))
        reports["marker"] = _markers(marks, starts + self.period, state.marker)[:, None]
        reports["begin_ns"] = (starts * self._processor.tick_ns)[:, None]
        reports["counters"] = rows
        past = [value for at, value in marks if at <= end]
        waiting: Chain[tuple[int, int]] = None
        for mark in marks[len(past) :]:
            waiting = (mark, waiting)
        carried = tuple(piece for piece in pieces if piece.end > end)
        return reports.tobytes(), _StreamState(passed, carried, None, waiting, past[-1] if past else state.marker)

    def _add_time(self, rows: Numbers, clock: float) -> None:
        """Adds the time for which nothing was computed, in which the clock goes on."""
        period, names = self.period_ns, self.group.form.row.counters
        elapsed, clocks, clock_ns = (
            rows[..., names.index(name)] for name in ("elapsed_ns", "elapsed_clocks", "clock_ns")
        )
        idle = np.maximum(period - elapsed, 0)
        elapsed[...] = period
        clocks[...] = np.minimum(clocks + np.rint(idle * clock / 1e3), period * clock // 1e3 + 1)
        clock_ns[...] = np.minimum(clock_ns + np.rint(idle * clock), period * clock)
        if "busy_clocks" in names:
            busy = rows[..., names.index("busy_clocks")]
            np.minimum(busy, clocks, out=busy)

    # End and notification --------------------------------------------------------------------------------------------

    def notify(self) -> float:
        """Signals the event if there are enough reports; returns the seconds until there may be."""
        missing = self.notify_every - self.available
        if missing > 0:
            return self.seconds_until(missing)
        event = self.event
        if event is not None and event.alive and not event.signaled:
            now = self._processor.tick()
            event.complete(now, now)
            self._processor.machine.notify()
        return LOOK_SECONDS

    def seconds_until(self, missing: int) -> float:
        """Returns the seconds until there may be so many more samples."""
        return missing * self.period_ns / 1e9

    def retire(self) -> bool:
        """Closes the stream."""
        if not super().retire():
            return False
        self._processor.ignore(self)
        self._unit.users.pop(self, None)
        self._ended.open()
        return True


def _watch(reference: weakref.ref[MetricStreamer], ended: Latch) -> None:
    """Signals the event of a stream whenever there are enough reports, as long as the stream is open."""
    while True:
        streamer = reference()
        if streamer is None:
            return
        seconds = streamer.notify()
        del streamer
        if ended.wait(min(seconds, LOOK_SECONDS)):
            return


def in_order(chain: Chain[T]) -> list[T]:
    """Returns the things of a chain, the first one first."""
    found: list[T] = []
    while chain is not None:
        thing, chain = chain
        found.append(thing)
    return found[::-1]


def _markers(marks: Sequence[tuple[int, int]], times: Numbers, before: int) -> NDArray[np.uint64]:
    """Returns the latest marker at each of some times."""
    values = np.array([before, *(value for _, value in marks)], np.uint64)
    return values[np.searchsorted(np.array([at for at, _ in marks], np.int64), times, side="right")]
