"""The gpu dialect, with MLIR's custom assembly and effects."""

from __future__ import annotations

from xdsl.dialects import gpu as base
from xdsl.dialects.gpu import AsyncTokenType, DimensionAttr, DimensionEnum

from xegpu.dialects.upstream.extension import extend
from xegpu.dialects.upstream.gpu.attributes import AddressSpace, AddressSpaceAttr
from xegpu.dialects.upstream.gpu.host import (
    AllocOp,
    DeallocOp,
    HostRegisterOp,
    HostUnregisterOp,
    LaunchFuncOp,
    MemcpyOp,
    SetDefaultDeviceOp,
    WaitOp,
)
from xegpu.dialects.upstream.gpu.ids import (
    BlockDimOp,
    BlockIdOp,
    GlobalIdOp,
    GridDimOp,
    LaneIdOp,
    NumSubgroupsOp,
    SubgroupIdOp,
    SubgroupSizeOp,
    ThreadIdOp,
)
from xegpu.dialects.upstream.gpu.kernel import BarrierOp, FuncOp, ModuleEndOp, ModuleOp, ReturnOp
from xegpu.dialects.upstream.gpu.launch import LaunchOp, TerminatorOp

GPU = extend(
    base.GPU,
    [
        AllocOp,
        BarrierOp,
        BlockDimOp,
        BlockIdOp,
        DeallocOp,
        FuncOp,
        GlobalIdOp,
        GridDimOp,
        HostRegisterOp,
        HostUnregisterOp,
        LaneIdOp,
        LaunchFuncOp,
        LaunchOp,
        MemcpyOp,
        ModuleEndOp,
        ModuleOp,
        NumSubgroupsOp,
        ReturnOp,
        SetDefaultDeviceOp,
        SubgroupIdOp,
        SubgroupSizeOp,
        TerminatorOp,
        ThreadIdOp,
        WaitOp,
    ],
    [AddressSpaceAttr],
)

__all__ = [
    "GPU",
    "AddressSpace",
    "AddressSpaceAttr",
    "AllocOp",
    "AsyncTokenType",
    "BarrierOp",
    "BlockDimOp",
    "BlockIdOp",
    "DeallocOp",
    "DimensionAttr",
    "DimensionEnum",
    "FuncOp",
    "GlobalIdOp",
    "GridDimOp",
    "HostRegisterOp",
    "HostUnregisterOp",
    "LaneIdOp",
    "LaunchFuncOp",
    "LaunchOp",
    "MemcpyOp",
    "ModuleEndOp",
    "ModuleOp",
    "NumSubgroupsOp",
    "ReturnOp",
    "SetDefaultDeviceOp",
    "SubgroupIdOp",
    "SubgroupSizeOp",
    "TerminatorOp",
    "ThreadIdOp",
    "WaitOp",
]
