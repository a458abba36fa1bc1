"""Where the threads of a launch are on the device: how many work-groups it holds at a time."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.simulator.launch import Dispatch, KernelDescription
from runtime.simulator.machine import thread_payload


@dataclass(frozen=True)
class Residency:
    """Where the threads of a launch are: `cores` Xe-cores have work-groups, `eus` EUs of them threads.

    A core holds `core_groups` groups of `group_threads` threads at a time, and gets `rounds` times as many.
    """

    groups: int
    group_threads: int
    cores: int
    core_groups: int
    eus: int
    rounds: int

    @property
    def threads_per_eu(self) -> float:
        """Threads that an EU in use holds at a time."""
        return self.resident_groups * self.group_threads / max(self.eus, 1)

    @property
    def resident_groups(self) -> int:
        """Groups that the device holds at a time."""
        return self.cores * self.core_groups


def residency(description: KernelDescription, dispatch: Dispatch) -> Residency:
    """Groups go to Xe-cores in turn, as many at a time as their threads, SLM and barriers let in."""
    target = description.target
    columns, rows, layers = dispatch.group_count
    groups = columns * rows * layers
    threads = thread_payload.thread_count(description.simd_size, dispatch.local_size)
    slm = description.slm_size + dispatch.slm_size
    room = [target.max_group_threads(description.grf_count) // threads]
    if slm:
        room.append(target.core_slm_bytes // slm)
    if description.barrier_count:
        room.append(target.core_barriers // description.barrier_count)
    cores = min(target.xe_cores, groups)
    most = -(-groups // cores) if cores else 0
    resident = min(max(min(room), 1), most)
    eus = cores * min(target.eus_per_core, resident * threads)
    return Residency(groups, threads, cores, resident, eus, -(-most // resident) if resident else 0)
