"""Records of the allocations of a context."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from runtime.simulator import Allocation
from runtime.ze.driver.system.device import Device
from runtime.ze.spec.enums import ze_memory_type_t


class MemoryOrigin(Enum):
    """Where memory comes from, and so how it ends.

    By `zeMemFree`, `zeMemCloseIpcHandle`, `zeVirtualMemUnmap`, and with its module.
    """

    ALLOCATED = auto()
    OPENED = auto()
    MAPPED = auto()
    LOADED = auto()


@dataclass(eq=False)
class Usm:
    """One allocation of unified shared memory; `size` as requested, `device` None where it belongs to no device.

    `home` is the device whose local memory it takes. `shared_file` is the file that holds it, once other processes can
    open it; `mapped` are address and size of what is to be unmapped at the end. `is_ending` tells that it is freed as
    soon as no command can use it any more.
    """

    id: int
    type: ze_memory_type_t
    size: int
    device: Device | None
    allocation: Allocation
    home: Device | None = None
    origin: MemoryOrigin = MemoryOrigin.ALLOCATED
    shared_file: int | None = None
    mapped: tuple[int, int] | None = None
    is_ending: bool = False


class Reservation(Protocol):
    """A range of addresses that the application maps memory to."""

    def release(self) -> None:
        """Give the addresses up, with what is mapped there."""
