"""The simulated GPU: memory, kernels, launches and faults. It executes code of the virtual Xe ISA and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xegpu.on_demand import public_names

if TYPE_CHECKING:
    from runtime.simulator.addresses import address_of
    from runtime.simulator.counts import allocated_bytes
    from runtime.simulator.engine import Executable, PointerAlignment, ThreadState
    from runtime.simulator.engines import ENGINES, OBSERVABLE, require_engine
    from runtime.simulator.faults import DeviceFault, FaultAccess, FaultKind, IllegalCode
    from runtime.simulator.launch import MOST_GROUPS, Dispatch, KernelDescription, LaunchRefused, Statistics
    from runtime.simulator.machine.residency import residency
    from runtime.simulator.memory import Allocation, Holder, Memory, OverlapsLiveMemory, RangeTable
    from runtime.simulator.poison import POISON, POISON_BYTES, fill_with_poison, is_unwritten
    from runtime.simulator.simulator import Simulator
    from runtime.simulator.supervision.limits import DeviceLimits, choose_limits
    from runtime.simulator.supervision.progress import default_progress
    from runtime.simulator.supervision.watch import LaunchStopped, Progress, ProgressMaker, stop_launches


__all__ = [
    "ENGINES",
    "MOST_GROUPS",
    "OBSERVABLE",
    "POISON",
    "POISON_BYTES",
    "Allocation",
    "DeviceFault",
    "DeviceLimits",
    "Dispatch",
    "Executable",
    "FaultAccess",
    "FaultKind",
    "Holder",
    "IllegalCode",
    "KernelDescription",
    "LaunchRefused",
    "LaunchStopped",
    "Memory",
    "OverlapsLiveMemory",
    "PointerAlignment",
    "Progress",
    "ProgressMaker",
    "RangeTable",
    "Simulator",
    "Statistics",
    "ThreadState",
    "address_of",
    "allocated_bytes",
    "choose_limits",
    "default_progress",
    "fill_with_poison",
    "is_unwritten",
    "require_engine",
    "residency",
    "stop_launches",
]

__getattr__ = public_names(
    __name__,
    {
        ".addresses": "address_of",
        ".counts": "allocated_bytes",
        ".engine": "Executable PointerAlignment ThreadState",
        ".engines": "ENGINES OBSERVABLE require_engine",
        ".faults": "DeviceFault FaultAccess FaultKind IllegalCode",
        ".launch": "MOST_GROUPS Dispatch KernelDescription LaunchRefused Statistics",
        ".machine.residency": "residency",
        ".memory": "Allocation Holder Memory OverlapsLiveMemory RangeTable",
        ".poison": "POISON POISON_BYTES fill_with_poison is_unwritten",
        ".simulator": "Simulator",
        ".supervision.limits": "DeviceLimits choose_limits",
        ".supervision.progress": "default_progress",
        ".supervision.watch": "LaunchStopped Progress ProgressMaker stop_launches",
    },
)
