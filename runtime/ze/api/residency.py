"""Residency of memory and images (specification: Residency)."""

from __future__ import annotations

from runtime.ze.driver.handle import live, pointer, unsigned
from runtime.ze.driver.images.image import Image
from runtime.ze.driver.system.context import Context, default_context_of
from runtime.ze.driver.system.device import Device
from runtime.ze.spec.results import ZeError, ze_result_t


def _resident_range(hContext: Context, hDevice: Device, ptr: int, size: int) -> None:
    context = live(hContext, Context)
    context.device(hDevice)
    usm = context.usm(pointer(ptr, "ptr"))
    if usm is None or ptr + unsigned(size, "size", 64) > usm.allocation.address + usm.size:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{ptr:#x} and {size} bytes are no memory of {context!r}"
        )


def zeContextMakeMemoryResident(hContext: Context, hDevice: Device, ptr: int, size: int) -> None:
    """Keep memory on a device; simulated memory always is."""
    _resident_range(hContext, hDevice, ptr, size)


def zeDeviceMakeMemoryResident(hDevice: Device, ptr: int, size: int) -> None:
    """As `zeContextMakeMemoryResident`."""
    zeContextMakeMemoryResident(default_context_of(hDevice), hDevice, ptr, size)


def zeContextEvictMemory(hContext: Context, hDevice: Device, ptr: int, size: int) -> None:
    """Let memory go from a device; simulated memory always stays."""
    _resident_range(hContext, hDevice, ptr, size)


def zeDeviceEvictMemory(hDevice: Device, ptr: int, size: int) -> None:
    """As `zeContextEvictMemory`."""
    zeContextEvictMemory(default_context_of(hDevice), hDevice, ptr, size)


def zeContextMakeImageResident(hContext: Context, hDevice: Device, hImage: Image) -> None:
    """Keep an image on a device; simulated memory always is."""
    live(hContext, Context).device(hDevice)
    live(hImage, Image)


def zeDeviceMakeImageResident(hDevice: Device, hImage: Image) -> None:
    """As `zeContextMakeImageResident`."""
    zeContextMakeImageResident(default_context_of(hDevice), hDevice, hImage)


def zeContextEvictImage(hContext: Context, hDevice: Device, hImage: Image) -> None:
    """Let an image go from a device; simulated memory always stays."""
    live(hContext, Context).device(hDevice)
    live(hImage, Image)


def zeDeviceEvictImage(hDevice: Device, hImage: Image) -> None:
    """As `zeContextEvictImage`."""
    zeContextEvictImage(default_context_of(hDevice), hDevice, hImage)
