"""`xetile-wg-to-sg`: distributes the tiles of a work-group over its subgroups."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Operation

from passes.kernel.mode import entry_point_subgroup_size
from passes.kernel.resources import find_resources
from passes.kernel.target_pass import TargetPass
from passes.support.work_groups.exchange_memory import ExchangeMemory
from passes.support.work_groups.reconciliation import Reconciliation
from passes.support.work_groups.subgroups import Subgroups
from passes.xetile.wg_to_sg.maps import subgroups_of
from passes.xetile.wg_to_sg.tile_distribution import TileDistribution, reduced_part
from passes.xetile.wg_to_sg.tile_memory import TileMemory
from passes.xetile.wg_to_sg.tile_rules import infer
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import WORK_GROUP_SIZE_HINT, FuncOp
from xegpu.targets import Target


@dataclass(frozen=True)
class XetileWgToSgPass(TargetPass):
    """Gives each subgroup its parts of the tiles and vectors of a work-group.

    Blocks of `sg_data` are assigned round robin to the subgroups of `sg_layout`, which are numbered row-major; if there
    are fewer blocks than subgroups, several subgroups own the same block. Values without a map follow those that they
    are computed from or used for. Where an operation needs data of other subgroups, the data moves through shared local
    memory: for `convert_layout`, transposes, reductions, and operands with different distributions. Kernels without a
    `wg_map` stay unchanged.

    Exchanges share memory if there is not enough for each of them, and larger ones go in pieces.

    The kernel must be launched with as many subgroups as its maps distribute over: a different `known_block_size` is an
    error, and a kernel without one gets the number as `gpu.work_group_size_hint`.
    """

    name = "xetile-wg-to-sg"

    def compile(self, scope: Operation, target: Target) -> None:
        for function in [inner for inner in scope.walk() if isinstance(inner, FuncOp)]:
            count = subgroups_of(function)
            if count is not None:
                _settle_size(function, count)
                _distribute(function, count, target)


def _settle_size(function: FuncOp, count: int) -> None:
    """Checks the size of work-groups, or suggests one: with any other, parts would be missing or done twice."""
    size = function.block_size
    is_of_subgroups = "VectorComputeFunctionINTEL" in function.attributes | function.properties
    lanes = 1 if is_of_subgroups else entry_point_subgroup_size(function) or 1
    if size is None:
        function.attributes[WORK_GROUP_SIZE_HINT] = DenseArrayBase.from_list(i32, [count * lanes, 1, 1])
    elif prod(size) != count * lanes:
        threads = "" if lanes == 1 else f" of {lanes} work-items"
        raise CompileError(
            function,
            f"maps distribute over {count} subgroups{threads}, known_block_size {list(size)} launches {prod(size)}",
        )


def _distribute(function: FuncOp, count: int, target: Target) -> None:
    inference, rules = infer(function)
    sharings = inference.sharings
    Reconciliation(sharings, rules).run(function)
    for argument in function.body.blocks[0].args:
        if argument in sharings:
            raise CompileError(
                function,
                f"argument #{argument.index} is a vector, which a work-group cannot share",
            )
    subgroups = Subgroups(function, count)
    taken = find_resources(function, 1, target).slm_size
    memory = ExchangeMemory(function, subgroups.entry, target.platform.max_slm_bytes - taken, TileMemory())
    TileDistribution(sharings, rules, subgroups, memory, reduced_part).run(function.body)
    memory.settle()
