"""States of events, and the memory in which several processes share them."""

from __future__ import annotations

import mmap
import os
import struct

from runtime.concurrency import Latch, start_thread
from runtime.ze.driver.linux.futex import wait_for_change, wake
from runtime.ze.driver.linux.ipc import new_file
from runtime.ze.driver.system.machine import Machine
from xegpu.on_demand import dataclass


@dataclass(frozen=True, slots=True)
class EventState:
    """The state of an event, and the device times, in ticks, of the command that signaled it."""

    signaled: bool = False
    start: int = 0
    end: int = 0


_HEADER_BYTES = 64

_SLOT = struct.Struct("<QQQQ")

_COUNTER = struct.Struct("<I")

_WATCH_SECONDS = 0.01
"""The longest time that a change may go unnoticed if two processes change events at the same moment.

The counter is incremented without an atomic operation, so that one of two simultaneous changes may be lost to it.
"""


def slot_bytes(count: int) -> int:
    """Returns the size in bytes of the file for the states of `count` events."""
    return _HEADER_BYTES + count * _SLOT.size


class SharedSlots:
    """The states of a pool's events in the pages of the file `fd`, which the object owns.

    The first word counts changes; processes wait for it to change (futex). No lock spans processes, so writes are
    ordered: the times of an event before the word that says that it is signaled, and both before the count. While
    `watch`ed, a thread waits for the count to change and wakes the threads of this process that wait.
    """

    def __init__(self, fd: int, count: int, machine: Machine) -> None:
        self.fd = fd
        self._machine = machine
        self._pages = mmap.mmap(fd, slot_bytes(count))
        self._watcher: Latch | None = None
        self._closed = False

    def read(self, index: int) -> EventState:
        signaled, start, end, _ = _SLOT.unpack_from(self._pages, _HEADER_BYTES + index * _SLOT.size)
        return EventState(bool(signaled), start, end)

    def write(self, index: int, state: EventState) -> None:
        offset = _HEADER_BYTES + index * _SLOT.size
        # Whoever sees the event signaled must see its times.
        struct.pack_into("<QQ", self._pages, offset + 8, state.start, state.end)
        struct.pack_into("<Q", self._pages, offset, state.signaled)
        self._announce()

    def watch(self) -> None:
        """Starts to look for changes that other processes make."""
        if self._watcher is None:
            watcher = Latch()

            def watch() -> None:
                try:
                    self._watch()
                finally:
                    watcher.open()

            start_thread(watch)
            self._watcher = watcher

    def close(self, *, keeps_pages: bool) -> None:
        """Closes the file, and looks for changes no more; those of other processes stay.

        Args:
            keeps_pages: True to keep the memory as long as anything refers to it, as pending commands do.
        """
        self._closed = True
        if self._watcher is not None:
            self._announce()
            self._watcher.wait()
        if not keeps_pages:
            self._pages.close()
        os.close(self.fd)

    def _announce(self) -> None:
        (count,) = _COUNTER.unpack_from(self._pages)
        _COUNTER.pack_into(self._pages, 0, (count + 1) & 0xFFFFFFFF)
        wake(self._pages)

    def _watch(self) -> None:
        (seen,) = _COUNTER.unpack_from(self._pages)
        while not self._closed:
            wait_for_change(self._pages, seen, _WATCH_SECONDS)
            (seen,) = _COUNTER.unpack_from(self._pages)
            self._machine.notify()


def new_slots(count: int, machine: Machine) -> SharedSlots:
    """Returns slots for `count` events, none of them signaled.

    Raises:
        ZeError: `OUT_OF_HOST_MEMORY`, or `UNSUPPORTED_FEATURE` if the system has no anonymous files.
    """
    return SharedSlots(new_file("xegpu-events", slot_bytes(count)), count, machine)
