"""The scf dialect, with MLIR's custom assembly.

xDSL has no custom assembly for `scf.parallel`, and reads less than MLIR's of the others.

https://mlir.llvm.org/docs/Dialects/SCFDialect/
"""

from __future__ import annotations

from xdsl.dialects import scf as base
from xdsl.dialects.scf import ConditionOp, ReduceReturnOp, YieldOp

from xegpu.dialects.upstream.extension import extend
from xegpu.dialects.upstream.scf.choices import ExecuteRegionOp, IfOp, IndexSwitchOp
from xegpu.dialects.upstream.scf.forall import ForallOp, InParallelOp
from xegpu.dialects.upstream.scf.loops import ForOp, ParallelOp, ReduceOp
from xegpu.dialects.upstream.scf.while_loop import WhileOp

Scf = extend(
    base.Scf, [ExecuteRegionOp, ForallOp, ForOp, IfOp, InParallelOp, IndexSwitchOp, ParallelOp, ReduceOp, WhileOp]
)

__all__ = [
    "ConditionOp",
    "ExecuteRegionOp",
    "ForOp",
    "ForallOp",
    "IfOp",
    "InParallelOp",
    "IndexSwitchOp",
    "ParallelOp",
    "ReduceOp",
    "ReduceReturnOp",
    "Scf",
    "WhileOp",
    "YieldOp",
]
