"""Initialization, drivers and extensions (specification: Driver)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from runtime.ze.declaration import Chapter, api, flags_of, seed_name
from runtime.ze.dispatch import entry_called
from runtime.ze.driver.handle import items, known_flags, live, required
from runtime.ze.driver.system.context import Context, default_context
from runtime.ze.driver.system.driver import Driver
from runtime.ze.driver.system.process import drivers_of_process, initialize
from runtime.ze.layers import initializing
from runtime.ze.spec.enums import (
    ze_api_version_t,
    ze_driver_memory_free_policy_ext_flags_t,
    ze_init_driver_type_flags_t,
    ze_init_flags_t,
    ze_ipc_property_flags_t,
)
from runtime.ze.spec.extensions import ze_driver_memory_free_ext_properties_t
from runtime.ze.spec.results import ZeError, last_error_text, ze_result_t
from runtime.ze.spec.structs import (
    UUID_BYTES,
    ze_driver_extension_properties_t,
    ze_driver_ipc_properties_t,
    ze_driver_properties_t,
    ze_driver_uuid_t,
    ze_init_driver_type_desc_t,
)

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
    "ZE_experimental_module_program",
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

_FREE_POLICIES = ze_driver_memory_free_ext_properties_t(ze_driver_memory_free_policy_ext_flags_t(3))


@initializing
@api(
    Chapter.DRIVER,
    "UNINITIALIZED",
    rules={"flags": flags_of(ze_init_flags_t)},
    validated="INVALID_ENUMERATION",
)
def zeInit(flags: int = 0) -> None:
    """Makes the driver of the process, once.

    Raises:
        ZeError: `UNINITIALIZED` if `flags` exclude GPUs, or the environment sets impossible limits or leaves no
            device.
    """
    if known_flags(flags, ze_init_flags_t) == ze_init_flags_t.ZE_INIT_FLAG_VPU_ONLY:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, "there are no VPU drivers, only GPU drivers")
    initialize()


@initializing
@api(
    Chapter.DRIVER,
    "INVALID_ARGUMENT UNINITIALIZED",
    pointers="desc",
    since=(1, 10),
    validated="INVALID_ENUMERATION",
)
def zeInitDrivers(desc: ze_init_driver_type_desc_t) -> list[Driver]:
    """Makes the driver of the process, once, and returns the drivers of the types that are asked for.

    Raises:
        ZeError: `UNINITIALIZED` if there are none, and as for `zeInit`.
    """
    required(desc, "desc")
    flags = known_flags(desc.flags, ze_init_driver_type_flags_t)
    if not flags:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, "desc.flags name no type of driver")
    if not flags & ze_init_driver_type_flags_t.ZE_INIT_DRIVER_TYPE_FLAG_GPU:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, "there are no NPU drivers, only GPU drivers")
    return initialize()


@api(Chapter.DRIVER, "UNINITIALIZED")
def zeDriverGet() -> list[Driver]:
    """Returns the drivers of the process, of which there is one.

    Raises:
        ZeError: `UNINITIALIZED` before `zeInit`.
    """
    found = drivers_of_process()
    if not found:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, "zeInit has not been called")
    return found


@api(Chapter.DRIVER)
def zeDriverGetApiVersion(hDriver: Driver) -> ze_api_version_t:
    """Returns the highest version of the API that is supported."""
    live(hDriver, Driver)
    return ze_api_version_t.ZE_API_VERSION_1_4


@api(Chapter.DRIVER)
def zeDriverGetProperties(hDriver: Driver, pNext: Sequence[type] = ()) -> ze_driver_properties_t:
    """Returns the UUID and the version of a driver."""
    live(hDriver, Driver)
    found = ze_driver_properties_t(ze_driver_uuid_t(b"xegpu-toolkit".ljust(UUID_BYTES, b"\0")), _DRIVER_VERSION)
    known = {ze_driver_memory_free_ext_properties_t: _FREE_POLICIES}
    return (
        replace(found, pNext=tuple(known[kind] for kind in items(pNext, "pNext") if kind in known)) if pNext else found
    )


@api(Chapter.DRIVER, seed="zeDriverGetIPCProperties")
def zeDriverGetIpcProperties(hDriver: Driver) -> ze_driver_ipc_properties_t:
    """Returns the objects that processes can share: memory and event pools."""
    live(hDriver, Driver)
    flags = ze_ipc_property_flags_t
    return ze_driver_ipc_properties_t(flags.ZE_IPC_PROPERTY_FLAG_MEMORY | flags.ZE_IPC_PROPERTY_FLAG_EVENT_POOL)


zeDriverGetIPCProperties = seed_name(zeDriverGetIpcProperties)


@api(Chapter.DRIVER, pointers="name")
def zeDriverGetExtensionFunctionAddress(hDriver: Driver, name: str) -> Callable[..., object]:
    """Returns the function with a name of 1.x or of 0.91.

    Raises:
        ZeError: `INVALID_ARGUMENT` if there is no function of that name.
    """
    live(hDriver, Driver)
    required(name, "name")
    found = entry_called(name)
    if found is None:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"there is no function {name!r}")
    return found


@api(Chapter.DRIVER, seed=None)
def zeDriverGetExtensionProperties(hDriver: Driver) -> list[ze_driver_extension_properties_t]:
    """Returns the extensions that are supported, each with its version."""
    live(hDriver, Driver)
    return [ze_driver_extension_properties_t(name, _EXTENSION_VERSION) for name in _EXTENSIONS]


@api(Chapter.DRIVER, since=(1, 6))
def zeDriverGetLastErrorDescription(hDriver: Driver) -> str:
    """Returns the text of the calling thread's latest error; empty if there was none."""
    live(hDriver, Driver)
    return last_error_text()


@api(Chapter.DRIVER, since=(1, 14))
def zeDriverGetDefaultContext(hDriver: Driver) -> Context:
    """Returns a context for all devices, which belongs to the driver."""
    return default_context(live(hDriver, Driver))
