"""Devices: cards and their tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from runtime.card import Meter
from runtime.concurrency import lazy
from runtime.ze.driver.handle import Handle
from runtime.ze.driver.system import properties
from runtime.ze.driver.system.machine import FOREVER, Machine
from runtime.ze.driver.system.processor import Processor
from runtime.ze.spec.enums import ze_device_property_flags_t
from runtime.ze.spec.structs import ze_pci_address_ext_t
from xegpu.targets import Target

if TYPE_CHECKING:
    from runtime.simulator import Memory, Simulator

SimulatorFactory: TypeAlias = "Callable[[Target, Memory], Simulator]"


class Device(Handle):
    """A card with some of its tiles, or one tile of a `card`.

    The tiles of a card are lost together, and execute kernels with one simulator. `tile` is the number of the first.
    `local_bytes` counts what is allocated from this very card or tile.
    """

    noun: ClassVar[str] = "device"

    def __init__(
        self,
        driver: Handle,
        machine: Machine,
        target: Target,
        make_simulator: SimulatorFactory,
        address: ze_pci_address_ext_t,
        tiles: Sequence[int] = (0,),
        card: Device | None = None,
    ) -> None:
        super().__init__(driver)
        self.driver = driver
        self.machine = machine
        self.target = target
        self.address = address
        self.tile_count = len(tiles)
        self.tile = tiles[0]
        self.card = self if card is None else card
        self.local_bytes = 0
        number = None if card is None else tiles[0]
        self.meter = Meter(self.board_name, target, tiles[0])
        self.processor: Processor = (
            Processor(machine, target.name, target.timer_ns, self.meter) if card is None else card.processor
        )
        self.attachments: dict[type, object] = {}
        """The objects that other APIs keep for the device, by their class."""
        self._make_simulator = make_simulator
        self.properties = properties.device(target, self.tile_count, address, number)
        self.compute = properties.compute(target)
        self.queue_groups = properties.queue_groups(target)
        self.tiles: tuple[Device, ...] = ()
        if card is None and self.tile_count > 1:
            self.tiles = tuple(
                Device(driver, machine, target, make_simulator, address, (tile,), self) for tile in tiles
            )
        self.sub_devices = self.tiles
        self.root: Device | None = card

    def stand_alone(self) -> None:
        """Makes a tile a root device, which has no card."""
        self.root = None
        is_part = ze_device_property_flags_t.ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE
        self.properties = replace(self.properties, flags=self.properties.flags & ~is_part)

    def takes_from(self, other: Device) -> bool:
        """Returns whether objects made for `other` can be used here: for this device, or for the card of this tile."""
        return other is self or other is self.card

    @lazy
    def simulator(self) -> Simulator:
        """The simulator, made when first needed, as listing devices needs none."""
        if self.card is not self:
            return self.card.simulator
        return self._make_simulator(self.target, self.machine.memory)

    @property
    def board_name(self) -> str:
        """The name of the card among all cards of the system: its identity and its PCI address."""
        place = self.address
        slot = f"{place.domain:04x}-{place.bus:02x}-{place.device:02x}.{place.function}"
        return f"{self.target.device_id:04x}-{slot}"

    def charged(self) -> None:
        """Shows the local memory that is taken now to all processes."""
        self.meter.hold(self)

    @property
    def memory_bytes(self) -> int:
        """The size of the local memory in bytes."""
        return self.target.memory_bytes * self.tile_count

    @property
    def free_bytes(self) -> int:
        """Bytes of local memory that are not allocated: of all tiles for a card, of its own for a tile."""
        card = self.card
        free = card.memory_bytes - card.local_bytes - sum(tile.local_bytes for tile in card.tiles)
        return free if self is card else min(free, self.memory_bytes - self.local_bytes)

    def require_room(self, size: int) -> None:
        """Raises `MemoryError` unless `size` bytes of local memory are left."""
        if size > self.free_bytes:
            raise MemoryError(f"{self.free_bytes} of {self.memory_bytes} bytes are left")

    def synchronize(self) -> None:
        """Waits until nothing is pending on any queue of the device.

        Raises:
            ZeError: `DEVICE_LOST` if the device is lost, or if work was dropped and no one was told.
        """
        processor = self.processor
        processor.require_process()
        self.machine.wait(lambda: self.idle, FOREVER)
        streams = [stream for stream in processor.streams if self.card is self or stream.owner is self]
        dropped = [epoch for stream in streams if (epoch := stream.take_dropped()) is not None]
        processor.require_available()
        for epoch in dropped:
            raise processor.lost_error(epoch.fault)

    @property
    def idle(self) -> bool:
        """True if nothing is pending on any queue of the device."""
        return self.processor.is_idle(None if self.card is self else self)
