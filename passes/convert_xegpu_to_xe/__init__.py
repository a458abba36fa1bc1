"""`convert-xegpu-to-xe`: lowers `gpu.func` kernels to the virtual Xe ISA over SSA registers."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from passes.convert_xegpu_to_xe import (
    allocations,
    arithmetic,
    atomics,
    barriers,
    collectives,
    constants,
    control,
    divergence,
    elements,
    fragments,
    gpu_ids,
    inverse_functions,
    masks,
    math_functions,
    matrix,
    memory,
    powers,
    products,
    reductions,
    remainders,
    scalar_access,
    scans,
    scatter,
    transfers,
    vector_memory,
    vectors,
    views,
    wide_arithmetic,
)
from passes.convert_xegpu_to_xe.analysis import divergent_values
from passes.convert_xegpu_to_xe.common_ids import share_common_ids
from passes.convert_xegpu_to_xe.lowering import HANDLERS, KernelLowering
from passes.convert_xegpu_to_xe.masked import unmask
from passes.convert_xegpu_to_xe.printing import expand_prints
from passes.convert_xegpu_to_xe.resources import find_resources
from passes.convert_xegpu_to_xe.signature import kernel_lanes
from passes.convert_xegpu_to_xe.structured import lift_divergent, normalize, to_blocks
from passes.target_option import target_of
from xegpu.dialects.upstream.gpu.kernel import FuncOp
from xegpu.targets import Target

_FAMILIES = (
    allocations,
    arithmetic,
    atomics,
    barriers,
    constants,
    collectives,
    control,
    divergence,
    elements,
    fragments,
    gpu_ids,
    inverse_functions,
    masks,
    math_functions,
    matrix,
    memory,
    powers,
    products,
    reductions,
    remainders,
    scalar_access,
    scans,
    scatter,
    transfers,
    vector_memory,
    vectors,
    views,
    wide_arithmetic,
)
"""Modules that register lowerings."""


@dataclass(frozen=True)
class ConvertXegpuToXePass(ModulePass):
    """Replaces every kernel of every `gpu.module` by an `xe.kernel`; structured control flow becomes blocks first."""

    name = "convert-xegpu-to-xe"

    target: str = "pvc"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op, self.target)
        for function in [o for o in op.walk() if isinstance(o, FuncOp) and o.kernel is not None]:
            block = function.parent_block()
            assert block is not None
            texts = expand_prints(function.body)
            _flatten(function, target)
            block.insert_op_before(KernelLowering(function, target, texts).run(), function)
            block.erase_op(function)


def _flatten(function: FuncOp, target: Target) -> None:
    """Makes blocks of the structured control flow in a kernel."""
    lanes = kernel_lanes(function, target)
    unmask(function.body)
    share_common_ids(function, lanes)
    names = normalize(function.body)
    private = find_resources(function, lanes, target).private
    divergent = lift_divergent(function.body, lambda: divergent_values(function.body, lanes, private), names)
    to_blocks(function.body, divergent, names)


__all__ = ["HANDLERS", "ConvertXegpuToXePass", "KernelLowering"]
