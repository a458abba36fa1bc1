"""Residency of memory and images (specification: Residency)."""

from __future__ import annotations

from runtime.ze.declaration import Chapter, api, seed_form
from runtime.ze.dispatch import direct
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


@api(Chapter.RESIDENCY, "DEVICE_LOST", pointers="ptr", seed="zeDeviceMakeMemoryResident", memory="ptr[size]")
def zeContextMakeMemoryResident(hContext: Context, hDevice: Device, ptr: int, size: int) -> None:
    """Keep memory on a device; simulated memory always is."""
    _resident_range(hContext, hDevice, ptr, size)


@seed_form(zeContextMakeMemoryResident)
def zeDeviceMakeMemoryResident(hDevice: Device, ptr: int, size: int) -> None:
    """As `zeContextMakeMemoryResident`."""
    direct(zeContextMakeMemoryResident)(default_context_of(hDevice), hDevice, ptr, size)


@api(Chapter.RESIDENCY, "DEVICE_LOST", pointers="ptr", seed="zeDeviceEvictMemory", memory="ptr[size]")
def zeContextEvictMemory(hContext: Context, hDevice: Device, ptr: int, size: int) -> None:
    """Let memory go from a device; simulated memory always stays."""
    _resident_range(hContext, hDevice, ptr, size)


@seed_form(zeContextEvictMemory)
def zeDeviceEvictMemory(hDevice: Device, ptr: int, size: int) -> None:
    """As `zeContextEvictMemory`."""
    direct(zeContextEvictMemory)(default_context_of(hDevice), hDevice, ptr, size)


@api(Chapter.RESIDENCY, "DEVICE_LOST", seed="zeDeviceMakeImageResident")
def zeContextMakeImageResident(hContext: Context, hDevice: Device, hImage: Image) -> None:
    """Keep an image on a device; simulated memory always is."""
    live(hContext, Context).device(hDevice)
    live(hImage, Image)


@seed_form(zeContextMakeImageResident)
def zeDeviceMakeImageResident(hDevice: Device, hImage: Image) -> None:
    """As `zeContextMakeImageResident`."""
    direct(zeContextMakeImageResident)(default_context_of(hDevice), hDevice, hImage)


@api(Chapter.RESIDENCY, "DEVICE_LOST", seed="zeDeviceEvictImage")
def zeContextEvictImage(hContext: Context, hDevice: Device, hImage: Image) -> None:
    """Let an image go from a device; simulated memory always stays."""
    live(hContext, Context).device(hDevice)
    live(hImage, Image)


@seed_form(zeContextEvictImage)
def zeDeviceEvictImage(hDevice: Device, hImage: Image) -> None:
    """As `zeContextEvictImage`."""
    direct(zeContextEvictImage)(default_context_of(hDevice), hDevice, hImage)
