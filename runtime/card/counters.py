"""Counters of a card, in a slot of its file for each process that uses it.

Only its process writes a slot, so no count is lost however a process ends. A slot outlives its process, and the next
one that takes it counts on from there: the counts of a card are the sums over all slots, and never decrease. Whether
the process of a slot lives shows its number and the time at which it began, for numbers are used again.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Protocol

from runtime.concurrency import step

Words = memoryview
"""A view of 64-bit words."""

MOST_TILES = 2
"""The tiles of a card that a slot has room for."""

SLOT_WORDS = 64

SLOTS = 256

_TILE_COUNTS = 24
"""The first word of the counts of tiles."""

_TILE_WORDS = 16


class SlotWord(IntEnum):
    """Words of a slot that are about its process; they mean nothing when the process has ended."""

    PROCESS = 0
    BEGAN = 1
    ENGINES = 2
    SHARED_BYTES = 3
    LOSSES = 4
    """The devices of the process that are lost now."""
    MEMORY_BYTES = 6
    """The first of a word for each tile."""


class CardCount(IntEnum):
    """Counts of a card."""

    RECEIVED_BYTES = 8
    """Bytes that came from the host over the PCI link."""
    SENT_BYTES = 9
    PACKETS = 10
    RESETS = 11
    PROGRAMMING_ERRORS = 12
    """Faults of kernels."""


class TileCount(IntEnum):
    """Counts of a tile, in the order that `add_work` knows. Those in nanoseconds are of the simulated time."""

    COMPUTE_NS = 0
    COPY_NS = 1
    NANOJOULES = 2
    READ_BYTES = 3
    WRITTEN_BYTES = 4
    THROTTLED_NS = 5
    KERNELS = 6


_HEAT = 14
"""The first of two words of a tile: the heat in nanojoules that its work has left, and its time in nanoseconds."""


@dataclass(frozen=True)
class CardUser:
    """A process that uses a card: the bytes of its memory on each tile, and those that it shares."""

    process: int
    memory: tuple[int, ...]
    shared: int
    engines: int
    losses: int


def tile_word(tile: int, count: TileCount) -> int:
    """Returns the position in a slot of a count of a tile."""
    return _TILE_COUNTS + tile * _TILE_WORDS + count


class LocalMemory(Protocol):
    """Somebody who has local memory."""

    local_bytes: int


@step
def add(words: Words, index: int, amount: int) -> None:
    """Adds to a word."""
    words[index] = words[index] + amount


@step
def show_memory(words: Words, index: int, holder: LocalMemory, shown: list[int]) -> None:
    """Publishes a holder's value in a word shared with others, where `shown` is the value published before."""
    now = holder.local_bytes
    words[index] = words[index] + now - shown[0]
    shown[0] = now


@step
def add_work(
    words: Words, tile: int, time: int, nanoseconds: int, nanojoules: int, read: int, written: int, kernels: int
) -> None:
    """Adds to the counts of the tile that begin at a word, and to its word of time."""
    words[time] = words[time] + nanoseconds
    words[tile + 2] = words[tile + 2] + nanojoules
    words[tile + 3] = words[tile + 3] + read
    words[tile + 4] = words[tile + 4] + written
    words[tile + 6] = words[tile + 6] + kernels


@step
def replace_heat(words: Words, index: int, before: int, heat: int, time: int) -> bool:
    """Sets the heat of a tile and its time, if that is still the time `before`."""
    if words[index + 1] != before:
        return False
    words[index] = heat
    words[index + 1] = time
    return True


def heat_word(tile: int) -> int:
    """Returns the position in a slot of the heat of a tile, which its time follows."""
    return _TILE_COUNTS + tile * _TILE_WORDS + _HEAT


def began(process: int) -> int:
    """Returns the time at which a process began, in ticks since the system did; 0 if there is no such process."""
    try:
        text = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return 0
    # The name of the program, in parentheses, may contain anything; a zombie uses nothing.
    fields = text.rpartition(")")[2].split()
    return 0 if fields[0] in "ZX" else int(fields[19])


def is_alive(slot: Words) -> bool:
    """Returns whether the process of a slot lives."""
    process = slot[SlotWord.PROCESS]
    return process != 0 and began(process) == slot[SlotWord.BEGAN]


def claim(slot: Words) -> None:
    """Makes a slot that of this process. Its number is written last: until then the slot is nobody's."""
    slot[SlotWord.PROCESS] = 0
    slot[SlotWord.BEGAN] = began(os.getpid())
    for word in (SlotWord.ENGINES, SlotWord.SHARED_BYTES, SlotWord.LOSSES):
        slot[word] = 0
    for tile in range(MOST_TILES):
        slot[SlotWord.MEMORY_BYTES + tile] = 0
    slot[SlotWord.PROCESS] = os.getpid()


def user_of(slot: Words) -> CardUser:
    """Returns the process of a slot."""
    memory = tuple(slot[SlotWord.MEMORY_BYTES + tile] for tile in range(MOST_TILES))
    return CardUser(
        slot[SlotWord.PROCESS], memory, slot[SlotWord.SHARED_BYTES], slot[SlotWord.ENGINES], slot[SlotWord.LOSSES]
    )
