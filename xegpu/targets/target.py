"""The description of one GPU."""

from __future__ import annotations

from dataclasses import dataclass

from xegpu.targets.platform import Platform
from xegpu.targets.power import ExecutionPower
from xegpu.targets.timing import ExecutionTiming

_LOCAL_ID_BYTES = 2
"""Bytes of a local id in the payload of a thread."""


_RELEASE_BIT = 14
"""The bit at which the release begins in a product configuration, above revisions; the architecture follows."""


@dataclass(frozen=True)
class Fabric:
    """A fabric that connects tiles of several cards: the ports of a tile, and the lanes of a port with their speed."""

    name: str
    ports: int
    lanes: int
    bits_per_second: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Target:
    """One GPU: the generation that it is built on, and the numbers of the product.

    A card has `tiles` such GPUs and is in a PCI slot of a generation with a number of lanes; all other numbers are
    those of one tile. `timer_ns` are whole nanoseconds of a tick of the timestamp counter. `chips` are the names in
    `#xevm.target` that the GPU stands for, `releases` the architectures and releases whose code has no other
    instructions, `ocloc_device` is the name by which Intel's offline compiler knows it, and `pci_bus` the bus of the
    first card of its kind. Cards that cannot be connected but by PCI have no `fabric`.
    """

    name: str
    title: str
    platform: Platform
    chips: tuple[str, ...] = ()
    ocloc_device: str | None = None
    product_family: int
    product_config: int
    releases: tuple[tuple[int, int], ...] = ()
    device_id: int
    slices: int
    subslices_per_slice: int
    eus_per_subslice: int
    xe_cores: int
    core_slm_bytes: int
    core_clock_mhz: int
    memory_bytes: int
    max_allocation_bytes: int
    memory_clock_mhz: int
    memory_bus_bits: int
    l1_bytes: int
    l2_bytes: int
    tiles: int
    pci_generation: int
    pci_lanes: int
    pci_bus: int
    timer_ns: int
    timing: ExecutionTiming
    power: ExecutionPower
    fabric: Fabric | None = None

    def executes(self, product_config: int) -> bool:
        """Returns whether code for a product configuration is code for this GPU: its own, or that of `releases`."""
        release = product_config >> _RELEASE_BIT
        return product_config == self.product_config or release in {high << 8 | low for high, low in self.releases}

    @property
    def eus_per_core(self) -> int:
        """EUs (XVEs) that one Xe-core holds."""
        return self.eus // self.xe_cores

    @property
    def eus(self) -> int:
        """EUs (XVEs) of the device."""
        return self.slices * self.subslices_per_slice * self.eus_per_subslice

    def wrong_registers(self, grf_bytes: int) -> str:
        """Returns what is wrong with code for registers of a size; empty if nothing is."""
        own = self.platform.grf_bytes
        return "" if grf_bytes == own else f"code for registers of {grf_bytes} bytes, {self.name} has {own}"

    def max_group_threads(self, grf_count: int) -> int:
        """Returns the hardware threads that one Xe-core holds, the bound for one work-group."""
        return self.eus_per_core * self.platform.eu_threads[grf_count]


def local_id_row_bytes(simd_size: int, grf_bytes: int) -> int:
    """Returns the bytes of one dimension's local ids: 16 bits for each of 16 or 32 channels, in whole registers."""
    row = _LOCAL_ID_BYTES * (32 if simd_size == 32 else 16)
    return -(-row // grf_bytes) * grf_bytes
