"""Initialization and drivers (specification: Global, Driver)."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from runtime.simulator import Memory, ProgressMaker, Simulator, choose_limits, default_progress, require_engine
from runtime.simulator.checks import checking_memory, choose_checks, choose_engine, observers_of
from runtime.ze.device import Device, SimulatorFactory
from runtime.ze.enums import (
    ze_api_version_t,
    ze_driver_memory_free_policy_ext_flags_t,
    ze_init_driver_type_flags_t,
    ze_init_flags_t,
    ze_ipc_property_flags_t,
)
from runtime.ze.extension_structs import ze_driver_memory_free_ext_properties_t
from runtime.ze.handle import Handle, flag_set, items, live, required
from runtime.ze.hierarchy import ALL_DEVICES, DeviceSelection, Hierarchy, kept_tiles, selection_from
from runtime.ze.machine import Machine
from runtime.ze.results import ZeError, last_error_text, ze_result_t
from runtime.ze.structs import (
    UUID_BYTES,
    ze_driver_extension_properties_t,
    ze_driver_ipc_properties_t,
    ze_driver_properties_t,
    ze_init_driver_type_desc_t,
    ze_pci_address_ext_t,
)
from xegpu.targets import TARGETS, Target

if TYPE_CHECKING:
    from runtime.simulator.interpreter.observer import Observer

_DRIVER_VERSION = 0x0001_0000
_EXTENSIONS = (
    "ZE_experimental_command_list_clone",
    "ZE_experimental_event_pool_counter_based",
    "ZE_experimental_event_query_timestamps",
    "ZE_experimental_global_offset",
    "ZE_experimental_image_memory_properties",
    "ZE_experimental_image_view",
    "ZE_experimental_image_view_planar",
    "ZE_experimental_immediate_command_list_append",
    "ZE_experimental_kernel_allocation_properties",
    "ZE_experimental_relaxed_allocation_limits",
    "ZE_experimental_scheduling_hints",
    "ZE_extension_device_ip_version",
    "ZE_extension_device_memory_properties",
    "ZE_extension_eu_count",
    "ZE_extension_event_query_kernel_timestamps",
    "ZE_extension_float_atomics",
    "ZE_extension_image_copy",
    "ZE_extension_image_query_alloc_properties",
    "ZE_extension_image_view",
    "ZE_extension_image_view_planar",
    "ZE_extension_kernel_max_group_size_properties",
    "ZE_extension_linkage_inspection",
    "ZE_extension_memory_free_policies",
    "ZE_extension_pci_properties",
)
_EXTENSION_VERSION = 0x10000


class Driver(Handle):
    """A driver and its devices, which share `memory` and can access each other's.

    There is a card of each of `targets`, of which `selection` says what is visible. `shared_on_device` is set where
    shared allocations are to live in device memory. Raises `ValueError` when no device is left.
    """

    noun: ClassVar[str] = "driver"

    def __init__(
        self,
        targets: Sequence[Target],
        make_simulator: SimulatorFactory,
        memory: Memory | None = None,
        *,
        selection: DeviceSelection = ALL_DEVICES,
        shared_on_device: bool = False,
    ) -> None:
        super().__init__()
        self.machine = Machine(memory or Memory())
        self.shared_on_device = shared_on_device
        self.devices = tuple(self._devices(targets, make_simulator, selection))

    def _devices(
        self, targets: Sequence[Target], make_simulator: SimulatorFactory, selection: DeviceSelection
    ) -> Iterator[Device]:
        addresses = [_address(target, targets[:index].count(target)) for index, target in enumerate(targets)]
        cards = sorted(zip(addresses, targets, strict=True), key=_bus) if selection.by_address else None
        placed = cards or list(zip(addresses, targets, strict=True))
        kept = kept_tiles(selection, [target.tiles for _, target in placed])
        for (address, target), tiles in zip(placed, kept, strict=True):
            if not tiles:
                continue
            card = Device(self, self.machine, target, make_simulator, address, tiles)
            if selection.hierarchy is Hierarchy.COMPOSITE or not card.tiles:
                yield card
                continue
            for tile in card.tiles:
                if selection.hierarchy is Hierarchy.FLAT:
                    tile.stand_alone()
                yield tile


_BUSES = {"pvc": 0x3A, "arc": 0x03}
"""Where the slot of a card is; a second card of a kind is on the next bus."""


def _address(target: Target, number: int) -> ze_pci_address_ext_t:
    return ze_pci_address_ext_t(0, _BUSES[target.name] + number, 0, 0)


def _bus(card: tuple[ze_pci_address_ext_t, Target]) -> int:
    return card[0].bus


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
    selection: DeviceSelection = ALL_DEVICES,
    shared_on_device: bool = False,
) -> Driver:
    """A driver of its own, apart from the one that `zeInit` makes: other devices, another engine, separate memory.

    `engine` is the simulator's, `jit` or `interpreter`: by default the interpreter for `checks` that watch
    instructions, and else the JIT. `threads` is the number of host threads that execute work-groups, by default one a
    core. `observers` watch the interpreter. `checks` are names, as `runtime.simulator.checks.Check` has them, in a list
    or with commas between, by default those in the environment variable `XEGPU_CHECKS`. A launch may take `time_limit`
    seconds, live allocations `memory_limit` bytes together; what is not given is as
    `runtime.simulator.supervision.limits` says. `progress` shows how far long launches are. `selection` says which
    devices are visible and what a device is; with `shared_on_device` shared allocations take room in device memory.
    Raises `ValueError` for an engine that does not exist or cannot be observed, for unknown checks, and for limits that
    cannot be.
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
    memory = checking_memory(selected, limits.memory)
    return Driver(targets, make_simulator, memory, selection=selection, shared_on_device=shared_on_device)


