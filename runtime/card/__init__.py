"""Cards as all processes of a user see them: their counters, their users and their settings.

Each card has a file in the user's runtime directory. `counters` are what work adds to, `settings` what system
management sets; `energy` says what work costs. Nothing here knows Level Zero.
"""

from __future__ import annotations

from runtime.card.board import Board, board_of
from runtime.card.counters import CardCount, CardUser, TileCount
from runtime.card.directory import NoRuntimeDirectory, runtime_directory
from runtime.card.energy import clock_at, clocks_of, voltage_at, watts_at
from runtime.card.locking import CardBusy
from runtime.card.meter import ClockBounds, DeviceWork, Meter, WorkDone, bounds_of
from runtime.card.settings import CardSettings, SettingValue

__all__ = [
    "Board",
    "CardBusy",
    "CardCount",
    "CardSettings",
    "CardUser",
    "ClockBounds",
    "DeviceWork",
    "Meter",
    "NoRuntimeDirectory",
    "SettingValue",
    "TileCount",
    "WorkDone",
    "board_of",
    "bounds_of",
    "clock_at",
    "clocks_of",
    "runtime_directory",
    "voltage_at",
    "watts_at",
]
