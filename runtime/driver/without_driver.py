"""The functions `zer...`, which take no driver: they serve the only one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from runtime import ze
from runtime.ze.driver import Context


def _driver() -> ze.ze_driver_handle_t:
    """Returns the driver of the process, which this initializes."""
    ze.zeInit()
    return ze.zeDriverGet()[0]


def zerGetLastErrorDescription() -> str:
    """Returns the text of the calling thread's latest error; empty if there was none."""
    return ze.zeDriverGetLastErrorDescription(_driver())


def zerTranslateDeviceHandleToIdentifier(hDevice: ze.ze_device_handle_t) -> int:
    """Returns the number of a device.

    Raises:
        ZeError: `INVALID_ARGUMENT` for what is no root device.
    """
    devices = ze.zeDeviceGet(_driver())
    if hDevice not in devices:
        raise ze.ZeError(ze.ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{hDevice!r} is none of {devices}")
    return devices.index(hDevice)


def zerTranslateIdentifierToDeviceHandle(identifier: int) -> ze.ze_device_handle_t | None:
    """Returns the device with a number; None if there is none."""
    devices = ze.zeDeviceGet(_driver())
    return devices[identifier] if identifier < len(devices) else None


def zerGetDefaultContext() -> Context:
    """Returns the default context of the driver."""
    return ze.zeDriverGetDefaultContext(_driver())


WITHOUT_DRIVER: Mapping[str, Callable[..., object]] = {
    function.__name__: function
    for function in (
        zerGetLastErrorDescription,
        zerTranslateDeviceHandleToIdentifier,
        zerTranslateIdentifierToDeviceHandle,
        zerGetDefaultContext,
    )
}
"""The functions by name."""
