"""`xetile-blocking`: cuts the tiles and vectors of subgroups into blocks that instructions and messages take."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from passes.support.target_option import target_of
from passes.support.tiles.refusals import check_subgroup_operation
from passes.xetile.blocking.analysis import BlockingAnalysis
from passes.xetile.blocking.constants import separate_constants
from passes.xetile.blocking.rewrite import Blocking
from passes.xetile.blocking.sizes import Sizes
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.targets import Target


@dataclass(frozen=True)
class XetileBlockingPass(ModulePass):
    """Makes every operation of XeTile, and all that computes with its vectors, one of blocks.

    A tile becomes a tile for each block, a vector a vector for each block, also where loops, choices and branches carry
    them. A vector that is wanted in other blocks than it comes in is cut anew in registers. Vectors of operations that
    XeTile has nothing to do with stay as they are.
    """

    name = "xetile-blocking"

    target: str = "pvc"
    """The GPU whose blocks are made."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        sizes = Sizes(target_of(op, self.target))
        for inner in op.walk():
            if inner.name.startswith("xetile."):
                _check(inner, sizes.target)
        for function in [o for o in op.walk() if isinstance(o, FuncOp)]:
            if any(inner.name.startswith("xetile.") for inner in function.walk()):
                separate_constants(function)
                Blocking(BlockingAnalysis(function, sizes), sizes).run(function.body)


def _check(op: Operation, target: Target) -> None:
    """Refuses what is not of a subgroup, what no subgroup can hold, and what is of no kernel."""
    check_subgroup_operation(op, target)
    function: Operation | None = op
    while function is not None and not isinstance(function, FuncOp):
        function = function.parent_op()
    if function is None:
        raise CompileError(op, "stands outside of a gpu.func: nothing else is cut into blocks")


__all__ = ["XetileBlockingPass"]
