"""The XeGPU dialect, in the generation that has `sg_map`.

Its ops are those of a subgroup or, after distribution, of a lane: descriptors of tiles in memory, loads and stores of
what they describe, matrix multiplication, named barriers and fences. Tiles in registers are vectors; an `sg_map` says
how lanes share them. What LLVM 19 writes and the newer `#xegpu.layout` are read too; what newer generations added and
this one cannot express is refused by name.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from xegpu.dialects.xegpu.atomic_kind import AtomicKind
from xegpu.dialects.xegpu.attributes import (
    BlockTensorDescAttr,
    CacheHint,
    CacheHintAttr,
    FenceScope,
    FenceScopeAttr,
    MemorySpace,
    MemorySpaceAttr,
    ScatterTensorDescAttr,
)
from xegpu.dialects.xegpu.distribution import Distribution, FragmentPosition, LaneMap, Shape2D
from xegpu.dialects.xegpu.generations.newer_ops import NEWER_OPS
from xegpu.dialects.xegpu.generations.other_attributes import OTHER_ATTRIBUTES
from xegpu.dialects.xegpu.generations.spellings import spelling
from xegpu.dialects.xegpu.generations.tdesc_attr import TensorDescAttr
from xegpu.dialects.xegpu.lane_maps import LaneMapAttr, LayoutAttr, SgMapAttr
from xegpu.dialects.xegpu.memory import memory_space_number, static_strides
from xegpu.dialects.xegpu.ops.access import CacheHints
from xegpu.dialects.xegpu.ops.atomic_rmw import AtomicRMWOp
from xegpu.dialects.xegpu.ops.block_ops import LoadNdOp, PrefetchNdOp, StoreNdOp
from xegpu.dialects.xegpu.ops.convert_layout import ConvertLayoutOp
from xegpu.dialects.xegpu.ops.descriptor_ops import CreateNdDescOp, UpdateNdOffsetOp
from xegpu.dialects.xegpu.ops.dpas import DpasOp
from xegpu.dialects.xegpu.ops.fragment_ops import CollectOp, DistributeOp
from xegpu.dialects.xegpu.ops.gather_ops import LoadOp, PrefetchOp, StoreOp
from xegpu.dialects.xegpu.ops.scatter_descriptor_ops import CreateDescOp, UpdateOffsetOp
from xegpu.dialects.xegpu.ops.synchronization_ops import (
    AllocNbarrierOp,
    CompileHintOp,
    FenceOp,
    InitNbarrierOp,
    NbarrierArriveOp,
    NbarrierWaitOp,
)
from xegpu.dialects.xegpu.syntax import integers
from xegpu.dialects.xegpu.types import (
    NbarrierType,
    TensorDescType,
    descriptor_type,
    element_bits,
    is_scalar,
    packing_factor,
)

XeGPU = Dialect(
    "xegpu",
    [
        AllocNbarrierOp,
        AtomicRMWOp,
        CollectOp,
        CompileHintOp,
        ConvertLayoutOp,
        CreateDescOp,
        CreateNdDescOp,
        DistributeOp,
        DpasOp,
        FenceOp,
        InitNbarrierOp,
        LoadNdOp,
        LoadOp,
        NbarrierArriveOp,
        NbarrierWaitOp,
        PrefetchNdOp,
        PrefetchOp,
        StoreNdOp,
        StoreOp,
        UpdateNdOffsetOp,
        UpdateOffsetOp,
        spelling("xegpu.load_gather", LoadOp),
        spelling("xegpu.store_scatter", StoreOp),
        *NEWER_OPS,
    ],
    [
        BlockTensorDescAttr,
        CacheHintAttr,
        FenceScopeAttr,
        LayoutAttr,
        MemorySpaceAttr,
        NbarrierType,
        ScatterTensorDescAttr,
        SgMapAttr,
        TensorDescAttr,
        TensorDescType,
        *OTHER_ATTRIBUTES,
    ],
)

__all__ = [
    "AllocNbarrierOp",
    "AtomicKind",
    "AtomicRMWOp",
    "BlockTensorDescAttr",
    "CacheHint",
    "CacheHintAttr",
    "CacheHints",
    "CollectOp",
    "CompileHintOp",
    "ConvertLayoutOp",
    "CreateDescOp",
    "CreateNdDescOp",
    "DistributeOp",
    "Distribution",
    "DpasOp",
    "FenceOp",
    "FenceScope",
    "FenceScopeAttr",
    "FragmentPosition",
    "InitNbarrierOp",
    "LaneMap",
    "LaneMapAttr",
    "LayoutAttr",
    "LoadNdOp",
    "LoadOp",
    "MemorySpace",
    "MemorySpaceAttr",
    "NbarrierArriveOp",
    "NbarrierType",
    "NbarrierWaitOp",
    "PrefetchNdOp",
    "PrefetchOp",
    "ScatterTensorDescAttr",
    "SgMapAttr",
    "Shape2D",
    "StoreNdOp",
    "StoreOp",
    "TensorDescAttr",
    "TensorDescType",
    "UpdateNdOffsetOp",
    "UpdateOffsetOp",
    "XeGPU",
    "descriptor_type",
    "element_bits",
    "integers",
    "is_scalar",
    "memory_space_number",
    "packing_factor",
    "static_strides",
]
