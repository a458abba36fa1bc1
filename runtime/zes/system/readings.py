"""Readings of a card: times, clocks, temperatures and energies, from the counters of its work."""

from __future__ import annotations

import time

from runtime.card import Board, ClockBounds, TileCount, bounds_of, clock_at
from runtime.ze.driver import Device
from runtime.zes.system.access import board


def timestamp() -> int:
    """Returns the time of the host's monotonic clock in microseconds, which all processes share."""
    return time.monotonic_ns() // 1000


def microseconds(board: Board, tiles: tuple[int, ...], *counts: TileCount) -> int:
    """Returns the sum of counts in nanoseconds, over some tiles, in microseconds."""
    return sum(board.tile_count(tile, count) for tile in tiles for count in counts) // 1000


def microjoules(board: Board, tiles: tuple[int, ...]) -> int:
    """Returns the energy that the work of some tiles has taken."""
    return sum(board.tile_count(tile, TileCount.NANOJOULES) for tile in tiles) // 1000


def celsius(card: Device, tile: int) -> float:
    """Returns the temperature of a tile: that of an idle one plus the rise by the heat of its work."""
    power = card.target.power
    return power.idle_celsius + board(card).heat(tile, power.cooling_seconds) / power.heat_joules


def clock_bounds(card: Device, tile: int) -> ClockBounds:
    """Returns the bounds of the clock of a tile."""
    return bounds_of(card.target, board(card), tile)


def requested_clock(card: Device, tile: int) -> float:
    """Returns the clock in MHz at which work of a tile executes that keeps the limit of the power."""
    return clock_at(card.target, clock_bounds(card, tile).most_mhz)
