"""Random valid modules: operations of every dialect that kernels use, in random order and nesting."""

from __future__ import annotations

from tests.unit.xegpu.dialects.generators.blocks import BLOCKS, MAPPED_BLOCKS
from tests.unit.xegpu.dialects.generators.modules import modules
from tests.unit.xegpu.dialects.generators.scattered import ATOMICS, SCATTERED, TRANSPOSED_SCATTERED
from tests.unit.xegpu.dialects.generators.synchronization import COMPILE_HINTS, SYNCHRONIZATION
from tests.unit.xegpu.dialects.generators.tiles import TILES
from tests.unit.xegpu.dialects.generators.upstream import UPSTREAM

XEGPU = (*BLOCKS, *SCATTERED, *SYNCHRONIZATION)
"""The operations that the canonical generation of XeGPU shares with the newest one, in both forms."""

# The newest generation numbers the kinds of atomic operations anew, so it shares their custom form only.

OWN_XEGPU = (*MAPPED_BLOCKS, *TRANSPOSED_SCATTERED, *COMPILE_HINTS)
"""The operations of the canonical generation only."""

__all__ = ["ATOMICS", "OWN_XEGPU", "TILES", "UPSTREAM", "XEGPU", "modules"]
