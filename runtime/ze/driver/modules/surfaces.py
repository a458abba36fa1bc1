"""Memory that kernels need beside their arguments: for what they print, and for private values of their threads."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import finalize

from runtime.ze.driver.linux import mapping

if TYPE_CHECKING:
    from runtime.simulator import Allocation, Memory


class Surface:
    """Memory that the launches of a kernel have one after the other; one that finds it taken gets its own.

    Nothing is kept until somebody wants to know where it is. Threads may use it at the same time: items of lists are
    taken and given back in one step.
    """

    def __init__(self, memory: Memory, kind: str, label: str, alignment: int) -> None:
        self._memory = memory
        self._kind, self._label, self._alignment = kind, label, alignment
        self._kept: dict[int, Allocation] = {}
        self._idle: list[Allocation] = []
        self._is_closed = False

    def reserve(self, size: int) -> Allocation:
        """Returns the memory that is kept from now on, with `size` bytes at first. Raises `MemoryError`."""
        if not self._kept:
            made = self._allocate(size)
            if self._kept.setdefault(0, made) is made:
                self._idle.append(made)
            else:  # another thread was faster
                self._memory.free(made)
        return self._kept[0]

    def take(self, size: int) -> Allocation:
        """Returns memory for a launch. Raises `MemoryError`."""
        try:
            taken = self._idle.pop()
        except IndexError:
            return self._allocate(size)
        if taken.size >= size:
            return taken
        self.give_back(taken)
        return self._allocate(size)

    def give_back(self, taken: Allocation) -> None:
        """Ends a launch's use of its memory."""
        if taken is not self._kept.get(0):
            self._memory.free(taken)
            return
        self._idle.append(taken)
        if self._is_closed:
            self.close()

    def close(self) -> None:
        """Frees what is kept, at the end of the launch that has it."""
        self._is_closed = True
        while self._idle:
            self._memory.free(self._idle.pop())

    def _allocate(self, size: int) -> Allocation:
        return self._memory.allocate(size, self._alignment, self._kind, self._label)


class AddressRange:
    """Addresses without memory, which are free again when nobody has the range any more. Raises `MemoryError`."""

    def __init__(self, size: int, alignment: int) -> None:
        self.size = size
        self.address = mapping.reserve(size, alignment)
        finalize(self, mapping.release, self.address, size)
