"""Xe-HPG: the generation of the Arc A-series."""

from __future__ import annotations

from xegpu.targets.platform import Dpas, Feature, NativeConventions, PayloadLoads, Platform

XE_HPG = Platform(
    name="xe-hpg",
    title="Xe-HPG",
    gfx_core=0xC07,
    grf_bytes=32,
    eu_threads={128: 8, 256: 4},
    flag_registers=2,
    subgroup_size=8,
    subgroup_sizes=(8, 16, 32),
    physical_simd_width=8,
    gather_lanes=16,
    thread_id_bit=7,
    features=frozenset({Feature.IMAGES}),
    dpas=Dpas(execution_size=8),
    block2d=None,
    max_message_bytes=512,
    max_group_items=1024,
    max_slm_bytes=64 << 10,
    barrier_counts=(0, 1),
    core_barriers=32,
    max_scratch_bytes=256 << 10,
    cache_line_bytes=64,
    native=NativeConventions(
        encoding="xehpg",
        message_lanes=16,
        payload=PayloadLoads(unit="dc0", blocks=(32, 16, 8), offset_byte=8),
        fence_route=1 << 18,
        fences_at_end=True,
    ),
)
