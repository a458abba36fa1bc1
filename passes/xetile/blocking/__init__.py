"""`xetile-blocking`: divides the tiles and vectors of subgroups into blocks of the sizes that instructions support."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation

from passes.kernel.target_pass import TargetPass
from passes.support.tiles.refusals import check_subgroup_operation
from passes.xetile.blocking.analysis import BlockingAnalysis
from passes.xetile.blocking.constants import separate_constants
from passes.xetile.blocking.rewrite import Blocking
from passes.xetile.blocking.sizes import Sizes
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.targets import Target


@dataclass(frozen=True)
class XetileBlockingPass(TargetPass):
    """Divides every XeTile operation, and all computation on its vectors, into operations on blocks.

    A tile becomes one tile per block, a vector one vector per block, also where loops, conditionals and branches
    forward them. A vector that is needed in other blocks is divided again in registers. Vectors that are unrelated to
    XeTile stay unchanged.
    """

    name = "xetile-blocking"

    def compile(self, scope: Operation, target: Target) -> None:
        sizes = Sizes(target)
        for inner in scope.walk():
            if inner.name.startswith("xetile."):
                _check(inner, sizes.target)
        for function in [o for o in scope.walk() if isinstance(o, FuncOp)]:
            if any(inner.name.startswith("xetile.") for inner in function.walk()):
                separate_constants(function)
                Blocking(BlockingAnalysis(function, sizes), sizes).run(function.body)


def _check(op: Operation, target: Target) -> None:
    """Refuses operations of work-groups, operations too large for a subgroup, and operations outside of kernels."""
    check_subgroup_operation(op, target)
    function: Operation | None = op
    while function is not None and not isinstance(function, FuncOp):
        function = function.parent_op()
    if function is None:
        raise CompileError(op, "is outside of a gpu.func: expected a kernel")
