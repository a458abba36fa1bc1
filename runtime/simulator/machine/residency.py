"""Distribution of a launch over the device: how many work-groups are resident at a time."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.simulator.launch.dispatch import Dispatch, KernelDescription
from runtime.simulator.machine import thread_payload


@dataclass(frozen=True)
class Residency:
    """Distribution of the threads of a launch: `cores` Xe-cores have work-groups, `eus` EUs of each of them have
    threads.

    A core holds `core_groups` groups of `group_threads` threads at a time; it takes `rounds` such batches.
    """

    groups: int
    group_threads: int
    cores: int
    core_groups: int
    eus: int
    rounds: int

    @property
    def threads_per_eu(self) -> float:
        """Threads that a used EU holds at a time."""
        return self.resident_groups * self.group_threads / max(self.eus, 1)

    @property
    def resident_groups(self) -> int:
        """Groups that the device holds at a time."""
        return self.cores * self.core_groups


def residency(description: KernelDescription, dispatch: Dispatch) -> Residency:
    """Distributes the groups over the Xe-cores in turn, as many at a time as threads, SLM and barriers allow."""
    target = description.target
    columns, rows, layers = dispatch.group_count
    groups = columns * rows * layers
    threads = thread_payload.thread_count(description.facts.simd_size, dispatch.local_size)
    slm = description.facts.slm_size + dispatch.slm_size
    room = [target.max_group_threads(description.facts.grf_count) // threads]
    if slm:
        room.append(target.core_slm_bytes // slm)
    if description.facts.barrier_count:
        room.append(target.platform.core_barriers // description.facts.barrier_count)
    cores = min(target.xe_cores, groups)
    most = -(-groups // cores) if cores else 0
    resident = min(max(min(room), 1), most)
    eus = cores * min(target.eus_per_core, resident * threads)
    return Residency(groups, threads, cores, resident, eus, -(-most // resident) if resident else 0)
