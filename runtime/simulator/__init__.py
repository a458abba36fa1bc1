"""The simulated GPU: memory, kernels, launches and faults. It executes code of the virtual Xe ISA and nothing else."""

from __future__ import annotations

from runtime.simulator.engine import ENGINES, Executable, ThreadState, require_engine
from runtime.simulator.faults import DeviceFault, FaultKind, IllegalCode
from runtime.simulator.launch import Dispatch, KernelDescription, Statistics
from runtime.simulator.memory import Allocation, Memory, RangeTable
from runtime.simulator.simulator import Simulator
from runtime.simulator.watch import LaunchStopped, stop_launches

__all__ = [
    "ENGINES",
    "Allocation",
    "DeviceFault",
    "Dispatch",
    "Executable",
    "FaultKind",
    "IllegalCode",
    "KernelDescription",
    "LaunchStopped",
    "Memory",
    "RangeTable",
    "Simulator",
    "Statistics",
    "ThreadState",
    "require_engine",
    "stop_launches",
]
