"""The simulated GPU: memory, kernels, launches and faults. It executes code of the virtual Xe ISA and nothing else."""

from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    from runtime.simulator.engines import ENGINES as ENGINES, OBSERVABLE as OBSERVABLE, require_engine as require_engine
    from runtime.simulator.execution.engine import (
        Executable as Executable,
        PointerAlignment as PointerAlignment,
        ThreadState as ThreadState,
    )
    from runtime.simulator.launch.counts import allocated_bytes as allocated_bytes
    from runtime.simulator.launch.dispatch import (
        MOST_GROUPS as MOST_GROUPS,
        Dispatch as Dispatch,
        KernelDescription as KernelDescription,
        LaunchRefused as LaunchRefused,
        Statistics as Statistics,
    )
    from runtime.simulator.launch.faults import (
        DeviceFault as DeviceFault,
        FaultAccess as FaultAccess,
        FaultKind as FaultKind,
        IllegalCode as IllegalCode,
    )
    from runtime.simulator.machine.residency import residency as residency
    from runtime.simulator.machine.thread_payload import local_ids as local_ids
    from runtime.simulator.memory import (
        Allocation as Allocation,
        Holder as Holder,
        Memory as Memory,
        OverlapsLiveMemory as OverlapsLiveMemory,
    )
    from runtime.simulator.memory.addresses import address_of as address_of
    from runtime.simulator.memory.poison import (
        POISON as POISON,
        POISON_BYTES as POISON_BYTES,
        fill_with_poison as fill_with_poison,
        is_unwritten as is_unwritten,
    )
    from runtime.simulator.simulator import Simulator as Simulator
    from runtime.simulator.supervision.limits import DeviceLimits as DeviceLimits, choose_limits as choose_limits
    from runtime.simulator.supervision.progress import default_progress as default_progress
    from runtime.simulator.supervision.watch import (
        LaunchStopped as LaunchStopped,
        Progress as Progress,
        ProgressMaker as ProgressMaker,
        stop_launches as stop_launches,
    )
