"""Initialization and drivers (specification: Global, Driver)."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from runtime.simulator import Memory, ProgressMaker, Simulator, choose_limits, default_progress, require_engine
from runtime.simulator.checks import checking_memory, choose_checks, choose_engine, observers_of
from runtime.ze.device import Device, SimulatorFactory
from runtime.ze.enums import ze_api_version_t, ze_init_flags_t, ze_ipc_property_flags_t
from runtime.ze.handle import Handle, flag_set, live
from runtime.ze.machine import Machine
from runtime.ze.results import ZeError, last_error_text, ze_result_t
from runtime.ze.structs import (
    UUID_BYTES,
    ze_driver_extension_properties_t,
    ze_driver_ipc_properties_t,
    ze_driver_properties_t,
)
from xegpu.targets import TARGETS, Target

if TYPE_CHECKING:
    from runtime.simulator.interpreter.observer import Observer

_DRIVER_VERSION = 0x0001_0000
_EXTENSIONS = ("ZE_experimental_global_offset", "ZE_experimental_relaxed_allocation_limits")
_EXTENSION_VERSION = 0x10000


class Driver(Handle):
    """A driver and its devices, one for each of `targets`, which share `memory` and can access each other's."""

    noun: ClassVar[str] = "driver"

    def __init__(
        self, targets: Sequence[Target], make_simulator: SimulatorFactory, memory: Memory | None = None
    ) -> None:
        super().__init__()
        self.machine = Machine(memory or Memory())
        self.devices = tuple(Device(self, self.machine, target, make_simulator) for target in targets)


def simulated_driver(
    targets: Sequence[Target],
    engine: str | None = None,
    threads: int | None = None,
    observers: Sequence[Observer] = (),
    *,
    checks: str | Iterable[str] | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    progress: ProgressMaker | None = None,
) -> Driver:
    """A driver of its own, apart from the one that `zeInit` makes: other devices, another engine, separate memory.

    `engine` is the simulator's, `jit` or `interpreter`: by default the interpreter for `checks` that watch
    instructions, and else the JIT. `threads` is the number of host threads that execute work-groups, by default one a
    core. `observers` watch the interpreter. `checks` are names, as `runtime.simulator.checks.Check` has them, in a list
    or with commas between, by default those in the environment variable `XEGPU_CHECKS`. A launch may take `time_limit`
    seconds, live allocations `memory_limit` bytes together; what is not given is as `runtime.simulator.limits` says.
    `progress` shows how far long launches are. Raises `ValueError` for an engine that does not exist or cannot be
    observed, for unknown checks, and for limits that cannot be.
    """
    selected = choose_checks(checks)
    engine = choose_engine(engine, selected)
    observers = (*observers, *observers_of(selected))
    require_engine(engine, observers)
    limits = choose_limits(threads, time_limit, memory_limit)
    make_simulator = partial(
        Simulator,
        engine=engine,
        threads=limits.threads,
        observers=observers,
        instruction_limit=limits.instructions,
        time_limit=limits.seconds,
        progress=progress or default_progress(),
    )
    return Driver(targets, make_simulator, checking_memory(selected, limits.memory))


_drivers: list[Driver] = []
_lock = threading.Lock()


def _start_anew() -> None:
    """A forked child has no worker threads, and perhaps locks that nobody will release."""
    _drivers.clear()
    _lock.release()


os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_start_anew)


def zeInit(flags: int = 0) -> None:
    """Make the process's driver, once.

    Raises uninitialized when `flags` exclude GPUs, or when the environment asks for limits that cannot be.
    """
    if flag_set(flags, ze_init_flags_t) == ze_init_flags_t.ZE_INIT_FLAG_VPU_ONLY:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, "there are no VPU drivers, only GPU drivers")
    with _lock:
        if not _drivers:
            try:
                _drivers.append(simulated_driver(tuple(TARGETS.values())))
            except ValueError as error:
                raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, str(error)) from error


def zeDriverGet() -> list[Driver]:
    """The drivers of the process: one. Raises uninitialized before `zeInit`."""
    if not _drivers:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, "zeInit has not been called")
    return list(_drivers)


def zeDeviceGet(hDriver: Driver) -> list[Device]:
    """The devices of a driver, always the same in the same order."""
    return list(live(hDriver, Driver).devices)


def zeDriverGetApiVersion(hDriver: Driver) -> ze_api_version_t:
    """The highest version of the API that is supported."""
    live(hDriver, Driver)
    return ze_api_version_t.ZE_API_VERSION_1_4


def zeDriverGetProperties(hDriver: Driver) -> ze_driver_properties_t:
    """UUID and version of a driver."""
    live(hDriver, Driver)
    return ze_driver_properties_t(b"xegpu-toolkit".ljust(UUID_BYTES, b"\0"), _DRIVER_VERSION)


def zeDriverGetIpcProperties(hDriver: Driver) -> ze_driver_ipc_properties_t:
    """What processes can share: nothing."""
    live(hDriver, Driver)
    return ze_driver_ipc_properties_t(ze_ipc_property_flags_t(0))


def zeDriverGetExtensionProperties(hDriver: Driver) -> list[ze_driver_extension_properties_t]:
    """The extensions that are supported, each with its version."""
    live(hDriver, Driver)
    return [ze_driver_extension_properties_t(name, _EXTENSION_VERSION) for name in _EXTENSIONS]


def zeDriverGetLastErrorDescription(hDriver: Driver) -> str:
    """The text of the latest error of the calling thread, empty if there was none."""
    live(hDriver, Driver)
    return last_error_text()
