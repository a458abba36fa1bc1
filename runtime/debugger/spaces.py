"""The address spaces of a stopped thread, wherever it runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from runtime.debugger.errors import DebugError
from runtime.simulator import Memory
from runtime.simulator.interpreter import Thread
from runtime.simulator.interpreter.alu import Bytes

SPACES = {
    "global": "device, host and shared memory",
    "slm": "shared local memory of the work-group",
    "scratch": "scratch space of the thread",
}
"""Address spaces, and their meanings."""


class DebugMemory(Protocol):
    """The memory that a stopped thread sees."""

    def read(self, space: str, address: int, size: int) -> Bytes:
        """Returns the bytes from an address on, at most `size`. Raises `DebugError` if there are none."""

    def write(self, space: str, address: int, data: bytes) -> None:
        """Overwrites bytes. Raises `DebugError` if they are not there, or cannot be written."""

    def label_of(self, address: int) -> str:
        """Returns an address of global memory as `<a+16>`; empty if the memory has no name."""

    def named(self, name: str) -> int | None:
        """Returns the address of the memory with a name."""

    def lines(self) -> Iterator[str]:
        """Yields a description of the allocations, line by line. Raises `DebugError` if they are not known."""


class ProcessMemory:
    """The memory of a thread that runs in this process."""

    def __init__(self, memory: Memory, thread: Thread) -> None:
        self._memory = memory
        self._thread = thread

    def read(self, space: str, address: int, size: int) -> Bytes:
        """Returns the bytes from an address on, at most `size`. Raises `DebugError` if there are none."""
        if space != "global":
            return self._local(space, address)[:size].copy()
        allocation = self._memory.find(address)
        if allocation is None:
            nearest = self._memory.nearest(address)
            raise DebugError(
                f"no memory at {address:#x}; nearest is {nearest}" if nearest else "no memory is allocated"
            )
        start = address - allocation.address
        return np.frombuffer(allocation.view(), np.uint8)[start : start + size].copy()

    def write(self, space: str, address: int, data: bytes) -> None:
        """Overwrites bytes. Raises `DebugError` if they are not there, or cannot be written."""
        if space != "global":
            place = self._local(space, address)[: len(data)]
            if len(place) < len(data):
                raise DebugError(f"{SPACES[space]} ends before {address + len(data):#x}")
            place[:] = np.frombuffer(data, np.uint8)
            return
        allocation = self._memory.find(address)
        if allocation is None or address + len(data) > allocation.end:
            raise DebugError(f"there is no memory of {len(data)} bytes at {address:#x}")
        if not allocation.writable:
            raise DebugError(f"{allocation} is read-only")
        self._memory.write(allocation, address - allocation.address, data)

    def label_of(self, address: int) -> str:
        """Returns an address of global memory as `<a+16>`; empty if the memory has no name."""
        allocation = self._memory.find(address)
        if allocation is None or not allocation.label:
            return ""
        return f" <{allocation.label}+{address - allocation.address}>"

    def named(self, name: str) -> int | None:
        """Returns the address of the memory with a name."""
        found = (item.address for item in self._memory.table().allocations if name in item.label.split(", "))
        return next(found, None)

    def lines(self) -> Iterator[str]:
        """Yields the allocations and the sizes of local memory."""
        for allocation in self._memory.table().allocations:
            yield f"{allocation}{'' if allocation.writable else ', read-only'}"
        yield f"slm: {len(self._thread.slm.bytes)} bytes, scratch: {len(self._thread.scratch.bytes)} bytes"

    def _local(self, space: str, address: int) -> Bytes:
        data = self._thread.slm.bytes if space == "slm" else self._thread.scratch.bytes
        if not 0 <= address < len(data):
            raise DebugError(f"no byte {address:#x}: {SPACES[space]} has {len(data)} bytes")
        return data[address:]
