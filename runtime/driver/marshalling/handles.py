"""The handles of C: addresses of cells, each of which stands for an object of the driver.

A handle is unique over all kinds of objects and stays the same as long as its object lives. A cell is used again late,
so that a handle that was destroyed stays unknown. The cells have room for the tables that version 1.17 of the
specification expects behind handles.
"""

from __future__ import annotations

import ctypes
from collections import deque

from runtime.ze.driver import FOLLOWERS, GONE, Handle

_CELL = 48

HEAD_BYTES = 32
"""The bytes of the addresses that a cell begins with: one for each API."""

_BLOCK = 1024
"""Cells that are allocated together."""

_RESTING = 1 << 16
"""Cells of destroyed objects that are not used again yet."""


class UnknownHandle:
    """The object behind a number that is no handle; every function refuses it."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __repr__(self) -> str:
        return f"{self._number:#x}"


class Handles(dict[int, "Handle | UnknownHandle | None"]):
    """The objects by their handles. Any number can be looked up."""

    def __init__(self) -> None:
        super().__init__({0: None})
        self.head = bytes(HEAD_BYTES)
        """The bytes that each cell begins with."""
        self._addresses: dict[Handle, int] = {}
        self._free: deque[int] = deque()
        self._resting: deque[int] = deque()
        self._blocks: list[ctypes.Array[ctypes.c_char]] = []

    def __missing__(self, number: int) -> UnknownHandle:
        return UnknownHandle(number)

    def of(self, object: Handle | None) -> int:
        """Returns the handle of an object, which gets one if it has none; null for None."""
        if object is None:
            return 0
        found = self._addresses.get(object)
        if found is None:
            found = self._addresses.setdefault(object, self._cell())
            self[found] = object
        return found

    def drop(self, object: Handle) -> None:
        """Forgets an object that was destroyed, by the application or with its parent."""
        address = self._addresses.pop(object, None)
        if address is not None:
            if object.went_with_parent:
                self[address] = GONE
            else:
                del self[address]
            self._resting.append(address)

    def _cell(self) -> int:
        while True:
            try:
                if len(self._resting) > _RESTING:
                    return self._resting.popleft()
                return self._free.popleft()
            except IndexError:  # none is free, or another thread took the last
                block = ctypes.create_string_buffer(self.head.ljust(_CELL, b"\0") * _BLOCK, _CELL * _BLOCK)
                self._blocks.append(block)
                first = ctypes.addressof(block)
                self._free.extend(range(first, first + _CELL * _BLOCK, _CELL))


HANDLES = Handles()
"""The handles of the process."""

FOLLOWERS.append(HANDLES.drop)
