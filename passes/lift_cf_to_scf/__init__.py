"""`lift-cf-to-scf`: converts branches between blocks to structured control flow."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region
from xdsl.passes import ModulePass

from passes.lift_cf_to_scf.graph import flow_graph, make_reducible
from passes.lift_cf_to_scf.structuring import Structuring
from xegpu.dialects.upstream.gpu import FuncOp


def lift(region: Region) -> list[Operation]:
    """Converts a region to a single block with `scf.if` and `scf.while`, which it returns.

    No operation is duplicated; where paths diverge to different targets, integers select the target. Raises
    `CompileError` for regions of too many blocks.
    """
    graph = flow_graph(region)
    make_reducible(graph)
    structuring = Structuring(graph)
    structuring.run(region)
    return structuring.made


@dataclass(frozen=True)
class LiftCfToScfPass(ModulePass):
    """Structures the control flow of kernels.

    `convert-xegpu-to-xe` does so itself where work-items diverge.
    """

    name = "lift-cf-to-scf"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [o for o in op.walk() if isinstance(o, FuncOp) and o.kernel is not None]:
            for region in [r for o in function.walk() for r in o.regions if len(r.blocks) > 1]:
                lift(region)
