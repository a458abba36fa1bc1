"""The properties of a simulated device, derived from its target."""

from __future__ import annotations

from runtime.ze import enums
from runtime.ze.processor import KERNEL_TICK_BITS, TICK_BITS, TICK_NS
from runtime.ze.structs import (
    UUID_BYTES,
    ze_command_queue_group_properties_t,
    ze_device_cache_properties_t,
    ze_device_compute_properties_t,
    ze_device_image_properties_t,
    ze_device_memory_access_properties_t,
    ze_device_memory_properties_t,
    ze_device_module_properties_t,
    ze_device_properties_t,
)
from xegpu.isa.surfaces import SHAPES, SurfaceType
from xegpu.targets import Target

INTEL = 0x8086
MAX_ALLOCATION = (4 << 30) - (8 << 10)
MAX_ARGUMENT_BYTES = 2048
MAX_COUNT = (1 << 32) - 1
MAX_CONTEXTS = 65536
SIZE_MAX = (1 << 64) - 1
_MAX_SAMPLERS = 16
_MAX_IMAGE_ARGUMENTS = 128

_Fp = enums.ze_device_fp_flags_t
_Module = enums.ze_device_module_flags_t
_Group = enums.ze_command_queue_group_property_flags_t
_Access = enums.ze_memory_access_cap_flags_t

_IEEE = (
    _Fp.ZE_DEVICE_FP_FLAG_DENORM
    | _Fp.ZE_DEVICE_FP_FLAG_INF_NAN
    | _Fp.ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST
    | _Fp.ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO
    | _Fp.ZE_DEVICE_FP_FLAG_ROUND_TO_INF
    | _Fp.ZE_DEVICE_FP_FLAG_FMA
)
_READ_WRITE = _Access.ZE_MEMORY_ACCESS_CAP_FLAG_RW | _Access.ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC
_CONCURRENT = (
    _READ_WRITE | _Access.ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT | _Access.ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC
)

MEMORY_ACCESS = ze_device_memory_access_properties_t(
    hostAllocCapabilities=_CONCURRENT,
    deviceAllocCapabilities=_READ_WRITE,
    sharedSingleDeviceAllocCapabilities=_CONCURRENT,
    sharedCrossDeviceAllocCapabilities=_READ_WRITE,
    sharedSystemAllocCapabilities=_Access(0),
)


def device(target: Target) -> ze_device_properties_t:
    """Identity, clocks and topology of `target`, under the plain product name, which programs match on."""
    identity = INTEL.to_bytes(2, "little") + target.device_id.to_bytes(2, "little")
    return ze_device_properties_t(
        type=enums.ze_device_type_t.ZE_DEVICE_TYPE_GPU,
        vendorId=INTEL,
        deviceId=target.device_id,
        flags=enums.ze_device_property_flags_t(0),
        subdeviceId=0,
        coreClockRate=target.core_clock_mhz,
        maxMemAllocSize=min(target.memory_bytes, MAX_ALLOCATION),
        maxHardwareContexts=MAX_CONTEXTS,
        maxCommandQueuePriority=0,
        numThreadsPerEU=max(target.eu_threads.values()),
        physicalEUSimdWidth=target.physical_simd_width,
        numEUsPerSubslice=target.eus_per_subslice,
        numSubslicesPerSlice=target.subslices_per_slice,
        numSlices=target.slices,
        timerResolution=TICK_NS,
        timestampValidBits=TICK_BITS,
        kernelTimestampValidBits=KERNEL_TICK_BITS,
        uuid=identity.ljust(UUID_BYTES, b"\0"),
        name=target.title.partition(" (simulated")[0],
    )


def compute(target: Target) -> ze_device_compute_properties_t:
    """Limits of work-groups on `target`."""
    return ze_device_compute_properties_t(
        maxTotalGroupSize=target.max_group_items,
        maxGroupSizeX=target.max_group_items,
        maxGroupSizeY=target.max_group_items,
        maxGroupSizeZ=target.max_group_items,
        maxGroupCountX=MAX_COUNT,
        maxGroupCountY=MAX_COUNT,
        maxGroupCountZ=MAX_COUNT,
        maxSharedLocalMemory=target.max_slm_bytes,
        subGroupSizes=tuple(sorted(target.subgroup_sizes)),
    )


def module(target: Target) -> ze_device_module_properties_t:
    """What modules for `target` may use. No version of SPIR-V, as there is no compiler for it."""
    flags = (
        _Module.ZE_DEVICE_MODULE_FLAG_FP16
        | _Module.ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS
        | _Module.ZE_DEVICE_MODULE_FLAG_DP4A
    )
    rounded = _IEEE | _Fp.ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT
    return ze_device_module_properties_t(
        spirvVersionSupported=0,
        flags=flags | _Module.ZE_DEVICE_MODULE_FLAG_FP64 if target.has_fp64 else flags,
        fp16flags=_IEEE,
        # Correctly rounded single-precision division goes through double precision.
        fp32flags=rounded if target.has_fp64 else _IEEE,
        fp64flags=rounded if target.has_fp64 else _Fp(0),
        maxArgumentsSize=MAX_ARGUMENT_BYTES,
        printfBufferSize=0,
        nativeKernelSupported=bytes(UUID_BYTES),
    )


def queue_groups(target: Target) -> tuple[ze_command_queue_group_properties_t, ...]:
    """One group that computes and copies, and one that only copies."""
    compute_and_copy = (
        _Group.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE | _Group.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY
    )
    copy = _Group.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY
    return (
        ze_command_queue_group_properties_t(compute_and_copy, SIZE_MAX, 1),
        ze_command_queue_group_properties_t(copy, 16, 1),
    )


def memory(target: Target) -> ze_device_memory_properties_t:
    """The device's own memory; only stacked memory has a bus as wide as thousands of bits."""
    return ze_device_memory_properties_t(
        flags=0,
        maxClockRate=target.memory_clock_mhz,
        maxBusWidth=target.memory_bus_bits,
        totalSize=target.memory_bytes,
        name="HBM" if target.memory_bus_bits >= 1024 else "DDR",
    )


def cache(target: Target) -> ze_device_cache_properties_t:
    """The last-level cache."""
    return ze_device_cache_properties_t(enums.ze_device_cache_property_flags_t(0), target.l2_bytes)


def image(target: Target) -> ze_device_image_properties_t:
    if not target.has_images:
        return ze_device_image_properties_t()
    return ze_device_image_properties_t(
        maxImageDims1D=SHAPES[SurfaceType.IMAGE_1D].limits[0],
        maxImageDims2D=SHAPES[SurfaceType.IMAGE_2D].limits[1],
        maxImageDims3D=SHAPES[SurfaceType.IMAGE_3D].limits[2],
        maxImageBufferSize=SHAPES[SurfaceType.BUFFER].limits[0],
        maxImageArraySlices=SHAPES[SurfaceType.IMAGE_2D_ARRAY].limits[2],
        maxSamplers=_MAX_SAMPLERS,
        maxReadImageArgs=_MAX_IMAGE_ARGUMENTS,
        maxWriteImageArgs=_MAX_IMAGE_ARGUMENTS,
    )
