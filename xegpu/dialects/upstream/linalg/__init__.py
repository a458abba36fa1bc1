"""The linalg dialect of xDSL, with the operations that it lacks."""

from xdsl.dialects.linalg import Linalg as XdslLinalg

from xegpu.dialects.upstream.linalg.conversion import TypeFunctionAttr as TypeFunctionAttr
from xegpu.dialects.upstream.linalg.elemwise import (
    BinaryFunctionAttr as BinaryFunctionAttr,
    ElemwiseBinaryOp as ElemwiseBinaryOp,
    ElemwiseUnaryOp as ElemwiseUnaryOp,
    UnaryFunctionAttr as UnaryFunctionAttr,
)
from xegpu.dialects.upstream.linalg.pointwise import (
    POINTWISE,
    ElementwiseKindAttr as ElementwiseKindAttr,
    ElementwiseOp as ElementwiseOp,
)
from xegpu.dialects.upstream.linalg.pooling import POOLINGS
from xegpu.dialects.upstream.linalg.products import CONVOLUTIONS, PRODUCTS
from xegpu.dialects.upstream.linalg.structured import BroadcastOp as BroadcastOp, MapOp as MapOp, ReduceOp as ReduceOp
from xegpu.mlir import definitions, extend

Linalg = extend(XdslLinalg, (*definitions(vars()), *PRODUCTS, *CONVOLUTIONS, *POINTWISE, *POOLINGS))
