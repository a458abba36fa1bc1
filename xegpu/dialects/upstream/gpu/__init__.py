"""The gpu dialect, with MLIR's custom assembly and effects.

All of its ops are here: kernels and their modules, ids, barriers, reductions and shuffles on the device; launches,
memory and tokens on the host.

xDSL has no custom assembly for any op of this dialect, states no effects, and lacks many ops.

https://mlir.llvm.org/docs/Dialects/GPU/
"""

from __future__ import annotations

from xdsl.dialects import gpu as base
from xdsl.dialects.gpu import AsyncTokenType, DimensionAttr, DimensionEnum

from xegpu.dialects.upstream.extension import extend
from xegpu.dialects.upstream.gpu.attributes import (
    AddressSpace,
    AddressSpaceAttr,
    Reduction,
    ReductionAttr,
    ShuffleMode,
    ShuffleModeAttr,
)
from xegpu.dialects.upstream.gpu.binary import BinaryOp, ObjectAttr, SelectObjectAttr
from xegpu.dialects.upstream.gpu.broadcast import Broadcast, BroadcastAttr, SubgroupBroadcastOp
from xegpu.dialects.upstream.gpu.collectives import AllReduceOp, RotateOp, ShuffleOp, SubgroupReduceOp, YieldOp
from xegpu.dialects.upstream.gpu.device import DynamicSharedMemoryOp, PrintfOp
from xegpu.dialects.upstream.gpu.host import (
    AllocOp,
    DeallocOp,
    HostRegisterOp,
    HostUnregisterOp,
    MemcpyOp,
    MemsetOp,
    SetDefaultDeviceOp,
    WaitOp,
)
from xegpu.dialects.upstream.gpu.ids import (
    BlockDimOp,
    BlockIdOp,
    ClusterBlockIdOp,
    ClusterDimBlocksOp,
    ClusterDimOp,
    ClusterIdOp,
    GlobalIdOp,
    GridDimOp,
    LaneIdOp,
    NumSubgroupsOp,
    SubgroupIdOp,
    SubgroupSizeOp,
    ThreadIdOp,
)
from xegpu.dialects.upstream.gpu.kernel import (
    CHOSEN_SUBGROUP_SIZE,
    WORK_GROUP_SIZE_HINT,
    BarrierOp,
    FuncOp,
    ModuleEndOp,
    ModuleOp,
    ReturnOp,
)
from xegpu.dialects.upstream.gpu.launch import LaunchOp, TerminatorOp
from xegpu.dialects.upstream.gpu.launch_func import CONTAINER, LaunchFuncOp
from xegpu.dialects.upstream.gpu.mapping import MAPPINGS

GPU = extend(
    base.GPU,
    [
        AllReduceOp,
        AllocOp,
        BarrierOp,
        BinaryOp,
        BlockDimOp,
        BlockIdOp,
        ClusterBlockIdOp,
        ClusterDimBlocksOp,
        ClusterDimOp,
        ClusterIdOp,
        DeallocOp,
        DynamicSharedMemoryOp,
        FuncOp,
        GlobalIdOp,
        GridDimOp,
        HostRegisterOp,
        HostUnregisterOp,
        LaneIdOp,
        LaunchFuncOp,
        LaunchOp,
        MemcpyOp,
        MemsetOp,
        ModuleEndOp,
        ModuleOp,
        NumSubgroupsOp,
        PrintfOp,
        ReturnOp,
        RotateOp,
        SetDefaultDeviceOp,
        ShuffleOp,
        SubgroupBroadcastOp,
        SubgroupIdOp,
        SubgroupReduceOp,
        SubgroupSizeOp,
        TerminatorOp,
        ThreadIdOp,
        WaitOp,
        YieldOp,
    ],
    [AddressSpaceAttr, BroadcastAttr, ObjectAttr, ReductionAttr, SelectObjectAttr, ShuffleModeAttr, *MAPPINGS],
)

__all__ = [
    "CHOSEN_SUBGROUP_SIZE",
    "CONTAINER",
    "GPU",
    "WORK_GROUP_SIZE_HINT",
    "AddressSpace",
    "AddressSpaceAttr",
    "AllReduceOp",
    "AllocOp",
    "AsyncTokenType",
    "BarrierOp",
    "BinaryOp",
    "BlockDimOp",
    "BlockIdOp",
    "Broadcast",
    "BroadcastAttr",
    "ClusterBlockIdOp",
    "ClusterDimBlocksOp",
    "ClusterDimOp",
    "ClusterIdOp",
    "DeallocOp",
    "DimensionAttr",
    "DimensionEnum",
    "DynamicSharedMemoryOp",
    "FuncOp",
    "GlobalIdOp",
    "GridDimOp",
    "HostRegisterOp",
    "HostUnregisterOp",
    "LaneIdOp",
    "LaunchFuncOp",
    "LaunchOp",
    "MemcpyOp",
    "MemsetOp",
    "ModuleEndOp",
    "ModuleOp",
    "NumSubgroupsOp",
    "ObjectAttr",
    "PrintfOp",
    "Reduction",
    "ReductionAttr",
    "ReturnOp",
    "RotateOp",
    "SelectObjectAttr",
    "SetDefaultDeviceOp",
    "ShuffleMode",
    "ShuffleModeAttr",
    "ShuffleOp",
    "SubgroupBroadcastOp",
    "SubgroupIdOp",
    "SubgroupReduceOp",
    "SubgroupSizeOp",
    "TerminatorOp",
    "ThreadIdOp",
    "WaitOp",
    "YieldOp",
]
