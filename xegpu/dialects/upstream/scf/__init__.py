"""The scf dialect, with MLIR's custom assembly.

xDSL has no custom assembly for `scf.parallel`, and reads less than MLIR's of the others.

https://mlir.llvm.org/docs/Dialects/SCFDialect/
"""

from xdsl.dialects import scf as base
from xdsl.dialects.scf import ConditionOp as ConditionOp, ReduceReturnOp as ReduceReturnOp, YieldOp as YieldOp

from xegpu.dialects.upstream.scf.choices import (
    ExecuteRegionOp as ExecuteRegionOp,
    IfOp as IfOp,
    IndexSwitchOp as IndexSwitchOp,
)
from xegpu.dialects.upstream.scf.forall import ForallOp as ForallOp, InParallelOp as InParallelOp
from xegpu.dialects.upstream.scf.loops import ForOp as ForOp, ParallelOp as ParallelOp, ReduceOp as ReduceOp
from xegpu.dialects.upstream.scf.while_loop import WhileOp as WhileOp
from xegpu.mlir import definitions, extend

Scf = extend(base.Scf, definitions(vars()))
