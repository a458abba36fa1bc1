"""The affine dialect, with the ops and the custom assembly that xDSL lacks.

https://mlir.llvm.org/docs/Dialects/Affine/
"""

from xdsl.dialects import affine as base

from xegpu.dialects.upstream.affine.linear_index import (
    DelinearizeIndexOp as DelinearizeIndexOp,
    LinearizeIndexOp as LinearizeIndexOp,
)
from xegpu.dialects.upstream.affine.ops import IfOp as IfOp, MaxOp as MaxOp
from xegpu.dialects.upstream.affine.parallel import ParallelOp as ParallelOp
from xegpu.mlir import definitions, extend

Affine = extend(base.Affine, definitions(vars()))
