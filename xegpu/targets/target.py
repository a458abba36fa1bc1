"""The description of one GPU."""

from __future__ import annotations

from collections.abc import Mapping

from xegpu.records import dataclass
from xegpu.targets.power import ExecutionPower
from xegpu.targets.timing import ExecutionTiming

_LOCAL_ID_BYTES = 2
"""Bytes of a local id in the payload of a thread."""


@dataclass(frozen=True)
class BlockLimits:
    """The limits of one block-2D message for elements of a given size.

    Widths count elements, heights rows. `counts` are the legal array lengths and `max_row_elements` bounds width times
    array length.
    """

    min_width: int
    max_width: int
    min_height: int
    max_height: int
    counts: tuple[int, ...]
    max_row_elements: int
    height_multiple: int = 1

    def allows(self, width: int, height: int, count: int = 1) -> bool:
        """Returns whether one message may carry `count` blocks of `height` rows and `width` elements."""
        return (
            self.min_width <= width <= self.max_width
            and self.min_height <= height <= self.max_height
            and height % self.height_multiple == 0
            and count in self.counts
            and width * count <= self.max_row_elements
        )


@dataclass(frozen=True)
class Block2D:
    """Limits of the block-2D messages, by element size in bytes."""

    load: Mapping[int, BlockLimits]
    load_vnni: Mapping[int, BlockLimits]
    load_transposed: Mapping[int, BlockLimits]
    store: Mapping[int, BlockLimits]
    base_alignment: int = 64
    min_surface_width: int = 64
    min_surface_pitch: int = 64
    pitch_multiple: int = 16
    width_multiple: int = 4
    row_bytes_multiple: int = 4
    max_surface: int = 1 << 24
    max_load_bytes: int = 2048
    max_store_bytes: int = 512


@dataclass(frozen=True)
class Dpas:
    """The matrix engine: `execution_size` columns, `depth` systolic steps, up to `max_repeat` rows."""

    execution_size: int
    depth: int = 8
    max_repeat: int = 8
    tf32: bool = False
    bf_hf_results: bool = False


@dataclass(frozen=True)
class Target:
    """One GPU. Every number that depends on the hardware is read from here.

    A card has `tiles` such GPUs and is in a PCI slot of a generation with a number of lanes; all other numbers are
    those of one tile. `timer_ns` are whole nanoseconds of a tick of the timestamp counter. `sr0.0` tells the hardware
    threads apart that live at the same time: by three bits of a thread in an EU, from bit 4 on two of an EU, and from
    `thread_id_bit` on the rest.
    """

    name: str
    title: str
    product_family: int
    gfx_core: int
    product_config: int
    device_id: int
    grf_bytes: int
    grf_counts: tuple[int, ...]
    eu_threads: Mapping[int, int]
    subgroup_size: int
    subgroup_sizes: tuple[int, ...]
    physical_simd_width: int
    flag_registers: int
    thread_id_bit: int
    dpas: Dpas
    block2d: Block2D | None
    max_message_bytes: int
    slices: int
    subslices_per_slice: int
    eus_per_subslice: int
    xe_cores: int
    max_group_items: int
    max_slm_bytes: int
    core_slm_bytes: int
    barrier_counts: tuple[int, ...]
    core_barriers: int
    max_scratch_bytes: int
    core_clock_mhz: int
    memory_bytes: int
    max_allocation_bytes: int
    memory_clock_mhz: int
    memory_bus_bits: int
    l1_bytes: int
    l2_bytes: int
    cache_line_bytes: int
    address_bits: int
    has_fp64: bool
    has_int64: bool
    has_images: bool
    tiles: int
    pci_generation: int
    pci_lanes: int
    timer_ns: int
    timing: ExecutionTiming
    power: ExecutionPower

    def threads_per_eu(self, grf_count: int) -> int:
        """Returns the hardware threads that one EU holds when each has `grf_count` registers."""
        return self.eu_threads[grf_count]

    @property
    def eus_per_core(self) -> int:
        """EUs (XVEs) that one Xe-core holds."""
        return self.eus // self.xe_cores

    @property
    def eus(self) -> int:
        """EUs (XVEs) of the device."""
        return self.slices * self.subslices_per_slice * self.eus_per_subslice

    def max_group_threads(self, grf_count: int) -> int:
        """Returns the hardware threads that one Xe-core holds, the bound for one work-group."""
        return self.eus_per_core * self.threads_per_eu(grf_count)


def local_id_row_bytes(simd_size: int, grf_bytes: int) -> int:
    """Returns the bytes of one dimension's local ids: 16 bits for each of 16 or 32 channels, in whole registers."""
    row = _LOCAL_ID_BYTES * (32 if simd_size == 32 else 16)
    return -(-row // grf_bytes) * grf_bytes
