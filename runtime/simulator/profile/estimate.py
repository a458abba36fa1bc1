"""How long a launch takes on the device: the cost model, and threads that share EUs."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.simulator.costs import ProgramCosts
from runtime.simulator.counts import ExecutionCounts
from runtime.simulator.launch import Dispatch, KernelDescription
from runtime.simulator.machine.residency import Residency, residency
from xegpu.isa.cost import Pipe
from xegpu.targets import Target


@dataclass(frozen=True)
class Estimate:
    """Cycles of the core clock, from the start of a launch to its end, and what they come from.

    `limits` has what each resource alone would take: the pipes by name, `memory` for its bandwidth, `latency` for
    threads that wait for their own results. The largest one, `bound`, decides, and `launch` cycles of starting come on
    top. `thread_cycles` are the average of a thread that has an EU for itself.
    """

    cycles: int
    bound: str
    limits: dict[str, float]
    launch: int
    thread_cycles: float
    residency: Residency

    def seconds(self, target: Target) -> float:
        """The time at the core clock of the target."""
        return self.cycles / (target.core_clock_mhz * 1e6)


def estimate(
    costs: ProgramCosts, description: KernelDescription, dispatch: Dispatch, counts: ExecutionCounts
) -> Estimate:
    """Each resource alone bounds the launch from below; the launch is taken to reach the highest of these bounds.

    Groups are taken to be alike: the Xe-cores with most groups decide.
    """
    target, placed = description.target, residency(description, dispatch)
    launch = target.timing.launch
    if not placed.groups:
        return Estimate(launch, "latency", {}, launch, 0.0, placed)
    thread_cycles = costs.thread_cycles(counts) / (placed.groups * placed.group_threads)
    # What the busiest EU does, of all that is done.
    share = -(-placed.groups // placed.cores) / placed.groups * placed.cores / placed.eus
    limits = {
        pipe.value: cycles * share for pipe, cycles in costs.pipe_cycles(counts).items() if pipe is not Pipe.CONTROL
    }
    cycle_bytes = target.timing.memory_bandwidth / (target.core_clock_mhz * 1e6)
    limits["memory"] = costs.memory_bytes(counts) / cycle_bytes
    limits["latency"] = thread_cycles * placed.rounds
    bound = max(limits, key=lambda name: limits[name])
    return Estimate(round(limits[bound]) + launch, bound, limits, launch, thread_cycles, placed)
