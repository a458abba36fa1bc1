"""The xevm dialect: messages and matrix products of lanes on plain pointers, and the target that modules are made for.

xDSL has no such dialect. LLVM pointers are those of xDSL's llvm dialect.

https://mlir.llvm.org/docs/Dialects/XeVMDialect/
"""

from xdsl.ir import Dialect

from xegpu.dialects.upstream.xevm.attributes import (
    AddrSpace as AddrSpace,
    AddrSpaceAttr as AddrSpaceAttr,
    LoadCacheControl as LoadCacheControl,
    LoadCacheControlAttr as LoadCacheControlAttr,
    MemScope as MemScope,
    MemScopeAttr as MemScopeAttr,
    MmaShapeAttr as MmaShapeAttr,
    MmaTypesAttr as MmaTypesAttr,
    StoreCacheControl as StoreCacheControl,
    StoreCacheControlAttr as StoreCacheControlAttr,
    XevmTargetAttr as XevmTargetAttr,
    chips_of as chips_of,
)
from xegpu.dialects.upstream.xevm.ids import (
    GROUP_COUNT_OPS as GROUP_COUNT_OPS,
    GROUP_ID_OPS as GROUP_ID_OPS,
    LOCAL_ID_OPS as LOCAL_ID_OPS,
    LOCAL_SIZE_OPS as LOCAL_SIZE_OPS,
    DimensionIdOp as DimensionIdOp,
    LaneIdOp as LaneIdOp,
    SubgroupIdOp as SubgroupIdOp,
    SubgroupSizeOp as SubgroupSizeOp,
)
from xegpu.dialects.upstream.xevm.ops import (
    BlockLoad2dOp as BlockLoad2dOp,
    BlockLoadOp as BlockLoadOp,
    BlockPrefetch2dOp as BlockPrefetch2dOp,
    BlockStore2dOp as BlockStore2dOp,
    BlockStoreOp as BlockStoreOp,
    MemfenceOp as MemfenceOp,
    MmaOp as MmaOp,
    PrefetchOp as PrefetchOp,
)
from xegpu.dialects.upstream.xevm.rules import MESSAGE_LANES as MESSAGE_LANES
from xegpu.mlir import definitions, extend, refused

_LATER_GPUS = "the 8- and 4-bit floats that it handles are those of later GPUs (Xe3p)"
_REFUSED = refused(dict.fromkeys(("xevm.extf", "xevm.mma_mx", "xevm.truncf"), _LATER_GPUS))

XeVM = extend(
    Dialect("xevm"),
    (*definitions(vars()), *GROUP_COUNT_OPS, *GROUP_ID_OPS, *LOCAL_ID_OPS, *LOCAL_SIZE_OPS, *_REFUSED),
)
