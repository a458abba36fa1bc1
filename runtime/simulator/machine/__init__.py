"""Rules of the simulated machine that both engines follow."""

from __future__ import annotations

from runtime.simulator.machine.block_2d import PAYLOAD_BYTES, BlockSurface
from runtime.simulator.machine.residency import residency

__all__ = [
    "PAYLOAD_BYTES",
    "BlockSurface",
    "residency",
]
