"""The meter of one card or tile: adds the use by this process to the counters of the card."""

from __future__ import annotations

import math
import time
import weakref
from dataclasses import dataclass
from typing import NamedTuple

from runtime.card.board import Board, board_of, decay
from runtime.card.counters import (
    CardCount,
    LocalMemory,
    SlotWord,
    TileCount,
    Words,
    add,
    add_work,
    heat_word,
    replace_heat,
    show_memory,
    tile_word,
)
from runtime.card.energy import clock_at, clocks_of, watts_at
from xegpu.targets import Target

COMPUTE, DMA = 2, 16
"""Bits of the engines that a process uses, as Level Zero counts them."""

_PACKET_BYTES = 256
"""The bytes that a packet of the PCI link carries."""


@dataclass(frozen=True, eq=False)
class DeviceWork:
    """The work that a command asks of a tile, at any clock.

    Attributes:
        is_copy: True if an engine that only copies does it.
        kernels: The kernels that it launches.
        core_cycles: Cycles of the core clock that it takes, if nothing else takes longer.
        other_seconds: The time that memory and links take.
        launch_cycles: Cycles to start it.
        joules: The energy of its instructions at the highest voltage.
        read: Bytes that are read from local memory.
        written: Bytes that are written to local memory.
        received: Bytes that come from the host.
        sent: Bytes that go to the host.
    """

    is_copy: bool
    kernels: int = 0
    core_cycles: float = 0.0
    other_seconds: float = 0.0
    launch_cycles: float = 0.0
    joules: float = 0.0
    read: int = 0
    written: int = 0
    received: int = 0
    sent: int = 0

    def seconds(self, clock_mhz: float) -> float:
        """Returns the time that it takes at a clock."""
        return max(self.core_cycles / clock_mhz / 1e6, self.other_seconds) + self.launch_cycles / clock_mhz / 1e6


class ClockBounds(NamedTuple):
    """The bounds of the clock of a tile: the range that is set, in MHz, and the limit of its power in watts."""

    least_mhz: float
    most_mhz: float
    watts: float


class _Amounts(NamedTuple):
    """The amounts that one execution of work adds to the counters of its tile."""

    time: int
    """The word of its time."""
    nanoseconds: int
    nanojoules: int
    throttled_ns: int


class WorkDone(NamedTuple):
    """One execution of work: its clock, its time, the part of it at a clock below the one that was asked for."""

    clock_mhz: float
    seconds: float
    throttled_seconds: float
    joules: float


def execution_of(target: Target, work: DeviceWork, bounds: ClockBounds) -> WorkDone:
    """Returns how work executes within bounds: at the highest clock that keeps the limit of the power."""
    memory = memory_joules(target, work)
    wanted = clock_at(target, bounds.most_mhz)
    clocks = [clock for clock in clocks_of(target) if bounds.least_mhz <= clock <= wanted] or [wanted]
    for clock in reversed(clocks):
        seconds = work.seconds(clock)
        watts = watts_at(target, clock, seconds, work.joules, memory) if seconds else 0.0
        if watts <= bounds.watts or clock == clocks[0]:
            break
    return WorkDone(clock, seconds, seconds if clock < wanted else 0.0, watts * seconds)


def memory_joules(target: Target, work: DeviceWork) -> float:
    """Returns the energy of the bytes that work moves."""
    power = target.power
    moved = (work.read + work.written) * power.byte_picojoules
    return (moved + (work.received + work.sent) * power.link_picojoules) / 1e12


def bounds_of(target: Target, board: Board, tile: int) -> ClockBounds:
    """Returns the bounds that are set for a tile. The limit of a card is shared by its tiles."""
    settings = board.settings
    least, most = settings.numbers(
        f"frequency.{tile}.range", [float(target.power.least_clock_mhz), float(target.core_clock_mhz)]
    )
    limits = [
        settings.number(f"power.{tile}.sustained", target.power.sustained_watts),
        settings.number("power.card.sustained", target.power.sustained_watts * target.tiles) / target.tiles,
    ]
    return ClockBounds(least, most, min(limits))


