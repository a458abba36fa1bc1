"""The limits of the GPU for which a binary is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from xegpu.on_demand import dataclass
from xegpu.targets import TARGETS
from zebin.elf.notes import TargetNotes

_OLDER_CORES = range(1, 0xC00)
"""Cores before Xe-HP, which have no inline data."""


@dataclass(frozen=True)
class TargetLimits:
    """Limits that a kernel is checked against, by default those of any GPU that the format supports."""

    grf_bytes: tuple[int, ...] = (32, 64)
    grf_counts: tuple[int, ...] = (32, 64, 96, 128, 160, 192, 256, 512)
    barrier_counts: tuple[int, ...] = (0, 1, 2, 4, 8, 16, 24, 32)
    slm_bytes: int = 1 << 30
    scratch_bytes: int = 16 << 20
    group_items: int = 1024
    has_inline_data: bool = True
    eu_threads: Mapping[int, int] = field(default_factory=dict)
    """The threads of an EU by the number of their registers; empty if it is not known."""


def limits_of(notes: TargetNotes) -> TargetLimits:
    """Returns the limits of the GPU that the notes name, as far as they are known."""
    for target in TARGETS.values():
        if target.product_family == notes.product_family or target.platform.gfx_core == notes.gfx_core:
            return TargetLimits(
                grf_bytes=(target.platform.grf_bytes,),
                grf_counts=target.platform.grf_counts,
                barrier_counts=target.platform.barrier_counts,
                slm_bytes=target.platform.max_slm_bytes,
                scratch_bytes=target.platform.max_scratch_bytes,
                group_items=target.platform.max_group_items,
                eu_threads=target.platform.eu_threads,
            )
    older = notes.gfx_core in _OLDER_CORES or 0 < notes.product_family < 1250
    return TargetLimits(grf_bytes=(32,), has_inline_data=False) if older else TargetLimits()