_FREE_POLICIES = ze_driver_memory_free_ext_properties_t(ze_driver_memory_free_policy_ext_flags_t(3))

_drivers: list[Driver] = []
_lock = threading.Lock()


def _start_anew() -> None:
    """A forked child has no worker threads, and perhaps locks that nobody will release."""
    _drivers.clear()
    _lock.release()


os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_start_anew)


def _environment_driver() -> Driver:
    """The driver that environment variables describe; raises `ValueError` for nonsense in them."""
    driver = simulated_driver(
        tuple(TARGETS.values()),
        selection=selection_from(os.environ),
        shared_on_device=os.environ.get("ZE_SHARED_FORCE_DEVICE_ALLOCATION", "").strip() == "1",
    )
    if not driver.devices:
        raise ValueError(f"ZE_AFFINITY_MASK '{os.environ['ZE_AFFINITY_MASK']}' leaves no device")
    return driver


def _initialize() -> None:
    """Make the process's driver, once; raises uninitialized when the environment asks for what cannot be."""
    with _lock:
        if not _drivers:
            try:
                _drivers.append(_environment_driver())
            except ValueError as error:
                raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, str(error)) from error


def zeInit(flags: int = 0) -> None:
    """Make the process's driver, once.

    Raises uninitialized when `flags` exclude GPUs, and when the environment asks for limits that cannot be or leaves no
    device.
    """
    if flag_set(flags, ze_init_flags_t) == ze_init_flags_t.ZE_INIT_FLAG_VPU_ONLY:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, "there are no VPU drivers, only GPU drivers")
    _initialize()


def zeInitDrivers(desc: ze_init_driver_type_desc_t) -> list[Driver]:
    """Initialize the drivers of some types and return them: raises uninitialized if there are none, as `zeInit`."""
    required(desc, "desc", ze_init_driver_type_desc_t)
    flags = flag_set(desc.flags, ze_init_driver_type_flags_t)
    if not flags:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, "desc.flags name no type of driver")
    if not flags & ze_init_driver_type_flags_t.ZE_INIT_DRIVER_TYPE_FLAG_GPU:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, "there are no NPU drivers, only GPU drivers")
    _initialize()
    return list(_drivers)


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


def zeDriverGetProperties(hDriver: Driver, pNext: Sequence[type] = ()) -> ze_driver_properties_t:
    """UUID and version of a driver; `pNext` as for `zeDeviceGetProperties`."""
    live(hDriver, Driver)
    found = ze_driver_properties_t(b"xegpu-toolkit".ljust(UUID_BYTES, b"\0"), _DRIVER_VERSION)
    known = {ze_driver_memory_free_ext_properties_t: _FREE_POLICIES}
    return (
        replace(found, pNext=tuple(known[kind] for kind in items(pNext, "pNext") if kind in known)) if pNext else found
    )


def zeDriverGetIpcProperties(hDriver: Driver) -> ze_driver_ipc_properties_t:
    """What processes can share: memory and event pools."""
    live(hDriver, Driver)
    flags = ze_ipc_property_flags_t
    return ze_driver_ipc_properties_t(flags.ZE_IPC_PROPERTY_FLAG_MEMORY | flags.ZE_IPC_PROPERTY_FLAG_EVENT_POOL)


def zeDriverGetExtensionProperties(hDriver: Driver) -> list[ze_driver_extension_properties_t]:
    """The extensions that are supported, each with its version."""
    live(hDriver, Driver)
    return [ze_driver_extension_properties_t(name, _EXTENSION_VERSION) for name in _EXTENSIONS]


def zeDriverGetLastErrorDescription(hDriver: Driver) -> str:
    """The text of the latest error of the calling thread, empty if there was none."""
    live(hDriver, Driver)
    return last_error_text()
