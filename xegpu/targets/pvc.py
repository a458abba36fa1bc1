"""Data Center GPU Max 1550, one stack (Xe-HPC, IP 12.60)."""

from __future__ import annotations

from xegpu.targets.target import Block2D, BlockLimits, Dpas, Target
from xegpu.targets.timing import ExecutionTiming

GIB = 1 << 30

PVC = Target(
    name="pvc",
    title="Intel(R) Data Center GPU Max 1550 (simulated)",
    product_family=1271,
    gfx_core=0xC08,
    product_config=0x030F0007,
    device_id=0x0BD5,
    grf_bytes=64,
    grf_counts=(128, 256),
    eu_threads={128: 8, 256: 4},
    subgroup_size=16,
    subgroup_sizes=(16, 32),
    physical_simd_width=16,
    flag_registers=4,
    dpas=Dpas(execution_size=16, tf32=True, bf_hf_results=True),
    block2d=Block2D(
        load={
            1: BlockLimits(4, 64, 1, 32, (1, 2, 4), 64),
            2: BlockLimits(2, 32, 1, 32, (1, 2, 4), 32),
            4: BlockLimits(1, 16, 1, 32, (1, 2), 16),
            8: BlockLimits(1, 8, 1, 32, (1,), 8),
        },
        load_vnni={
            1: BlockLimits(4, 16, 4, 32, (1, 2, 4), 64, height_multiple=4),
            2: BlockLimits(2, 16, 2, 32, (1, 2, 4), 32, height_multiple=2),
        },
        load_transposed={
            4: BlockLimits(1, 8, 1, 32, (1,), 8),
            8: BlockLimits(1, 4, 8, 8, (1,), 4),
        },
        store={
            1: BlockLimits(4, 64, 1, 8, (1,), 64),
            2: BlockLimits(2, 32, 1, 8, (1,), 32),
            4: BlockLimits(1, 16, 1, 8, (1,), 16),
            8: BlockLimits(1, 8, 1, 8, (1,), 8),
        },
    ),
    max_message_bytes=512,
    slices=1,
    subslices_per_slice=64,
    eus_per_subslice=8,
    xe_cores=64,
    max_group_items=1024,
    max_slm_bytes=128 << 10,
    core_slm_bytes=128 << 10,
    barrier_counts=(0, 1, 2, 4, 8, 16, 24, 32),
    core_barriers=32,
    max_scratch_bytes=256 << 10,
    core_clock_mhz=1600,
    memory_bytes=64 * GIB,
    max_allocation_bytes=(4 << 30) - (8 << 10),
    memory_clock_mhz=1600,
    memory_bus_bits=4096,
    l1_bytes=512 << 10,
    l2_bytes=204 << 20,
    cache_line_bytes=64,
    address_bits=57,
    has_fp64=True,
    has_int64=True,
    has_images=False,
    tiles=2,
    pci_generation=5,
    pci_lanes=16,
    timer_ns=80,
    timing=ExecutionTiming(
        alu_bytes=64,
        float64_bytes=128,
        int64_bytes=64,
        dpas_cycles_per_row=1,
        dpas_latency=(21, 28),
        memory_bandwidth=1_638_000_000_000,
    ),
)
