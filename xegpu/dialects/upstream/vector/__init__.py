"""The vector dialect as MLIR 22 has it, and the element ops of MLIR 19.

Ops that xDSL has right stay xDSL's own classes; the modules of this folder say why they replace or add others.

https://mlir.llvm.org/docs/Dialects/Vector/
"""

from xdsl.dialects import vector as base
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from xegpu.dialects.upstream.traits import add_elementwise
from xegpu.dialects.upstream.vector.elements import (
    ExtractElementOp as ExtractElementOp,
    FromElementsOp as FromElementsOp,
    InsertElementOp as InsertElementOp,
    SplatOp as SplatOp,
    StepOp as StepOp,
    ToElementsOp as ToElementsOp,
)
from xegpu.dialects.upstream.vector.interleaving import DeinterleaveOp as DeinterleaveOp, InterleaveOp as InterleaveOp
from xegpu.dialects.upstream.vector.masks import (
    ConstantMaskOp as ConstantMaskOp,
    CreateMaskOp as CreateMaskOp,
    MaskOp as MaskOp,
    YieldOp as YieldOp,
)
from xegpu.dialects.upstream.vector.memory import (
    CompressStoreOp as CompressStoreOp,
    ExpandLoadOp as ExpandLoadOp,
    GatherOp as GatherOp,
    LoadOp as LoadOp,
    MaskedLoadOp as MaskedLoadOp,
    MaskedStoreOp as MaskedStoreOp,
    ScatterOp as ScatterOp,
    StoreOp as StoreOp,
    TypeCastOp as TypeCastOp,
)
from xegpu.dialects.upstream.vector.printing import (
    PrintOp as PrintOp,
    Punctuation as Punctuation,
    PunctuationAttr as PunctuationAttr,
)
from xegpu.dialects.upstream.vector.products import (
    ContractionOp as ContractionOp,
    IteratorType as IteratorType,
    IteratorTypeAttr as IteratorTypeAttr,
    OuterProductOp as OuterProductOp,
)
from xegpu.dialects.upstream.vector.reductions import (
    MultiDimReductionOp as MultiDimReductionOp,
    ReductionOp as ReductionOp,
    ScanOp as ScanOp,
)
from xegpu.dialects.upstream.vector.scalable import (
    ScalableExtractOp as ScalableExtractOp,
    ScalableInsertOp as ScalableInsertOp,
    VectorScaleOp as VectorScaleOp,
)
from xegpu.dialects.upstream.vector.shapes import (
    BitcastOp as BitcastOp,
    BroadcastOp as BroadcastOp,
    ShapeCastOp as ShapeCastOp,
    TransposeOp as TransposeOp,
)
from xegpu.dialects.upstream.vector.slices import (
    ExtractOp as ExtractOp,
    ExtractStridedSliceOp as ExtractStridedSliceOp,
    I64Array as I64Array,
    InsertOp as InsertOp,
    InsertStridedSliceOp as InsertStridedSliceOp,
)
from xegpu.dialects.upstream.vector.types import vector_type as vector_type, with_element as with_element
from xegpu.mlir import definitions, extend

# xDSL leaves the effects of these ops open; without them they never merge or disappear.
base.TransferReadOp.traits.add_trait(MemoryReadEffect())
base.TransferWriteOp.traits.add_trait(MemoryWriteEffect())

Vector = extend(base.Vector, definitions(vars()))
add_elementwise([base.FMAOp])
