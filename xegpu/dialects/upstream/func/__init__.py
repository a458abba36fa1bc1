"""The func dialect, with MLIR's custom assembly, functions as values, and MLIR's rules.

xDSL lacks functions as values, and leaves some of MLIR's rules unchecked.

https://mlir.llvm.org/docs/Dialects/Func/
"""

from __future__ import annotations

from xdsl.dialects import func as base
from xdsl.dialects.func import ReturnOp

from xegpu.dialects.upstream.extension import extend
from xegpu.dialects.upstream.func.ops import CallIndirectOp, CallOp, ConstantOp, FuncOp

Func = extend(base.Func, [CallIndirectOp, CallOp, ConstantOp, FuncOp])

__all__ = ["CallIndirectOp", "CallOp", "ConstantOp", "Func", "FuncOp", "ReturnOp"]
