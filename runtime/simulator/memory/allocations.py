"""The ranges of memory that are live, and the remains of those that were."""

from __future__ import annotations

import ctypes
import mmap
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.memory.addresses import address_of


class Account(Protocol):
    """Somebody whose memory allocations take."""

    local_bytes: int

    def charged(self) -> None:
        """Is told that `local_bytes` has changed."""


class Nobody:
    """An account that no one reads."""

    __slots__ = ("local_bytes",)

    def __init__(self) -> None:
        self.local_bytes = 0

    def charged(self) -> None:
        """Does nothing."""


class Holder:
    """The allocations that somebody holds: the list changes in the same step as the memory."""

    __slots__ = ("held",)

    def __init__(self) -> None:
        self.held: list[Allocation] = []


class OverlapsLiveMemory(ValueError):
    """A range that overlaps `other`, which is live."""

    def __init__(self, text: str, other: Allocation) -> None:
        super().__init__(text)
        self.other = other


class Allocation:
    """A range of live memory.

    `kind` is device, host, shared or whatever the owner calls it; `label` is for reports. `account` counts its bytes
    while it is live, and `record` is what its owner notes about it. `is_lent` is True for memory of the host that a
    launch uses and gives back.
    """

    __slots__ = (
        "__weakref__",
        "_backing", "account", "address", "end", "initialized", "is_lent", "kind", "label", "record", "references",
        "size", "writable",
    )  # fmt: skip

    def __init__(
        self,
        address: int,
        size: int,
        kind: str,
        label: str,
        writable: bool,
        backing: NDArray[np.uint8] | None = None,
        *,
        account: Account | None = None,
        record: object = None,
        is_lent: bool = False,
    ):
        self.address = address
        self.size = size
        self.end = address + size
        """The first address after the allocation."""
        self.kind = kind
        self.label = label
        self.writable = writable
        self.references = 1
        self.initialized: NDArray[np.uint8] | None = None
        """A nonzero byte for each initialized byte; None if all of them count as initialized."""
        self.account: Account = account or Nobody()
        self.record = record
        self.is_lent = is_lent
        self._backing = backing

    @property
    def is_owned(self) -> bool:
        """Returns whether the bytes were allocated here, rather than registered."""
        return self._backing is not None

    @property
    def pages(self) -> tuple[int, int]:
        """Returns address and size of the whole pages of an allocation that was made with `whole_pages`."""
        assert self._backing is not None
        size = self._backing.size
        return address_of(self._backing), -(-size // mmap.PAGESIZE) * mmap.PAGESIZE

    def view(self) -> memoryview:
        """Returns the bytes in place, read-only if the allocation is. A view keeps allocated (not registered) bytes
        alive.

        Writes through a view are not tracked, so all bytes count as initialized from then on.
        """
        self.initialized = None
        return self.data.data

    @property
    def data(self) -> NDArray[np.uint8]:
        """The bytes as an array, for callers that report what they write with `initialize`."""
        if self._backing is not None:
            start = self.address - address_of(self._backing)
            array = self._backing[start : start + self.size]
        else:
            array = np.frombuffer(memoryview((ctypes.c_ubyte * self.size).from_address(self.address)), np.uint8)
        array.flags.writeable = self.writable
        return array

    def write(self, offset: int, data: bytes) -> None:
        """Overwrites bytes from byte `offset` on, even if kernels may only read them."""
        ctypes.memmove(self.address + offset, data, len(data))

    def initialize(self, start: int, size: int) -> None:
        """Marks `size` bytes from byte `start` on as initialized."""
        if self.initialized is not None:
            self.initialized[start : start + size] = 1

    def __str__(self) -> str:
        name = f" '{self.label}'" if self.label else ""
        return f"{self.kind} memory{name}, {self.size} bytes at {self.address:#x}"


@dataclass(frozen=True)
class FreedAllocation:
    """A range that was live in the past, for reports."""

    address: int
    size: int
    kind: str
    label: str

    @property
    def end(self) -> int:
        """The first address after the range."""
        return self.address + self.size

    def __str__(self) -> str:
        name = f" '{self.label}'" if self.label else ""
        return f"freed {self.kind} memory{name}, {self.size} bytes at {self.address:#x}"
