"""The linalg dialect of xDSL, with the operations that it lacks."""

from xdsl.dialects.linalg import Linalg as XdslLinalg

from xegpu.dialects.upstream.linalg.conversion import TypeFunctionAttr
from xegpu.dialects.upstream.linalg.elemwise import (
    BinaryFunctionAttr,
    ElemwiseBinaryOp,
    ElemwiseUnaryOp,
    UnaryFunctionAttr,
)
from xegpu.dialects.upstream.linalg.pointwise import POINTWISE, ElementwiseKindAttr, ElementwiseOp
from xegpu.dialects.upstream.linalg.pooling import POOLINGS
from xegpu.dialects.upstream.linalg.products import (
    CONVOLUTIONS,
    BatchMatmulOp,
    BatchMatmulTransposeAOp,
    BatchMatmulTransposeBOp,
    BatchMatvecOp,
    BatchReduceMatmulOp,
    DotOp,
    MatmulOp,
    MatmulTransposeAOp,
    MatmulTransposeBOp,
    MatvecOp,
    VecmatOp,
)
from xegpu.dialects.upstream.linalg.structured import BroadcastOp, MapOp, ReduceOp
from xegpu.mlir import extend

Linalg = extend(
    XdslLinalg,
    [
        MatmulOp,
        MatmulTransposeAOp,
        MatmulTransposeBOp,
        BatchMatmulOp,
        BatchMatmulTransposeAOp,
        BatchMatmulTransposeBOp,
        BatchReduceMatmulOp,
        MatvecOp,
        VecmatOp,
        BatchMatvecOp,
        DotOp,
        BroadcastOp,
        ElementwiseOp,
        ElemwiseBinaryOp,
        ElemwiseUnaryOp,
        MapOp,
        ReduceOp,
        *CONVOLUTIONS,
        *POINTWISE,
        *POOLINGS,
    ],
    [BinaryFunctionAttr, ElementwiseKindAttr, TypeFunctionAttr, UnaryFunctionAttr],
)
