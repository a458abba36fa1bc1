"""The vector dialect, with the ops and effects that kernels need.

Ops that xDSL has right stay xDSL's own classes.
"""

from __future__ import annotations

from xdsl.dialects import vector as base
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure

from xegpu.dialects.upstream.extension import extend
from xegpu.dialects.upstream.vector.elements import (
    ConstantMaskOp,
    FromElementsOp,
    MultiDimReductionOp,
    SplatOp,
    StepOp,
    ToElementsOp,
)
from xegpu.dialects.upstream.vector.shapes import BitcastOp, BroadcastOp, ShapeCastOp, TransposeOp
from xegpu.dialects.upstream.vector.slices import ExtractOp, ExtractStridedSliceOp, InsertOp, InsertStridedSliceOp

# xDSL leaves the effects of these ops open; without them they never merge or disappear.
for _op, _effect in (
    (base.CreateMaskOp, Pure()),
    (base.ReductionOp, Pure()),
    (base.LoadOp, MemoryReadEffect()),
    (base.MaskedLoadOp, MemoryReadEffect()),
    (base.TransferReadOp, MemoryReadEffect()),
    (base.StoreOp, MemoryWriteEffect()),
    (base.MaskedStoreOp, MemoryWriteEffect()),
    (base.TransferWriteOp, MemoryWriteEffect()),
):
    _op.traits.add_trait(_effect)

Vector = extend(
    base.Vector,
    [
        BitcastOp,
        BroadcastOp,
        ConstantMaskOp,
        ExtractOp,
        ExtractStridedSliceOp,
        FromElementsOp,
        InsertOp,
        InsertStridedSliceOp,
        MultiDimReductionOp,
        ShapeCastOp,
        SplatOp,
        StepOp,
        ToElementsOp,
        TransposeOp,
    ],
)

__all__ = [
    "BitcastOp",
    "BroadcastOp",
    "ConstantMaskOp",
    "ExtractOp",
    "ExtractStridedSliceOp",
    "FromElementsOp",
    "InsertOp",
    "InsertStridedSliceOp",
    "MultiDimReductionOp",
    "ShapeCastOp",
    "SplatOp",
    "StepOp",
    "ToElementsOp",
    "TransposeOp",
    "Vector",
]
