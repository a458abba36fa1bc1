"""`xegpu-subgroup-distribute`: gives each lane its elements of the values of a subgroup."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation

from passes.kernel.target_pass import TargetPass
from passes.support.value_layouts.inference import ValueLayouts
from passes.support.value_layouts.kinds import layout_kinds
from passes.xegpu.subgroup_distribute.lanes import LaneDistribution
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import LayoutAttr, SliceAttr, TensorDescType
from xegpu.targets import Target


@dataclass(frozen=True)
class XegpuSubgroupDistributePass(TargetPass):
    """Distributes values over lanes as `lane_layout` and `lane_data` of their layouts say.

    Block accesses and matrix products get vectors of rank 1, which are those of a lane in LLVM 22; other values keep
    their dimensions, divided by those of `lane_layout`. Reductions along a dimension with several lanes combine them by
    `gpu.subgroup_reduce`. Kernels without a `lane_layout` stay as they are; what cannot be distributed is an error.
    """

    name = "xegpu-subgroup-distribute"

    def compile(self, scope: Operation, target: Target) -> None:
        for function in [o for o in scope.walk() if isinstance(o, FuncOp)]:
            if any(map(_has_lanes, function.walk())):
                LaneDistribution(ValueLayouts(function, layout_kinds(target)["lane"]), target).run(function.body)


def _has_lanes(op: Operation) -> bool:
    attributes = [*op.properties.values(), *op.attributes.values()]
    attributes += [value.type.map for value in op.results if isinstance(value.type, TensorDescType)]
    roots = [a.root if isinstance(a, SliceAttr) else a for a in attributes]
    return any(isinstance(root, LayoutAttr) and "lane_layout" in root.given for root in roots)
