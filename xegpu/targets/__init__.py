"""The GPUs that kernels are compiled for and run on.

A `Target` is a product; what it shares with the others of its generation is in its `Platform`.
"""

from __future__ import annotations

from xegpu.targets.arc import ARC
from xegpu.targets.blocks import Block2D, BlockLimits
from xegpu.targets.platform import Dpas, Feature, NativeConventions, PayloadLoads, Platform
from xegpu.targets.power import ExecutionPower
from xegpu.targets.pvc import PVC
from xegpu.targets.registry import (
    DEFAULT_TARGET,
    TARGETS,
    chips,
    get,
    of_chip,
    of_core,
    of_notes,
    of_register_size,
    platforms,
    registered,
)
from xegpu.targets.target import Target, local_id_row_bytes
from xegpu.targets.timing import ExecutionTiming
from xegpu.targets.xe_hpc import XE_HPC
from xegpu.targets.xe_hpg import XE_HPG

__all__ = [
    "ARC",
    "DEFAULT_TARGET",
    "PVC",
    "TARGETS",
    "XE_HPC",
    "XE_HPG",
    "Block2D",
    "BlockLimits",
    "Dpas",
    "ExecutionPower",
    "ExecutionTiming",
    "Feature",
    "NativeConventions",
    "PayloadLoads",
    "Platform",
    "Target",
    "chips",
    "get",
    "local_id_row_bytes",
    "of_chip",
    "of_core",
    "of_notes",
    "of_register_size",
    "platforms",
    "registered",
]
