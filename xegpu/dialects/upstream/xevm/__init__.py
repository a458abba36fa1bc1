"""The xevm dialect: messages and matrix products of lanes on plain pointers, and the target that modules are made for.

xDSL has no such dialect. LLVM pointers are those of xDSL's llvm dialect.

https://mlir.llvm.org/docs/Dialects/XeVMDialect/
"""

from __future__ import annotations

from xdsl.ir import Dialect

from xegpu.dialects.upstream.xevm.attributes import (
    AddrSpace,
    AddrSpaceAttr,
    LoadCacheControlAttr,
    MemScope,
    MemScopeAttr,
    MmaShapeAttr,
    MmaTypesAttr,
    StoreCacheControlAttr,
    XevmTargetAttr,
)
from xegpu.dialects.upstream.xevm.ops import (
    BlockLoad2dOp,
    BlockLoadOp,
    BlockPrefetch2dOp,
    BlockStore2dOp,
    BlockStoreOp,
    LaneIdOp,
    MemfenceOp,
    MmaOp,
    PrefetchOp,
    SubgroupIdOp,
    SubgroupSizeOp,
)

XeVM = Dialect(
    "xevm",
    [
        BlockLoad2dOp,
        BlockLoadOp,
        BlockPrefetch2dOp,
        BlockStore2dOp,
        BlockStoreOp,
        LaneIdOp,
        MemfenceOp,
        MmaOp,
        PrefetchOp,
        SubgroupIdOp,
        SubgroupSizeOp,
    ],
    [
        AddrSpaceAttr,
        LoadCacheControlAttr,
        MemScopeAttr,
        MmaShapeAttr,
        MmaTypesAttr,
        StoreCacheControlAttr,
        XevmTargetAttr,
    ],
)

__all__ = [
    "AddrSpace",
    "AddrSpaceAttr",
    "BlockLoad2dOp",
    "BlockLoadOp",
    "BlockPrefetch2dOp",
    "BlockStore2dOp",
    "BlockStoreOp",
    "LaneIdOp",
    "LoadCacheControlAttr",
    "MemScope",
    "MemScopeAttr",
    "MemfenceOp",
    "MmaOp",
    "MmaShapeAttr",
    "MmaTypesAttr",
    "PrefetchOp",
    "StoreCacheControlAttr",
    "SubgroupIdOp",
    "SubgroupSizeOp",
    "XeVM",
    "XevmTargetAttr",
]
