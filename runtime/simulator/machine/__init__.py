"""Rules of the simulated machine that both engines follow."""

from __future__ import annotations

from runtime.simulator.machine.block_2d import PAYLOAD_BYTES, BlockSurface
from runtime.simulator.machine.divergence import diverges
from runtime.simulator.machine.residency import residency
from runtime.simulator.machine.thread_payload import FULL_MASK, cross_thread_offset

__all__ = [
    "FULL_MASK",
    "PAYLOAD_BYTES",
    "BlockSurface",
    "cross_thread_offset",
    "diverges",
    "residency",
]
