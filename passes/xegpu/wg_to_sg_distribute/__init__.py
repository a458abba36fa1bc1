"""`xegpu-wg-to-sg-distribute`: distributes the values of a work-group over its subgroups, as their layouts say."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Operation

from passes.kernel.resources import find_resources
from passes.kernel.target_pass import TargetPass
from passes.support.work_groups.exchange_memory import ExchangeMemory
from passes.support.work_groups.reconciliation import Reconciliation
from passes.support.work_groups.subgroups import Subgroups
from passes.xegpu.infer_op_level import INFERRED, lanes_per_subgroup
from passes.xegpu.wg_to_sg_distribute.implied import implied_subgroups
from passes.xegpu.wg_to_sg_distribute.inference import infer
from passes.xegpu.wg_to_sg_distribute.layout_distribution import LayoutDistribution
from passes.xegpu.wg_to_sg_distribute.layout_rules import LayoutRules
from passes.xegpu.wg_to_sg_distribute.layouts import forget_ranges, subgroups_of
from passes.xegpu.wg_to_sg_distribute.matrix_accesses import DescribedMatrices
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import WORK_GROUP_SIZE_HINT, FuncOp
from xegpu.targets import Target


@dataclass(frozen=True)
class XegpuWgToSgDistributePass(TargetPass):
    """Gives each subgroup its parts of the vectors of a work-group.

    Layouts with `sg_layout` state the parts: blocks of `sg_data` are dealt round robin along each dimension to the
    subgroups, which are numbered by `order`; subgroups that differ only in dimensions which a slice drops own the same
    block. Values without a layout follow those that they are computed from or used for; what nothing determines is
    divided evenly if it is stored, and otherwise every subgroup owns it whole. Layouts decide who computes, never what:
    wherever an operation needs data of other subgroups, it moves through shared local memory.

    One owner stores a part that several have, and one executes an atomic update. Operations that cannot be divided
    work on whole values. Kernels without layouts over subgroups stay unchanged if their subgroups compute different
    things, as ids tell; otherwise all subgroups of the launch divide what is stored.
    """

    name = "xegpu-wg-to-sg-distribute"

    op_level: str = INFERRED
    """The level of the kernels, as for `xegpu-infer-op-level`."""

    def compile(self, scope: Operation, target: Target) -> None:
        for function in [inner for inner in scope.walk() if isinstance(inner, FuncOp)]:
            needed = subgroups_of(function) or implied_subgroups(function, self.op_level, target)
            if needed is not None:
                _distribute(function, needed, target)


def _distribute(function: FuncOp, needed: int, target: Target) -> None:
    lanes, size = lanes_per_subgroup(function), function.block_size
    count = needed if size is None else -(-prod(size) // lanes)
    if size is None:
        function.attributes[WORK_GROUP_SIZE_HINT] = DenseArrayBase.from_list(i32, [count * lanes, 1, 1])
    elif needed > count:
        raise CompileError(
            function,
            f"layouts distribute over {needed} subgroups of {lanes} work-items, known_block_size {list(size)} launches "
            f"{prod(size)}",
        )
    for argument in function.body.blocks[0].args:
        rules = LayoutRules(count)
        if rules.is_shareable(argument):
            raise CompileError(
                function, f"argument #{argument.index} has type {argument.type}, which a work-group cannot share"
            )
    rules = LayoutRules(count)
    sharings = infer(function, rules)
    Reconciliation(sharings, rules).run(function)
    subgroups = Subgroups(function, count, is_certain=size is not None)
    taken = find_resources(function, 1, target).slm_size
    memory = ExchangeMemory(function, subgroups.entry, target.platform.max_slm_bytes - taken, DescribedMatrices())
    LayoutDistribution(function, sharings, rules, subgroups, memory).run(function.body)
    memory.settle()
    forget_ranges(function)
