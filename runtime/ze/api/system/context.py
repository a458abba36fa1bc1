"""Contexts (specification: Context)."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.ze.declaration import Chapter, api, seed_form
from runtime.ze.dispatch import direct
from runtime.ze.driver.handle import items, live, required
from runtime.ze.driver.system.context import Context, default_context_of
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.driver import Driver
from runtime.ze.driver.system.ending import destroy
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import ze_context_desc_t


@api(Chapter.CONTEXT, pointers="desc", seed=None, validated="INVALID_ENUMERATION")
def zeContextCreate(hDriver: Driver, desc: ze_context_desc_t) -> Context:
    """Creates a context for all devices of a driver."""
    return direct(zeContextCreateEx)(hDriver, desc, ())


@api(
    Chapter.CONTEXT,
    pointers="desc",
    since=(1, 1),
    validated="INVALID_ENUMERATION",
    inexpressible=(
        "INVALID_SIZE for an array that is null though its count is not zero: arrays carry their own length"
    ),
)
def zeContextCreateEx(hDriver: Driver, desc: ze_context_desc_t, phDevices: Sequence[Device] = ()) -> Context:
    """Creates a context for `phDevices`; for all devices of the driver if the array is empty."""
    driver = live(hDriver, Driver)
    required(desc, "desc")
    devices = [live(device, Device) for device in items(phDevices, "phDevices")]
    for device in devices:
        if device not in driver.devices and device.card not in driver.devices:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{device!r} is not one of {driver!r}")
    return Context(driver, devices or driver.devices)


@api(Chapter.CONTEXT, seed=None, validated="HANDLE_OBJECT_IN_USE")
def zeContextDestroy(hContext: Context) -> None:
    """Destroys a context with all objects and memory that are left in it; commands that do not end are dropped."""
    if destroy(hContext, Context):
        hContext.release_all()


@api(Chapter.CONTEXT, seed=None)
def zeContextGetStatus(hContext: Context) -> ze_result_t:
    """Returns `ZE_RESULT_SUCCESS`, or `ZE_RESULT_ERROR_DEVICE_LOST` if a device of the context is lost."""
    lost = any(device.processor.lost for device in live(hContext, Context).devices)
    return ze_result_t.ZE_RESULT_ERROR_DEVICE_LOST if lost else ze_result_t.ZE_RESULT_SUCCESS


@api(Chapter.CONTEXT, "DEVICE_LOST", seed="zeDeviceSystemBarrier")
def zeContextSystemBarrier(hContext: Context, hDevice: Device) -> None:
    """Makes writes of the host visible to a device. They always are, so this has no effect."""
    live(hContext, Context).device(hDevice)


@seed_form(zeContextSystemBarrier)
def zeDeviceSystemBarrier(hDevice: Device) -> None:
    """Does what `zeContextSystemBarrier` does, in the driver's default context."""
    direct(zeContextSystemBarrier)(default_context_of(hDevice), hDevice)
