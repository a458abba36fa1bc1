"""`xegpu-infer-op-level`: determines who executes the operations of each kernel."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.spirv import EntryPointABIAttr
from xegpu.dialects.xegpu import is_of_llvm22

SUBGROUP_SIZE = 16
"""The subgroup size that the XeGPU of LLVM 22 assumes."""


@dataclass(frozen=True)
class XegpuInferOpLevelPass(ModulePass):
    """Gives kernels in the XeGPU of LLVM 22 the subgroup size that they are launched with.

    There the sizes of grids and work-groups count work-items at every level, whoever executes the operations of the
    kernel: a subgroup has `intel_reqd_sub_group_size` of them, or 16. The attribute `spirv.entry_point_abi` states it
    for the passes that follow.
    """

    name = "xegpu-infer-op-level"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [o for o in op.walk() if isinstance(o, FuncOp)]:
            attributes = function.attributes | function.properties
            if "spirv.entry_point_abi" in attributes or "VectorComputeFunctionINTEL" in attributes:
                continue
            wanted = attributes.get("intel_reqd_sub_group_size")
            if is_of_llvm22(function):
                size = wanted.value.data if isa(wanted, IntegerAttr) else SUBGROUP_SIZE
                function.attributes["spirv.entry_point_abi"] = EntryPointABIAttr(subgroup_size=size)
