"""What `.ze_info` says of a kernel's cost (`kernels_cost_info`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zebin.ze_info.schema import CostArgument, KernelCostInfo, LoopCost, LoopCount

if TYPE_CHECKING:
    from xegpu.isa import CompiledKernel
    from xegpu.isa.cost import RegionCost, TripCount

_MOST = (1 << 31) - 1
"""All numbers are 32-bit integers with a sign."""

_UNKNOWN = LoopCount(factor=0.0, argsym_index=-1, constant=0.0)


def cost_info(kernel: CompiledKernel) -> list[KernelCostInfo]:
    """The entry for a kernel, none if its cost is not known.

    The first of the loop costs is that of the code outside of loops; one for each loop follows, outer loops in front of
    those inside of them. A loop count belongs to each loop; one that is not known is zero without an argument.
    """
    if kernel.cost is None:
        return []
    symbols: dict[int, int] = {}
    counts = [_loop_count(loop.trips, symbols) for loop in kernel.cost.loops]
    return [
        KernelCostInfo(
            name=kernel.name,
            kcm_args_sym=[
                CostArgument(
                    arg_no=argument,
                    byte_offset=0,
                    size_in_bytes=kernel.facts.arguments[argument].size,
                    is_indirect=False,
                )
                for argument in symbols
            ],
            kcm_loop_count_exps=counts,
            kcm_loop_costs=[_loop_cost(region) for region in (kernel.cost.outside, *kernel.cost.loops)],
        )
    ]


def _loop_count(trips: TripCount | None, symbols: dict[int, int]) -> LoopCount:
    """The expression of a trip count; an argument that it needs gets its place among the symbols."""
    if trips is None:
        return _UNKNOWN
    if trips.argument is None:
        return LoopCount(factor=0.0, argsym_index=-1, constant=trips.offset / trips.step)
    symbol = symbols.setdefault(trips.argument, len(symbols))
    return LoopCount(factor=trips.scale / trips.step, argsym_index=symbol, constant=trips.offset / trips.step)


def _loop_cost(region: RegionCost) -> LoopCost:
    return LoopCost(
        cycle=min(region.cycles, _MOST),
        bytes_loaded=min(region.bytes_loaded, _MOST),
        bytes_stored=min(region.bytes_stored, _MOST),
        num_loops=region.children,
    )
