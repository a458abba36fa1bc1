"""Cards as all processes of a user see them: their counters, their users and their settings.

Each card has a file in the user's runtime directory. `counters` are what work adds to, `settings` what system
management sets; `energy` says what work costs. Nothing here knows Level Zero.
"""

from runtime.card.board import Board as Board, board_of as board_of
from runtime.card.counters import CardCount as CardCount, TileCount as TileCount
from runtime.card.directory import (
    NoRuntimeDirectory as NoRuntimeDirectory,
    runtime_directory as runtime_directory,
)
from runtime.card.energy import clock_at as clock_at, clocks_of as clocks_of, voltage_at as voltage_at
from runtime.card.locking import CardBusy as CardBusy
from runtime.card.meter import (
    ClockBounds as ClockBounds,
    DeviceWork as DeviceWork,
    Meter as Meter,
    WorkDone as WorkDone,
    bounds_of as bounds_of,
)
from runtime.card.settings import SettingValue as SettingValue
