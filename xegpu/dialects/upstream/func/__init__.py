"""The func dialect, with MLIR's custom assembly, functions as values, and MLIR's rules.

xDSL lacks functions as values, and leaves some of MLIR's rules unchecked.

https://mlir.llvm.org/docs/Dialects/Func/
"""

from xdsl.dialects import func as base
from xdsl.dialects.func import ReturnOp as ReturnOp

from xegpu.dialects.upstream.func.ops import (
    CallIndirectOp as CallIndirectOp,
    CallOp as CallOp,
    ConstantOp as ConstantOp,
    FuncOp as FuncOp,
)
from xegpu.mlir import definitions, extend

Func = extend(base.Func, definitions(vars()))
