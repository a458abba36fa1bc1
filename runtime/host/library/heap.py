"""Memory of host programs, with a limit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runtime.simulator import fill_with_poison


class HeapError(Exception):
    """Memory that is not available, or that was not allocated."""


class Heap:
    """Memory on request, up to `limit` bytes in total, until it is freed or nothing refers to the heap.

    It starts as zeros, or as poison.
    """

    def __init__(self, limit: int, *, poisons: bool = False) -> None:
        self._limit = limit
        self._poisons = poisons
        self._used = 0
        self._blocks: dict[int, tuple[NDArray[np.uint8], int]] = {}

    def allocate(self, size: int, alignment: int) -> int:
        """Returns the address of fresh memory. Raises `HeapError`."""
        if size > self._limit - self._used:
            raise HeapError(f"asks for {size} bytes, {self._used} of {self._limit} are in use")
        try:
            block = np.zeros(size + alignment, np.uint8)
        except MemoryError:
            raise HeapError(f"asks for {size} bytes, which this machine does not have") from None
        if self._poisons:
            fill_with_poison(block)
        start = block.__array_interface__["data"][0]
        address: int = -(-start // alignment) * alignment
        self._blocks[address] = block, size
        self._used += block.nbytes
        return address

    def extent(self, address: int) -> tuple[int, int] | None:
        """Returns the first and the end address of the memory allocated at an address; None if there is none."""
        _, size = self._blocks.get(address, (None, None))
        return None if size is None else (address, address + size)

    def around(self, address: int) -> tuple[int, int] | None:
        """Returns the first and the end address of the memory that an address is in; None if there is none."""
        blocks = ((start, start + size) for start, (_, size) in self._blocks.items())
        return next((block for block in blocks if block[0] <= address < block[1]), None)

    def free(self, address: int) -> None:
        """Frees memory. Raises `HeapError`."""
        block, _ = self._blocks.pop(address, (None, 0))
        if block is None:
            raise HeapError(f"frees memory at {address:#x}, which this program has not allocated or has freed already")
        self._used -= block.nbytes
