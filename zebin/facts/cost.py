"""The cost estimates of `.ze_info` (zeinfo 1.61, `kernels_cost_info`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zebin.ze_info.schema import CostArgument, KernelCostInfo, LoopCost, LoopCount

if TYPE_CHECKING:
    from xegpu.isa import CompiledKernel
    from xegpu.isa.cost import RegionCost, TripCount

_MOST = (1 << 31) - 1
"""The largest value: all numbers are signed 32-bit integers."""

_UNKNOWN = LoopCount(factor=0.0, argsym_index=-1, constant=1.0)
"""One iteration: the format has no value for an unknown count, and with 0 the loop would cost nothing."""


def cost_info(kernel: CompiledKernel) -> list[KernelCostInfo]:
    """Returns the entry for a kernel, an empty list if its cost is not known.

    The first loop cost is that of the code outside loops; one for each loop follows, outer loops before the loops
    inside them. Each loop has a loop count, for which one iteration is assumed where it is not known.
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
    """Returns the expression of a trip count, and adds the argument that it needs to `symbols`."""
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
