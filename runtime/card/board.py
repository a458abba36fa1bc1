"""The file of a card."""

from __future__ import annotations

import math
import mmap
import os
import time
from collections.abc import Iterator

from runtime.card.card_file import keep_to_itself, open_card
from runtime.card.counters import (
    SLOT_WORDS,
    SLOTS,
    CardCount,
    CardUser,
    TileCount,
    Words,
    add,
    claim,
    heat_word,
    is_alive,
    tile_word,
    user_of,
)
from runtime.card.locking import CardBusy, FileLock
from runtime.card.settings import BANK_BYTES, CardSettings
from runtime.concurrency import PROCESS

_HEAD_BYTES = 4096

_GENERATION, _EPOCH = 1, 2
"""Words of the head, of which the first marks the file."""

_LARGEST = 1 << 61
"""A size that no count reaches: some seventy years in nanoseconds. A process may leave negative bytes of memory."""

_SLOTS_AT = _HEAD_BYTES + 2 * BANK_BYTES

_SIZE = _SLOTS_AT + SLOTS * SLOT_WORDS * 8


class Board:
    """The state of a card in its file.

    Without a runtime directory, with a file that is damaged or has no room, or if more processes use the card than it
    has slots, the state is that of this process.

    Attributes:
        settings: The settings of the card.
        is_shared: False if other processes do not see it.
    """

    def __init__(self, name: str) -> None:
        descriptor, self.is_shared = open_card(name, _SIZE, _has_sound_slots)
        self._lock = FileLock(descriptor)
        data = memoryview(mmap.mmap(descriptor, _SIZE))
        self._head: Words = data[:_HEAD_BYTES].cast("q")
        self._slots: Words = data[_SLOTS_AT:].cast("q")
        generation = self._head[_GENERATION : _GENERATION + 1]
        self.settings = CardSettings(generation, data[_HEAD_BYTES:_SLOTS_AT], self._lock)
        self._own: Words | None = None

    def enter(self) -> None:
        """Makes this process a user of the card, so that others see that it lives."""
        self.own  # noqa: B018 - a slot is taken when it is first asked for

    def _slot(self, number: int) -> Words:
        return self._slots[number * SLOT_WORDS : (number + 1) * SLOT_WORDS]

    @property
    def own(self) -> Words:
        """The slot of this process, which becomes a user of the card.

        It is memory of this process alone if there is no slot, or nobody can take one: work does not depend on it.
        """
        if self._own is None:
            try:
                with self._lock.held():
                    if self._own is None:
                        self._own = self._claimed()
            except CardBusy as error:
                keep_to_itself(str(error))
                self._own = _slot_of_its_own()
        return self._own

    def _claimed(self) -> Words:
        slots = map(self._slot, range(SLOTS))
        slot = next((slot for slot in slots if not is_alive(slot)), None)
        if slot is None:
            return _slot_of_its_own()
        claim(slot)
        return slot

    @property
    def used_slots(self) -> Iterator[Words]:
        """The slots that any process has or had. The first that none had ends them, as they are taken in order."""
        for number in range(SLOTS):
            slot = self._slot(number)
            if not slot[1]:
                return
            yield slot

    def card_count(self, count: CardCount) -> int:
        """Returns a count of the card."""
        return sum(slot[count] for slot in self.used_slots)

    def tile_count(self, tile: int, count: TileCount) -> int:
        """Returns a count of a tile."""
        word = tile_word(tile, count)
        return sum(slot[word] for slot in self.used_slots)

    def heat(self, tile: int, cooling_seconds: float) -> float:
        """Returns the heat in joules that work has left in a tile and that has not gone away since."""
        word, now = heat_word(tile), time.monotonic_ns()
        found = ((slot[word], slot[word + 1]) for slot in self.used_slots)
        return sum(heat * decay(now - then, cooling_seconds) for heat, then in found) / 1e9

    def users(self) -> list[CardUser]:
        """Returns the processes that use the card."""
        return [user_of(slot) for slot in self.used_slots if is_alive(slot)]

    @property
    def epoch(self) -> int:
        """The number of times that the card was reset."""
        number: int = self._head[_EPOCH]
        return number

    def reset(self) -> None:
        """Resets the card: work of all processes that have used it before is lost."""
        slot = self.own
        with self._lock.held():
            self._head[_EPOCH] = self._head[_EPOCH] + 1
        add(slot, CardCount.RESETS, 1)


def _has_sound_slots(descriptor: int) -> bool:
    """Returns whether a file has counts in its slots that there can be."""
    words = memoryview(os.pread(descriptor, _SIZE - _SLOTS_AT, _SLOTS_AT)).cast("q")
    return min(words) >= -_LARGEST and max(words) <= _LARGEST


def _slot_of_its_own() -> Words:
    slot = memoryview(bytearray(SLOT_WORDS * 8)).cast("q")
    claim(slot)
    return slot


def decay(nanoseconds: int, cooling_seconds: float) -> float:
    """Returns the share of heat that is left after some time. Times before a start of the system are long ago."""
    return math.exp(-nanoseconds / 1e9 / cooling_seconds) if nanoseconds >= 0 else 0.0


_Home = tuple[int, str]
"""The number of forks that led to this process, and the runtime directory."""

_boards: dict[_Home, dict[str, Board]] = {}


def board_of(name: str) -> Board:
    """Returns the board of a card, the same object for the same name.

    A child of fork opens the file anew, and so does a process that changes its runtime directory; the boards before
    are closed when nobody uses them any longer.
    """
    home = PROCESS.forks, os.environ.get("XEGPU_RUNTIME_DIR", "")
    boards = _boards.get(home)
    if boards is None:
        _boards.clear()
        boards = _boards.setdefault(home, {})
    found = boards.get(name)
    return found if found is not None else boards.setdefault(name, Board(name))
