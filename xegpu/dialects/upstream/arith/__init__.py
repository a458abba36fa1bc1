"""The arith dialect, with comparisons, selection and conversions of vectors.

Ops that xDSL has right stay xDSL's own classes; the modules of this folder say why they replace or add others.

https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from xdsl.dialects import arith as base
from xdsl.dialects.arith import FloatingPointLikeBinaryOperation
from xdsl.irdl import irdl_op_definition, traits_def
from xdsl.traits import NoMemoryEffect, Pure

from xegpu.dialects.upstream.arith.casts import (
    CastOp as CastOp,
    ExtFOp as ExtFOp,
    ExtSIOp as ExtSIOp,
    ExtUIOp as ExtUIOp,
    FPToSIOp as FPToSIOp,
    FPToUIOp as FPToUIOp,
    IndexCastOp as IndexCastOp,
    IndexCastUIOp as IndexCastUIOp,
    SIToFPOp as SIToFPOp,
    TruncFOp as TruncFOp,
    TruncIOp as TruncIOp,
    UIToFPOp as UIToFPOp,
)
from xegpu.dialects.upstream.arith.comparisons import CmpfOp as CmpfOp, CmpiOp as CmpiOp, SelectOp as SelectOp
from xegpu.dialects.upstream.arith.exact import (
    DivSIOp as DivSIOp,
    DivUIOp as DivUIOp,
    ShRSIOp as ShRSIOp,
    ShRUIOp as ShRUIOp,
)
from xegpu.dialects.upstream.arith.scaling import ScalingExtFOp as ScalingExtFOp, ScalingTruncFOp as ScalingTruncFOp
from xegpu.dialects.upstream.traits import add_elementwise
from xegpu.mlir import definitions, extend


@irdl_op_definition
class RemfOp(FloatingPointLikeBinaryOperation):
    """`%r = arith.remf %a, %b : f32`: the remainder has the sign of the dividend."""

    name = "arith.remf"
    traits = traits_def(Pure())


# xDSL leaves the effects of this op open; without them it never merges or disappears.
base.RemUIOp.traits.add_trait(NoMemoryEffect())

Arith = extend(base.Arith, definitions(vars()))
add_elementwise(Arith.operations, but=base.ConstantOp)
