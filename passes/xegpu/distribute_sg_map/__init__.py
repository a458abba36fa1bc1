"""`xegpu-distribute-sg-map`: replaces vectors of a whole subgroup by the fragments of its work-items."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation

from passes.kernel.target_pass import TargetPass
from passes.support.fragments import Assignment
from passes.xegpu.distribute_sg_map.distribution import distribute
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.targets import Target


@dataclass(frozen=True)
class XegpuDistributeSgMapPass(TargetPass):
    """Distributes kernels whose descriptors or products have an `sg_map`.

    Loads, stores and `dpas` determine how values are distributed over lanes; values computed from them, carried by
    loops or selected follow. Movements of elements and reductions work within each lane where its own elements suffice;
    `gpu.subgroup_reduce` combines the results of lanes. Where a value is needed in another distribution,
    `xegpu.collect` and `xegpu.distribute` convert it; so they do around operations that support whole vectors only.
    Descriptors, scalars and values unrelated to maps are the same in all lanes and stay.

    Distributed operations stay unchanged, and so do functions that work on whole subgroups
    (`VectorComputeFunctionINTEL`).
    """

    name = "xegpu-distribute-sg-map"

    def compile(self, scope: Operation, target: Target) -> None:
        for function in [o for o in scope.walk() if isinstance(o, FuncOp)]:
            if "VectorComputeFunctionINTEL" in function.attributes:
                continue
            assignment = Assignment(function, target)
            if assignment.needs:
                distribute(function, assignment, target)
