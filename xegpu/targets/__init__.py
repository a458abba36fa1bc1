"""The GPUs that kernels are compiled for and run on.

A `Target` is a product; what it shares with the others of its generation is in its `Platform`.
"""

from xegpu.targets.arc import ARC as ARC
from xegpu.targets.blocks import Block2D as Block2D, BlockLimits as BlockLimits
from xegpu.targets.platform import (
    COMMON_SUBGROUP_SIZE as COMMON_SUBGROUP_SIZE,
    Dpas as Dpas,
    Feature as Feature,
    NativeConventions as NativeConventions,
    PayloadLoads as PayloadLoads,
    Platform as Platform,
)
from xegpu.targets.power import ExecutionPower as ExecutionPower
from xegpu.targets.pvc import PVC as PVC
from xegpu.targets.registry import (
    DEFAULT_TARGET as DEFAULT_TARGET,
    TARGETS as TARGETS,
    chips as chips,
    get as get,
    of_chip as of_chip,
    of_core as of_core,
    of_notes as of_notes,
    of_register_size as of_register_size,
    platforms as platforms,
    register_sizes as register_sizes,
    registered as registered,
)
from xegpu.targets.target import Fabric as Fabric, Target as Target, local_id_row_bytes as local_id_row_bytes
from xegpu.targets.timing import ExecutionTiming as ExecutionTiming
from xegpu.targets.xe_hpc import XE_HPC as XE_HPC
from xegpu.targets.xe_hpg import XE_HPG as XE_HPG