class Meter:
    """Counts the work and the memory of one card or tile of this process.

    The process becomes a user of the card when it first has work or memory there.

    Args:
        name: The name of the card's board.
        target: The GPU.
        tile: The tile; work of a card as a whole counts as that of its first one.
    """

    def __init__(self, name: str, target: Target, tile: int) -> None:
        self._name = name
        self._target = target
        self._tile = tile
        self._board: Board | None = None
        self._slot: Words = memoryview(b"")
        self._known = -1
        self._bounds = ClockBounds(0.0, 0.0, math.inf)
        self._held: list[int] = [0]
        self._epoch = 0
        self._executions = _Executions(self._bounds)
        self._tile_word = tile_word(tile, TileCount.COMPUTE_NS)
        self._heat_word = heat_word(tile)

    def _attached(self) -> Board:
        board = self._board
        if board is None:
            board = board_of(self._name)
            self._slot = board.own
            self._epoch = board.epoch
            self._board = board
            weakref.finalize(self, _give_back, self._slot, SlotWord.MEMORY_BYTES + self._tile, self._held)
        return board

    @property
    def clock_mhz(self) -> float:
        """The clock at which work executes that keeps the limit of the power."""
        return clock_at(self._target, self.bounds.most_mhz)

    @property
    def bounds(self) -> ClockBounds:
        """The bounds that are set now."""
        board = self._attached()
        version = board.settings.version
        if version != self._known:
            self._bounds = bounds_of(self._target, board, self._tile)
            self._known = version
        return self._bounds

    @property
    def was_reset(self) -> bool:
        """True if the card was reset since this process began to use it, or since `recover`."""
        return self._board is not None and self._board.epoch != self._epoch

    def lose(self) -> None:
        """Counts a fault that has cost the process its device."""
        self._attached()
        add(self._slot, CardCount.PROGRAMMING_ERRORS, 1)
        add(self._slot, SlotWord.LOSSES, 1)

    def recover(self) -> None:
        """Notes that the device is back in service."""
        board = self._attached()
        self._epoch = board.epoch
        if self._slot[SlotWord.LOSSES]:
            add(self._slot, SlotWord.LOSSES, -1)

    def hold(self, holder: LocalMemory) -> None:
        """Shows the memory that the holder of the card's or tile's memory has now."""
        if self._board is None:
            if not holder.local_bytes:
                return
            self._attached()
        show_memory(self._slot, SlotWord.MEMORY_BYTES + self._tile, holder, self._held)

    def execution(self, work: DeviceWork) -> WorkDone:
        """Returns how work executes now."""
        return self._execution(work)[0]

    def _execution(self, work: DeviceWork) -> tuple[WorkDone, _Amounts]:
        """Returns how work executes now, and what it adds to the counters; the latest answers are cached."""
        bounds = self.bounds
        kept = self._executions
        if kept.bounds is not bounds or len(kept.answers) >= _MOST_KEPT:
            kept = self._executions = _Executions(bounds)
        known = kept.answers.get(id(work))
        if known is None:
            done = execution_of(self._target, work, bounds)
            time = tile_word(self._tile, TileCount.COPY_NS if work.is_copy else TileCount.COMPUTE_NS)
            nanoseconds = (round(seconds * 1e9) for seconds in (done.seconds, done.joules, done.throttled_seconds))
            known = kept.answers[id(work)] = (work, done, _Amounts(time, *nanoseconds))
        return known[1], known[2]

    def count(self, work: DeviceWork) -> WorkDone:
        """Counts work that was done, and returns how it executed."""
        done, amounts = self._execution(work)
        slot, tile = self._slot, self._tile_word
        add_work(
            slot, tile, amounts.time, amounts.nanoseconds, amounts.nanojoules, work.read, work.written, work.kernels
        )
        if amounts.throttled_ns:
            add(slot, tile_word(self._tile, TileCount.THROTTLED_NS), amounts.throttled_ns)
        if work.received or work.sent:
            add(slot, CardCount.RECEIVED_BYTES, work.received)
            add(slot, CardCount.SENT_BYTES, work.sent)
            add(slot, CardCount.PACKETS, -(-work.received // _PACKET_BYTES) - (-work.sent // _PACKET_BYTES))
        used = slot[_ENGINES] | (DMA if work.is_copy else COMPUTE)
        if slot[_ENGINES] != used:
            slot[_ENGINES] = used
        self._warm(amounts.nanojoules)
        return done

    def _warm(self, nanojoules: int) -> None:
        """Adds heat to the remainder of earlier heat."""
        slot, word = self._slot, self._heat_word
        while True:
            before, now = slot[word + 1], time.monotonic_ns()
            left, then = slot[word], before + 1
            if not 0 <= now - before < _SAME_TIME_NS:
                left, then = round(left * decay(now - before, self._target.power.cooling_seconds)), max(now, then)
            if replace_heat(slot, word, before, left + nanojoules, then):
                return


class _Executions:
    """The latest answers to how work executes, within some bounds, by the identity of the work that they keep."""

    def __init__(self, bounds: ClockBounds) -> None:
        self.bounds = bounds
        self.answers: dict[int, tuple[DeviceWork, WorkDone, _Amounts]] = {}


_ENGINES = int(SlotWord.ENGINES)

_SAME_TIME_NS = 100_000
"""The time within which heat counts as added at once: a millionth of it is lost meanwhile, which is not calculated."""

_MOST_KEPT = 1024
"""The answers of `execution` that are kept."""


def _give_back(slot: Words, word: int, held: list[int]) -> None:
    """Counts the memory of a device that is gone as free."""
    add(slot, word, -held[0])
