"""`convert-xegpu-to-xe`: lowers `gpu.func` kernels to the virtual Xe ISA over SSA registers."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from xdsl.ir import Operation

from passes.analysis.common_memory import LaneDifferences, divergence
from passes.analysis.integers import LaunchShape
from passes.analysis.lane_strides import lane_strides
from passes.convert_xegpu_to_xe.control.common_ids import share_common_ids
from passes.convert_xegpu_to_xe.control.printing import expand_prints
from passes.convert_xegpu_to_xe.control.structured import lift_divergent, normalize, spread_reduced, to_blocks
from passes.convert_xegpu_to_xe.lowering.kernel import LOWERINGS as LOWERINGS, KernelLowering as KernelLowering
from passes.kernel.mode import kernel_lanes
from passes.kernel.resources import find_resources
from passes.kernel.target_pass import TargetPass
from passes.support.control_flow import operations_of
from passes.support.normal_forms import EXPANSIONS, INDEX, expand
from passes.support.normal_forms.masks import unmask
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.discovery import import_modules
from xegpu.targets import Target

import_modules(sys.modules[__name__])  # the modules of the rooms register lowerings


@dataclass(frozen=True)
class ConvertXegpuToXePass(TargetPass):
    """Replaces every kernel of every `gpu.module` by an `xe.kernel`; structured control flow becomes blocks first."""

    name = "convert-xegpu-to-xe"

    def compile(self, scope: Operation, target: Target) -> None:
        for function in [o for o in operations_of(scope, FuncOp) if o.kernel is not None]:
            block = function.parent_block()
            assert block is not None
            texts = expand_prints(function.body)
            strides, differences = _flatten(function, target)
            kernel = KernelLowering(function, target, texts, strides, differences.common).run()
            block.insert_op_before(kernel, function)
            block.detach_op(function)


def _flatten(function: FuncOp, target: Target) -> tuple[dict[Operation, int], LaneDifferences]:
    """Makes blocks of the structured control flow in a kernel.

    Returns `lane_strides`, and what differs between lanes, which are found before.
    """
    lanes = kernel_lanes(function, target)
    launch = LaunchShape.of(function, lanes, target)
    unmask(function.body)
    expand(function.body, INDEX)
    # Rounding divisions of ids stay until their uniform results are found.
    share_common_ids(function, launch, target)
    expand(function.body, EXPANSIONS, stays=LOWERINGS.__contains__)
    names = normalize(function.body)
    if lanes > 1:
        spread_reduced(function.body)
    private = find_resources(function, lanes, target).private
    found = lift_divergent(function.body, lambda: divergence(function.body, lanes, private), names)
    strides = lane_strides(function, launch, found.values)
    to_blocks(function.body, found.values, names)
    return strides, found
