"""Estimated time of a launch on the device: the cost model, and threads that share EUs."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.simulator.execution.costs import ProgramCosts
from runtime.simulator.launch.counts import ExecutionCounts
from runtime.simulator.launch.dispatch import Dispatch, KernelDescription
from runtime.simulator.machine.residency import Residency, residency
from xegpu.isa.cost import Pipe
from xegpu.targets import Target

MEMORY = "memory"
"""The limit by the bandwidth of the memory."""


@dataclass(frozen=True)
class Estimate:
    """Estimated cycles of the core clock for a launch, and their parts.

    `limits` has the cycles that each resource alone would take: the pipes by name, `memory` for its bandwidth,
    `latency` for threads that wait for their own results. The largest one, `bound`, determines the estimate, and
    `launch` cycles to start are added. `thread_cycles` is the average of a thread that has an EU for itself, and
    `slowest_thread` has the cycles of the one that takes longest.
    """

    cycles: int
    bound: str
    limits: dict[str, float]
    launch: int
    thread_cycles: float
    slowest_thread: float
    residency: Residency

    def seconds(self, target: Target, clock_mhz: float | None = None) -> float:
        """Returns the time at a core clock, by default the target's. The memory has a clock of its own."""
        nominal = target.core_clock_mhz
        if clock_mhz is None or clock_mhz == nominal:
            return self.cycles / (nominal * 1e6)
        core = max((cycles for name, cycles in self.limits.items() if name != MEMORY), default=0.0)
        return max(core / clock_mhz, self.limits.get(MEMORY, 0.0) / nominal) / 1e6 + self.launch / (clock_mhz * 1e6)


def estimate(
    costs: ProgramCosts, description: KernelDescription, dispatch: Dispatch, counts: ExecutionCounts
) -> Estimate:
    """Returns the estimate of a launch: the largest of the lower bounds that each resource alone gives.

    The Xe-cores with most groups determine the time, unless a single group, or a single thread, has so much of the work
    that it takes longer.
    """
    target, placed = description.target, residency(description, dispatch)
    launch = target.timing.launch
    if not placed.groups:
        return Estimate(launch, "latency", {}, launch, 0.0, 0.0, placed)
    thread_cycles = costs.thread_cycles(counts) / (placed.groups * placed.group_threads)
    # The share of the busiest EU in the total.
    share = -(-placed.groups // placed.cores) / placed.groups * placed.cores / placed.eus
    limits = {
        pipe.value: cycles * share for pipe, cycles in costs.pipe_cycles(counts).items() if pipe is not Pipe.CONTROL
    }
    slowest = group_cycles = thread_cycles
    if counts.spread is not None:
        slowest, group_cycles = counts.spread.slowest, counts.spread.groups / placed.groups
        group_eus = min(target.eus_per_core, placed.group_threads)
        for pipe, cycles in counts.spread.busiest.items():
            if pipe is not Pipe.CONTROL:
                limits[pipe.value] = max(limits[pipe.value], cycles / group_eus)
    cycle_bytes = target.timing.memory_bandwidth / (target.core_clock_mhz * 1e6)
    limits[MEMORY] = costs.memory_bytes(counts) / cycle_bytes
    limits["latency"] = max(slowest, group_cycles * placed.rounds)
    bound = max(limits, key=lambda name: limits[name])
    return Estimate(round(limits[bound]) + launch, bound, limits, launch, thread_cycles, slowest, placed)
