"""Arc A770 (Xe-HPG, DG2-512, IP 12.55)."""

from __future__ import annotations

from xegpu.targets.target import Dpas, Target
from xegpu.targets.timing import ExecutionTiming

GIB = 1 << 30

ARC = Target(
    name="arc",
    title="Intel(R) Arc(TM) A770 Graphics (simulated)",
    product_family=1270,
    gfx_core=0xC07,
    product_config=0x030DC008,
    device_id=0x56A0,
    grf_bytes=32,
    grf_counts=(128, 256),
    eu_threads={128: 8, 256: 4},
    subgroup_size=8,
    subgroup_sizes=(8, 16, 32),
    physical_simd_width=8,
    flag_registers=2,
    dpas=Dpas(execution_size=8),
    block2d=None,
    max_message_bytes=512,
    slices=8,
    subslices_per_slice=8,
    eus_per_subslice=8,
    xe_cores=32,
    max_group_items=1024,
    max_slm_bytes=64 << 10,
    core_slm_bytes=128 << 10,
    barrier_counts=(0, 1),
    core_barriers=32,
    max_scratch_bytes=256 << 10,
    core_clock_mhz=2400,
    memory_bytes=16 * GIB,
    max_allocation_bytes=(4 << 30) - (8 << 10),
    memory_clock_mhz=2188,
    memory_bus_bits=256,
    l1_bytes=192 << 10,
    l2_bytes=16 << 20,
    cache_line_bytes=64,
    address_bits=48,
    has_fp64=False,
    has_int64=False,
    has_images=True,
    tiles=1,
    pci_generation=4,
    pci_lanes=16,
    timer_ns=52,
    timing=ExecutionTiming(
        alu_bytes=32,
        float64_bytes=32,
        int64_bytes=32,
        dpas_cycles_per_row=2,
        dpas_latency=(21, 32),
        memory_bandwidth=560_000_000_000,
    ),
)
