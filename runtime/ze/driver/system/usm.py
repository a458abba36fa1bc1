"""Records of the allocations of a context."""

from __future__ import annotations

from dataclasses import field
from enum import Enum, auto
from typing import TYPE_CHECKING, Protocol

from runtime.ze.driver.handle import claimed
from runtime.ze.driver.system.device import Device
from runtime.ze.spec.enums import ze_memory_type_t
from xegpu.on_demand import dataclass

if TYPE_CHECKING:
    from runtime.simulator import Allocation


class MemoryOrigin(Enum):
    """The origin of memory, which says how it ends.

    In this order: by `zeMemFree`, `zeMemCloseIpcHandle`, `zeVirtualMemUnmap`, and with its module.
    """

    ALLOCATED = auto()
    OPENED = auto()
    MAPPED = auto()
    LOADED = auto()


@dataclass(eq=False)
class Usm:
    """One allocation of unified shared memory.

    Attributes:
        owner: The context that it belongs to.
        id: The number that the specification gives it.
        type: Device, host or shared.
        size: Its size in bytes, as requested.
        device: The device that it belongs to, if any.
        home: The device whose local memory it takes, if any.
        origin: Its origin.
        shared_file: The file that holds it, once other processes can open it.
        mapped: Address and size of the mapping that ends with it, if any.
        claim: That of whoever creates it.
        is_ending: True if it is freed as soon as no command can use it any more.
        allocation: The machine's memory, whose record this is.
    """

    owner: object
    id: int
    type: ze_memory_type_t
    size: int
    device: Device | None
    home: Device | None = None
    origin: MemoryOrigin = MemoryOrigin.ALLOCATED
    shared_file: int | None = None
    mapped: tuple[int, int] | None = None
    is_ending: bool = False
    claim: object = field(default_factory=claimed.get)
    allocation: Allocation = field(init=False)

    def recorded(self, allocation: Allocation) -> Usm:
        """Becomes the record of the machine's memory."""
        self.allocation = allocation
        return self


class Reservation(Protocol):
    """A range of addresses that the application maps memory to."""

    def maps(self, memory: object) -> bool:
        """Returns whether any part of some physical memory is mapped."""

    def release(self) -> None:
        """Frees the addresses, with what is mapped there."""
