"""The memref dialect as MLIR 22 has it.

Ops that xDSL has right stay xDSL's own classes; the modules of this folder say why they replace or add others.

https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from xdsl.dialects import memref as base

from xegpu.dialects.upstream.extension import extend
from xegpu.dialects.upstream.memref.access import CopyOp, LoadOp, PrefetchOp, StoreOp
from xegpu.dialects.upstream.memref.allocation import AllocaScopeOp, AllocaScopeReturnOp, DistinctObjectsOp, ReallocOp
from xegpu.dialects.upstream.memref.atomics import ATOMIC_KINDS, AtomicRMWOp, AtomicYieldOp, GenericAtomicRMWOp
from xegpu.dialects.upstream.memref.globals import GlobalOp
from xegpu.dialects.upstream.memref.layout import has_explicit_strides, memref_strides
from xegpu.dialects.upstream.memref.rules import add_rules
from xegpu.dialects.upstream.memref.transfers import DmaStartOp, DmaWaitOp
from xegpu.dialects.upstream.memref.types import are_cast_compatible
from xegpu.dialects.upstream.memref.views import (
    CastOp,
    ExpandShapeOp,
    ExtractAlignedPointerAsIndexOp,
    MemorySpaceCastOp,
    RankOp,
    ReinterpretCastOp,
    ReshapeOp,
    TransposeOp,
)

add_rules()

MemRef = extend(
    base.MemRef,
    [
        AllocaScopeOp,
        AllocaScopeReturnOp,
        AtomicRMWOp,
        AtomicYieldOp,
        CastOp,
        CopyOp,
        DistinctObjectsOp,
        DmaStartOp,
        DmaWaitOp,
        ExpandShapeOp,
        ExtractAlignedPointerAsIndexOp,
        GenericAtomicRMWOp,
        GlobalOp,
        LoadOp,
        MemorySpaceCastOp,
        PrefetchOp,
        RankOp,
        ReallocOp,
        ReinterpretCastOp,
        ReshapeOp,
        StoreOp,
        TransposeOp,
    ],
)

__all__ = [
    "ATOMIC_KINDS",
    "AllocaScopeOp",
    "AllocaScopeReturnOp",
    "AtomicRMWOp",
    "AtomicYieldOp",
    "CastOp",
    "CopyOp",
    "DistinctObjectsOp",
    "DmaStartOp",
    "DmaWaitOp",
    "ExtractAlignedPointerAsIndexOp",
    "GenericAtomicRMWOp",
    "GlobalOp",
    "LoadOp",
    "MemRef",
    "MemorySpaceCastOp",
    "PrefetchOp",
    "RankOp",
    "ReallocOp",
    "ReinterpretCastOp",
    "ReshapeOp",
    "StoreOp",
    "TransposeOp",
    "are_cast_compatible",
    "has_explicit_strides",
    "memref_strides",
]
