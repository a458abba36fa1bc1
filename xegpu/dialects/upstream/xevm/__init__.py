"""The xevm dialect: messages and matrix products of lanes on plain pointers, and the target that modules are made for.

xDSL has no such dialect. LLVM pointers are those of xDSL's llvm dialect.

https://mlir.llvm.org/docs/Dialects/XeVMDialect/
"""

from __future__ import annotations

from xdsl.ir import Dialect

from xegpu.dialects.upstream.xevm.attributes import (
    AddrSpace,
    AddrSpaceAttr,
    LoadCacheControl,
    LoadCacheControlAttr,
    MemScope,
    MemScopeAttr,
    MmaShapeAttr,
    MmaTypesAttr,
    StoreCacheControl,
    StoreCacheControlAttr,
    XevmTargetAttr,
)
from xegpu.dialects.upstream.xevm.ids import (
    GROUP_COUNT_OPS,
    GROUP_ID_OPS,
    LOCAL_ID_OPS,
    LOCAL_SIZE_OPS,
    DimensionIdOp,
    LaneIdOp,
    SubgroupIdOp,
    SubgroupSizeOp,
)
from xegpu.dialects.upstream.xevm.ops import (
    BlockLoad2dOp,
    BlockLoadOp,
    BlockPrefetch2dOp,
    BlockStore2dOp,
    BlockStoreOp,
    MemfenceOp,
    MmaOp,
    PrefetchOp,
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
        *GROUP_COUNT_OPS,
        *GROUP_ID_OPS,
        *LOCAL_ID_OPS,
        *LOCAL_SIZE_OPS,
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
    "GROUP_COUNT_OPS",
    "GROUP_ID_OPS",
    "LOCAL_ID_OPS",
    "LOCAL_SIZE_OPS",
    "AddrSpace",
    "AddrSpaceAttr",
    "BlockLoad2dOp",
    "BlockLoadOp",
    "BlockPrefetch2dOp",
    "BlockStore2dOp",
    "BlockStoreOp",
    "DimensionIdOp",
    "LaneIdOp",
    "LoadCacheControl",
    "LoadCacheControlAttr",
    "MemScope",
    "MemScopeAttr",
    "MemfenceOp",
    "MmaOp",
    "MmaShapeAttr",
    "MmaTypesAttr",
    "PrefetchOp",
    "StoreCacheControl",
    "StoreCacheControlAttr",
    "SubgroupIdOp",
    "SubgroupSizeOp",
    "XeVM",
    "XevmTargetAttr",
]
