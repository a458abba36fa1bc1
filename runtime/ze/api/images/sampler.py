"""Samplers (specification: Sampler)."""

from __future__ import annotations

from runtime.ze.declaration import Chapter, api
from runtime.ze.driver.handle import enumerator, live, required
from runtime.ze.driver.images.sampler import Sampler
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.ending import destroy
from runtime.ze.spec.enums import ze_sampler_address_mode_t, ze_sampler_filter_mode_t
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import ze_sampler_desc_t
from xegpu.isa.model import SamplerState
from xegpu.targets import Feature


@api(Chapter.SAMPLER, "DEVICE_LOST OUT_OF_DEVICE_MEMORY UNSUPPORTED_FEATURE INVALID_ENUMERATION", pointers="desc")
def zeSamplerCreate(hContext: Context, hDevice: Device, desc: ze_sampler_desc_t) -> Sampler:
    """Creates a sampler for kernels of a device. Outside an image it returns what a texel of zero bits returns.

    Raises:
        ZeError: `UNSUPPORTED_FEATURE` on a device without images, and `OUT_OF_DEVICE_MEMORY`.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    required(desc, "desc")
    addressing = enumerator(desc.addressMode, ze_sampler_address_mode_t)
    filter_mode = enumerator(desc.filterMode, ze_sampler_filter_mode_t)
    if not device.target.platform.has(Feature.IMAGES):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, f"{device.target.name} has no samplers")
    return Sampler(context, device, SamplerState(addressing, filter_mode, int(desc.isNormalized)))


@api(Chapter.SAMPLER)
def zeSamplerDestroy(hSampler: Sampler) -> None:
    """Destroys a sampler. The caller must ensure that no device still uses it."""
    destroy(hSampler, Sampler)
