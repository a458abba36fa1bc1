"""`xegpu-distribute-sg-map`: from whole-subgroup vectors to the fragments that one work-item holds."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from passes.support.fragments import Assignment
from passes.support.target_option import target_of
from passes.xegpu.distribute_sg_map.distribution import distribute
from xegpu.dialects.upstream.gpu import FuncOp


@dataclass(frozen=True)
class XegpuDistributeSgMapPass(ModulePass):
    """Distributes kernels whose descriptors or products carry `sg_map`.

    Loads, stores and `dpas` fix how lanes share values; what is computed from those values, carried by loops or chosen
    follows. Operations that only move elements, and reductions, are done in each lane where its own elements suffice;
    the results of lanes are combined by `gpu.subgroup_reduce`. Where a value is needed in another way than it is
    shared, `xegpu.collect` and `xegpu.distribute` stand between; so they do around operations that know whole vectors
    only. Values that have nothing to do with maps, descriptors and scalars are the same in all lanes and stay.

    Operations that are distributed already are left as they are, and so are functions that ask to work on whole
    subgroups (`VectorComputeFunctionINTEL`).
    """

    name = "xegpu-distribute-sg-map"

    target: str = "pvc"
    """The GPU whose matrix operands and subgroup size maps are checked against."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op, self.target)
        for function in [o for o in op.walk() if isinstance(o, FuncOp)]:
            if "VectorComputeFunctionINTEL" in function.attributes:
                continue
            assignment = Assignment(function, target)
            if assignment.needs:
                distribute(function, assignment, target)
