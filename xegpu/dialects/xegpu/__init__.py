"""The XeGPU dialect, in the generation that has `sg_map`."""

from __future__ import annotations

from xdsl.ir import Dialect

from xegpu.dialects.xegpu.attributes import (
    BlockTensorDescAttr,
    CacheHint,
    CacheHintAttr,
    FenceScope,
    FenceScopeAttr,
    MemorySpace,
    MemorySpaceAttr,
    ScatterTensorDescAttr,
    SgMapAttr,
)
from xegpu.dialects.xegpu.block_ops import CacheHints, LoadNdOp, PrefetchNdOp, StoreNdOp
from xegpu.dialects.xegpu.descriptor_ops import CreateNdDescOp, UpdateNdOffsetOp
from xegpu.dialects.xegpu.distribution import Distribution, LaneMap, Place
from xegpu.dialects.xegpu.dpas import DpasOp
from xegpu.dialects.xegpu.types import NbarrierType, TensorDescType, element_bits, packing_factor

XeGPU = Dialect(
    "xegpu",
    [CreateNdDescOp, PrefetchNdOp, LoadNdOp, StoreNdOp, UpdateNdOffsetOp, DpasOp],
    [
        BlockTensorDescAttr,
        CacheHintAttr,
        FenceScopeAttr,
        MemorySpaceAttr,
        NbarrierType,
        ScatterTensorDescAttr,
        SgMapAttr,
        TensorDescType,
    ],
)

__all__ = [
    "BlockTensorDescAttr",
    "CacheHint",
    "CacheHintAttr",
    "CacheHints",
    "CreateNdDescOp",
    "Distribution",
    "DpasOp",
    "FenceScope",
    "FenceScopeAttr",
    "LaneMap",
    "LoadNdOp",
    "MemorySpace",
    "MemorySpaceAttr",
    "NbarrierType",
    "Place",
    "PrefetchNdOp",
    "ScatterTensorDescAttr",
    "SgMapAttr",
    "StoreNdOp",
    "TensorDescType",
    "UpdateNdOffsetOp",
    "XeGPU",
    "element_bits",
    "packing_factor",
]
