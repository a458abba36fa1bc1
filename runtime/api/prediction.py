"""Predictions: profiles of launches by the cost model, without running them."""

from __future__ import annotations

from collections.abc import Sequence

import zebin
from runtime.simulator import Dispatch
from runtime.simulator.profile import Profile, predicted_profile
from runtime.ze.driver import ArgumentValue, Kernel as KernelHandle, KernelArguments
from xegpu.isa.model import Dim3


def predict(handle: KernelHandle, grid: Dim3, block: Dim3, values: Sequence[ArgumentValue], allocated: int) -> Profile:
    """Returns the profile that the cost model expects of a launch.

    Loops run as often as the binary says for these arguments, and once where it does not say.

    Args:
        handle: The kernel.
        grid: The number of work-groups.
        block: The size of a work-group.
        values: The kernel arguments, of which the numbers decide the counts of loops.
        allocated: Bytes of the arrays.

    """
    arguments = KernelArguments(handle.description)
    arguments.set_all(list(values))
    dispatch = Dispatch(grid, block, b"", arguments.local_bytes)
    return predicted_profile(handle.executable, dispatch, _iterations(handle, values), allocated)


def _iterations(handle: KernelHandle, values: Sequence[ArgumentValue]) -> tuple[float, ...]:
    info = zebin.read(handle.module.binary(), lenient=True).ze_info
    costs = [] if info is None else [cost for cost in info.kernels_cost_info if cost.name == handle.description.name]
    if not costs:
        return ()
    symbols = [values[symbol.arg_no] if symbol.arg_no < len(values) else None for symbol in costs[0].kcm_args_sym]
    found = []
    for count in costs[0].kcm_loop_count_exps:
        value = symbols[count.argsym_index] if 0 <= count.argsym_index < len(symbols) else 0
        number = float(value) if isinstance(value, int | float) else 1.0
        found.append(max(0.0, count.factor * number + count.constant))
    return tuple(found)
