"""Residency of memory and images (specification: Residency)."""

from __future__ import annotations

from runtime.ze.declaration import Chapter, api, seed_form
from runtime.ze.dispatch import direct
from runtime.ze.driver.handle import live, pointer, unsigned
from runtime.ze.driver.images.image import Image
from runtime.ze.driver.system.context import Context, default_context_of
from runtime.ze.driver.system.device import Device
from runtime.ze.spec.results import ZeError, ze_result_t


def _resident_range(hContext: Context, hDevice: Device, ptr: int, size: int) -> tuple[Context, int]:
    """Returns the context, and the address of the allocation that a range is in."""
    context = live(hContext, Context)
    context.device(hDevice)
    usm = context.usm(pointer(ptr, "ptr"))
    if usm is None or ptr + unsigned(size, "size", 64) > usm.allocation.address + usm.size:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{size} bytes at {ptr:#x} are not inside one allocation of {context!r}",
        )
    return context, usm.allocation.address


@api(Chapter.RESIDENCY, "DEVICE_LOST", pointers="ptr", seed="zeDeviceMakeMemoryResident", memory="ptr[size]")
def zeContextMakeMemoryResident(hContext: Context, hDevice: Device, ptr: int, size: int) -> None:
    """Makes memory resident on a device. Simulated memory always is: only the validation layer asks for it."""
    context, address = _resident_range(hContext, hDevice, ptr, size)
    context.resident.add(address)


@seed_form(zeContextMakeMemoryResident)
def zeDeviceMakeMemoryResident(hDevice: Device, ptr: int, size: int) -> None:
    """Does what `zeContextMakeMemoryResident` does, in the driver's default context."""
    direct(zeContextMakeMemoryResident)(default_context_of(hDevice), hDevice, ptr, size)


@api(Chapter.RESIDENCY, "DEVICE_LOST", pointers="ptr", seed="zeDeviceEvictMemory", memory="ptr[size]")
def zeContextEvictMemory(hContext: Context, hDevice: Device, ptr: int, size: int) -> None:
    """Lets a device evict memory. Simulated memory is always resident: only the validation layer asks for it."""
    context, address = _resident_range(hContext, hDevice, ptr, size)
    context.resident.discard(address)


@seed_form(zeContextEvictMemory)
def zeDeviceEvictMemory(hDevice: Device, ptr: int, size: int) -> None:
    """Does what `zeContextEvictMemory` does, in the driver's default context."""
    direct(zeContextEvictMemory)(default_context_of(hDevice), hDevice, ptr, size)


@api(Chapter.RESIDENCY, "DEVICE_LOST", seed="zeDeviceMakeImageResident")
def zeContextMakeImageResident(hContext: Context, hDevice: Device, hImage: Image) -> None:
    """Makes an image resident on a device. Simulated memory always is, so this has no effect."""
    live(hContext, Context).device(hDevice)
    live(hImage, Image)


@seed_form(zeContextMakeImageResident)
def zeDeviceMakeImageResident(hDevice: Device, hImage: Image) -> None:
    """Does what `zeContextMakeImageResident` does, in the driver's default context."""
    direct(zeContextMakeImageResident)(default_context_of(hDevice), hDevice, hImage)


@api(Chapter.RESIDENCY, "DEVICE_LOST", seed="zeDeviceEvictImage")
def zeContextEvictImage(hContext: Context, hDevice: Device, hImage: Image) -> None:
    """Lets a device evict an image. Simulated memory is always resident, so this has no effect."""
    live(hContext, Context).device(hDevice)
    live(hImage, Image)


@seed_form(zeContextEvictImage)
def zeDeviceEvictImage(hDevice: Device, hImage: Image) -> None:
    """Does what `zeContextEvictImage` does, in the driver's default context."""
    direct(zeContextEvictImage)(default_context_of(hDevice), hDevice, hImage)
