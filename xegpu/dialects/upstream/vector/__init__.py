"""The vector dialect as MLIR 22 has it, and the element ops of MLIR 19.

Ops that xDSL has right stay xDSL's own classes; the modules of this folder say why they replace or add others.

https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from xdsl.dialects import vector as base
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from xegpu.dialects.upstream.extension import extend
from xegpu.dialects.upstream.traits import add_elementwise
from xegpu.dialects.upstream.vector.elements import (
    ExtractElementOp,
    FromElementsOp,
    InsertElementOp,
    SplatOp,
    StepOp,
    ToElementsOp,
)
from xegpu.dialects.upstream.vector.interleaving import DeinterleaveOp, InterleaveOp
from xegpu.dialects.upstream.vector.masks import ConstantMaskOp, CreateMaskOp, MaskOp, YieldOp
from xegpu.dialects.upstream.vector.memory import (
    CompressStoreOp,
    ExpandLoadOp,
    GatherOp,
    LoadOp,
    MaskedLoadOp,
    MaskedStoreOp,
    ScatterOp,
    StoreOp,
    TypeCastOp,
)
from xegpu.dialects.upstream.vector.printing import PrintOp, Punctuation, PunctuationAttr
from xegpu.dialects.upstream.vector.products import ContractionOp, IteratorType, IteratorTypeAttr, OuterProductOp
from xegpu.dialects.upstream.vector.reductions import MultiDimReductionOp, ReductionOp, ScanOp
from xegpu.dialects.upstream.vector.scalable import ScalableExtractOp, ScalableInsertOp, VectorScaleOp
from xegpu.dialects.upstream.vector.shapes import BitcastOp, BroadcastOp, ShapeCastOp, TransposeOp
from xegpu.dialects.upstream.vector.slices import (
    ExtractOp,
    ExtractStridedSliceOp,
    I64Array,
    InsertOp,
    InsertStridedSliceOp,
)
from xegpu.dialects.upstream.vector.types import vector_type, with_element

# xDSL leaves the effects of these ops open; without them they never merge or disappear.
base.TransferReadOp.traits.add_trait(MemoryReadEffect())
base.TransferWriteOp.traits.add_trait(MemoryWriteEffect())

_OPS = (
    BitcastOp,
    BroadcastOp,
    CompressStoreOp,
    ConstantMaskOp,
    ContractionOp,
    CreateMaskOp,
    DeinterleaveOp,
    ExpandLoadOp,
    ExtractElementOp,
    ExtractOp,
    ExtractStridedSliceOp,
    FromElementsOp,
    GatherOp,
    InsertElementOp,
    InsertOp,
    InsertStridedSliceOp,
    InterleaveOp,
    LoadOp,
    MaskOp,
    MaskedLoadOp,
    MaskedStoreOp,
    MultiDimReductionOp,
    OuterProductOp,
    PrintOp,
    ReductionOp,
    ScalableExtractOp,
    ScalableInsertOp,
    ScanOp,
    ScatterOp,
    ShapeCastOp,
    SplatOp,
    StepOp,
    StoreOp,
    ToElementsOp,
    TransposeOp,
    TypeCastOp,
    VectorScaleOp,
    YieldOp,
)

Vector = extend(base.Vector, _OPS, [IteratorTypeAttr, PunctuationAttr])
add_elementwise([base.FMAOp])

__all__ = [
    "BitcastOp",
    "BroadcastOp",
    "CompressStoreOp",
    "ConstantMaskOp",
    "ContractionOp",
    "CreateMaskOp",
    "DeinterleaveOp",
    "ExpandLoadOp",
    "ExtractElementOp",
    "ExtractOp",
    "ExtractStridedSliceOp",
    "FromElementsOp",
    "GatherOp",
    "I64Array",
    "InsertElementOp",
    "InsertOp",
    "InsertStridedSliceOp",
    "InterleaveOp",
    "IteratorType",
    "IteratorTypeAttr",
    "LoadOp",
    "MaskOp",
    "MaskedLoadOp",
    "MaskedStoreOp",
    "MultiDimReductionOp",
    "OuterProductOp",
    "PrintOp",
    "Punctuation",
    "PunctuationAttr",
    "ReductionOp",
    "ScalableExtractOp",
    "ScalableInsertOp",
    "ScanOp",
    "ScatterOp",
    "ShapeCastOp",
    "SplatOp",
    "StepOp",
    "StoreOp",
    "ToElementsOp",
    "TransposeOp",
    "TypeCastOp",
    "Vector",
    "VectorScaleOp",
    "YieldOp",
    "vector_type",
    "with_element",
]
