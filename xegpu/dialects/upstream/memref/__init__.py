"""The memref dialect as MLIR 22 has it.

Ops that xDSL has right stay xDSL's own classes; the modules of this folder say why they replace or add others.

https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from xdsl.dialects import memref as base

from xegpu.dialects.upstream.memref.access import (
    CopyOp as CopyOp,
    LoadOp as LoadOp,
    PrefetchOp as PrefetchOp,
    StoreOp as StoreOp,
)
from xegpu.dialects.upstream.memref.allocation import (
    AllocaScopeOp as AllocaScopeOp,
    AllocaScopeReturnOp as AllocaScopeReturnOp,
    DistinctObjectsOp as DistinctObjectsOp,
    ReallocOp as ReallocOp,
)
from xegpu.dialects.upstream.memref.atomics import (
    ATOMIC_KINDS as ATOMIC_KINDS,
    AtomicRMWOp as AtomicRMWOp,
    AtomicYieldOp as AtomicYieldOp,
    GenericAtomicRMWOp as GenericAtomicRMWOp,
)
from xegpu.dialects.upstream.memref.globals import GlobalOp as GlobalOp
from xegpu.dialects.upstream.memref.layout import (
    has_explicit_strides as has_explicit_strides,
    memref_strides as memref_strides,
)
from xegpu.dialects.upstream.memref.rules import add_rules
from xegpu.dialects.upstream.memref.transfers import DmaStartOp as DmaStartOp, DmaWaitOp as DmaWaitOp
from xegpu.dialects.upstream.memref.types import are_cast_compatible as are_cast_compatible
from xegpu.dialects.upstream.memref.views import (
    CastOp as CastOp,
    ExpandShapeOp as ExpandShapeOp,
    ExtractAlignedPointerAsIndexOp as ExtractAlignedPointerAsIndexOp,
    MemorySpaceCastOp as MemorySpaceCastOp,
    RankOp as RankOp,
    ReinterpretCastOp as ReinterpretCastOp,
    ReshapeOp as ReshapeOp,
    TransposeOp as TransposeOp,
)
from xegpu.mlir import definitions, extend

add_rules()

MemRef = extend(base.MemRef, definitions(vars()))
