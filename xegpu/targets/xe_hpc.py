"""Xe-HPC: the generation of the Data Center GPU Max."""

from __future__ import annotations

from xegpu.targets.blocks import Block2D, BlockLimits
from xegpu.targets.platform import Dpas, Feature, NativeConventions, PayloadLoads, Platform

XE_HPC = Platform(
    name="xe-hpc",
    title="Xe-HPC",
    gfx_core=0xC08,
    grf_bytes=64,
    eu_threads={128: 8, 256: 4},
    flag_registers=4,
    subgroup_size=16,
    subgroup_sizes=(16, 32),
    physical_simd_width=16,
    gather_lanes=16,
    thread_id_bit=8,
    features=frozenset({Feature.FP64, Feature.INT64, Feature.TF32}),
    dpas=Dpas(execution_size=16, narrow_results=True),
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
    max_group_items=1024,
    max_slm_bytes=128 << 10,
    barrier_counts=(0, 1, 2, 4, 8, 16, 24, 32),
    core_barriers=32,
    max_scratch_bytes=256 << 10,
    cache_line_bytes=64,
    native=NativeConventions(
        encoding="xehpc",
        message_lanes=32,
        payload=PayloadLoads(unit="ugm", blocks=(64, 32, 16, 8), offset_byte=0),
        division_macros=True,
    ),
)
