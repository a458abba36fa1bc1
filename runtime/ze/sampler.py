"""Samplers: how coordinates become texels of an image (specification: Sampler)."""

from __future__ import annotations

from typing import ClassVar

from runtime.ze.context import Context
from runtime.ze.device import Device
from runtime.ze.enums import ze_sampler_address_mode_t, ze_sampler_filter_mode_t
from runtime.ze.handle import Handle, enumerator, live, required
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.structs import ze_sampler_desc_t
from xegpu.isa.model.surface_states import (
    SAMPLER_BYTES,
    Addressing,
    Filter,
    SamplerState,
)

_NORMALIZED = 8
_ADDRESS_NUMBERS = {
    Addressing.NONE: 0,
    Addressing.CLAMP_TO_BORDER: 1,
    Addressing.CLAMP: 2,
    Addressing.REPEAT: 3,
    Addressing.MIRROR: 4,
}
"""Addressing modes as kernels know them."""


class Sampler(Handle):
    """A sampler state that kernels find at address `state`."""

    noun: ClassVar[str] = "sampler"

    def __init__(self, context: Context, device: Device, sampler: SamplerState) -> None:
        super().__init__(context)
        self.context = context
        self.device = device
        self.sampler = sampler
        self._record = context.machine.memory.allocate(
            SAMPLER_BYTES, SAMPLER_BYTES, "sampler state", f"sampler #{self.id}"
        )
        self._record.view()[:] = sampler.pack()

    @property
    def properties(self) -> dict[str, int]:
        """What kernels may ask for, by the word of `.ze_info`."""
        sampler = self.sampler
        snaps = (sampler.addressing, sampler.filter) == (Addressing.CLAMP_TO_BORDER, Filter.NEAREST)
        return {
            "sampler_address": _ADDRESS_NUMBERS[Addressing(sampler.addressing)],
            "sampler_normalized": _NORMALIZED if sampler.normalized else 0,
            "sampler_snap_wa": 0xFFFFFFFF if snaps else 0,
        }

    @property
    def state(self) -> int:
        return self._record.address

    def retire(self) -> None:
        super().retire()
        self.context.machine.memory.free(self._record)


def zeSamplerCreate(hContext: Context, hDevice: Device, desc: ze_sampler_desc_t) -> Sampler:
    """A sampler for kernels of a device. Outside of an image it gives what a texel of zero bits gives.

    Raises unsupported feature on a device without images.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    required(desc, "desc", ze_sampler_desc_t)
    addressing = enumerator(desc.addressMode, ze_sampler_address_mode_t)
    filter_mode = enumerator(desc.filterMode, ze_sampler_filter_mode_t)
    if not device.target.has_images:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, f"{device.target.name} has no samplers")
    return Sampler(context, device, SamplerState(addressing, filter_mode, int(desc.isNormalized)))


def zeSamplerDestroy(hSampler: Sampler) -> None:
    """Destroy a sampler. The caller sees to it that no device uses it any more."""
    live(hSampler, Sampler).retire()
