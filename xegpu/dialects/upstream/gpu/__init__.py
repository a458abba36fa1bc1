"""The gpu dialect, with MLIR's custom assembly and effects.

All of its ops are here: kernels and their modules, ids, barriers, reductions and shuffles on the device; launches,
memory and tokens on the host.

xDSL has no custom assembly for any op of this dialect, states no effects, and lacks many ops.

https://mlir.llvm.org/docs/Dialects/GPU/
"""

from xdsl.dialects import gpu as base
from xdsl.dialects.gpu import (
    AsyncTokenType as AsyncTokenType,
    DimensionAttr as DimensionAttr,
    DimensionEnum as DimensionEnum,
)

from xegpu.dialects.upstream.gpu.attributes import (
    MAPPINGS,
    AddressSpace as AddressSpace,
    AddressSpaceAttr as AddressSpaceAttr,
    Reduction as Reduction,
    ReductionAttr as ReductionAttr,
    ShuffleMode as ShuffleMode,
    ShuffleModeAttr as ShuffleModeAttr,
)
from xegpu.dialects.upstream.gpu.binary import (
    BinaryOp as BinaryOp,
    ObjectAttr as ObjectAttr,
    SelectObjectAttr as SelectObjectAttr,
)
from xegpu.dialects.upstream.gpu.broadcast import (
    Broadcast as Broadcast,
    BroadcastAttr as BroadcastAttr,
    SubgroupBroadcastOp as SubgroupBroadcastOp,
)
from xegpu.dialects.upstream.gpu.collectives import (
    AllReduceOp as AllReduceOp,
    BallotOp as BallotOp,
    RotateOp as RotateOp,
    ShuffleOp as ShuffleOp,
    SubgroupReduceOp as SubgroupReduceOp,
    YieldOp as YieldOp,
)
from xegpu.dialects.upstream.gpu.device import DynamicSharedMemoryOp as DynamicSharedMemoryOp, PrintfOp as PrintfOp
from xegpu.dialects.upstream.gpu.host import (
    AllocOp as AllocOp,
    DeallocOp as DeallocOp,
    HostRegisterOp as HostRegisterOp,
    HostUnregisterOp as HostUnregisterOp,
    MemcpyOp as MemcpyOp,
    MemsetOp as MemsetOp,
    SetDefaultDeviceOp as SetDefaultDeviceOp,
    WaitOp as WaitOp,
)
from xegpu.dialects.upstream.gpu.ids import (
    BlockDimOp as BlockDimOp,
    BlockIdOp as BlockIdOp,
    ClusterBlockIdOp as ClusterBlockIdOp,
    ClusterDimBlocksOp as ClusterDimBlocksOp,
    ClusterDimOp as ClusterDimOp,
    ClusterIdOp as ClusterIdOp,
    DimensionIdOp as DimensionIdOp,
    GlobalIdOp as GlobalIdOp,
    GridDimOp as GridDimOp,
    IdOp as IdOp,
    LaneIdOp as LaneIdOp,
    NumSubgroupsOp as NumSubgroupsOp,
    SubgroupIdOp as SubgroupIdOp,
    SubgroupSizeOp as SubgroupSizeOp,
    ThreadIdOp as ThreadIdOp,
)
from xegpu.dialects.upstream.gpu.kernel import (
    CHOSEN_SUBGROUP_SIZE as CHOSEN_SUBGROUP_SIZE,
    SOURCE_ARGUMENTS as SOURCE_ARGUMENTS,
    VEC_TYPE_HINT as VEC_TYPE_HINT,
    WORK_GROUP_SIZE_HINT as WORK_GROUP_SIZE_HINT,
    BarrierOp as BarrierOp,
    FuncOp as FuncOp,
    ModuleEndOp as ModuleEndOp,
    ModuleOp as ModuleOp,
    ReturnOp as ReturnOp,
)
from xegpu.dialects.upstream.gpu.launch import LaunchOp as LaunchOp, TerminatorOp as TerminatorOp
from xegpu.dialects.upstream.gpu.launch_func import CONTAINER as CONTAINER, LaunchFuncOp as LaunchFuncOp
from xegpu.mlir import definitions, extend, refused

_REFUSED = refused(
    {
        "gpu.warp_execute_on_lane_0": "mlir-opt leaves it where it cannot distribute a subgroup's operations over its "
        "lanes; give it to this toolkit as it was before"
    }
)

GPU = extend(base.GPU, (*definitions(vars()), *MAPPINGS, *_REFUSED))
