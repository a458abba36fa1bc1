"""The properties of a simulated device, derived from its target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from runtime.ze.driver.handle import items
from runtime.ze.driver.system.processor import KERNEL_TICK_BITS, TICK_BITS
from runtime.ze.spec import enums
from runtime.ze.spec.constants import ZE_MAKE_VERSION
from runtime.ze.spec.extensions import (
    ze_cache_reservation_ext_desc_t,
    ze_copy_bandwidth_exp_properties_t,
    ze_device_cache_line_size_ext_t,
    ze_device_ip_version_ext_t,
    ze_device_memory_ext_properties_t,
    ze_device_p2p_bandwidth_exp_properties_t,
    ze_device_pitched_alloc_exp_properties_t,
    ze_device_raytracing_ext_properties_t,
    ze_eu_count_ext_t,
    ze_event_query_kernel_timestamps_ext_properties_t,
    ze_float_atomic_ext_properties_t,
    ze_mutable_command_list_exp_properties_t,
    ze_rtas_device_exp_properties_t,
    ze_scheduling_hint_exp_properties_t,
)
from runtime.ze.spec.structs import (
    UUID_BYTES,
    ExtensibleProperties,
    ze_command_queue_group_properties_t,
    ze_device_cache_properties_t,
    ze_device_compute_properties_t,
    ze_device_image_properties_t,
    ze_device_memory_access_properties_t,
    ze_device_memory_properties_t,
    ze_device_module_properties_t,
    ze_device_properties_t,
    ze_device_uuid_t,
    ze_native_kernel_uuid_t,
    ze_pci_address_ext_t,
    ze_pci_ext_properties_t,
    ze_pci_speed_ext_t,
)
from xegpu.isa.model import MAX_IMAGE_ARGUMENTS, MAX_SAMPLERS, SHAPES, SurfaceType
from xegpu.targets import Feature, Target

INTEL = 0x8086


MAX_ARGUMENT_BYTES = 2048

PRINTF_BUFFER_BYTES = 4 << 20
"""Size of the buffer of a launch of a kernel that prints."""

MAX_COUNT = (1 << 32) - 1

MAX_CONTEXTS = 65536

SIZE_MAX = (1 << 64) - 1

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


def device(
    target: Target, tiles: int, address: ze_pci_address_ext_t, tile: int | None = None
) -> ze_device_properties_t:
    """Returns identity, clocks and topology of a card with some tiles, or of one tile, whose number is given.

    The name is the plain product name, which programs match on.
    """
    identity = INTEL.to_bytes(2, "little") + target.device_id.to_bytes(2, "little")
    place = bytes((0, address.domain & 0xFF, address.bus, address.device, address.function))
    part = 0 if tile is None else tile + 1
    return ze_device_properties_t(
        type=enums.ze_device_type_t.ZE_DEVICE_TYPE_GPU,
        vendorId=INTEL,
        deviceId=target.device_id,
        flags=enums.ze_device_property_flags_t(0)
        if tile is None
        else enums.ze_device_property_flags_t.ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE,
        subdeviceId=tile or 0,
        coreClockRate=target.core_clock_mhz,
        maxMemAllocSize=target.max_allocation_bytes,
        maxHardwareContexts=MAX_CONTEXTS,
        maxCommandQueuePriority=0,
        numThreadsPerEU=max(target.platform.eu_threads.values()),
        physicalEUSimdWidth=target.platform.physical_simd_width,
        numEUsPerSubslice=target.eus_per_subslice,
        numSubslicesPerSlice=target.subslices_per_slice,
        numSlices=target.slices * tiles,
        timerResolution=target.timer_ns,
        timestampValidBits=TICK_BITS,
        kernelTimestampValidBits=KERNEL_TICK_BITS,
        uuid=ze_device_uuid_t((identity + place).ljust(UUID_BYTES - 1, b"\0") + bytes((part,))),
        name=target.title.partition(" (simulated")[0],
        numAsyncComputeEngines=_engines(target, computes=True),
        numAsyncCopyEngines=_engines(target, computes=False),
    )


def compute(target: Target) -> ze_device_compute_properties_t:
    """Returns the limits of work-groups on `target`."""
    return ze_device_compute_properties_t(
        maxTotalGroupSize=target.platform.max_group_items,
        maxGroupSizeX=target.platform.max_group_items,
        maxGroupSizeY=target.platform.max_group_items,
        maxGroupSizeZ=target.platform.max_group_items,
        maxGroupCountX=MAX_COUNT,
        maxGroupCountY=MAX_COUNT,
        maxGroupCountZ=MAX_COUNT,
        maxSharedLocalMemory=target.platform.max_slm_bytes,
        subGroupSizes=tuple(sorted(target.platform.subgroup_sizes)),
    )


def module(target: Target) -> ze_device_module_properties_t:
    """Returns the features that modules for `target` may use."""
    flags = (
        _Module.ZE_DEVICE_MODULE_FLAG_FP16
        | _Module.ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS
        | _Module.ZE_DEVICE_MODULE_FLAG_DP4A
    )
    rounded = _IEEE | _Fp.ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT
    return ze_device_module_properties_t(
        spirvVersionSupported=ZE_MAKE_VERSION(1, 6),
        flags=flags | _Module.ZE_DEVICE_MODULE_FLAG_FP64 if target.platform.has(Feature.FP64) else flags,
        fp16flags=_IEEE,
        # Correctly rounded single-precision division goes through double precision.
        fp32flags=rounded if target.platform.has(Feature.FP64) else _IEEE,
        fp64flags=rounded if target.platform.has(Feature.FP64) else _Fp(0),
        maxArgumentsSize=MAX_ARGUMENT_BYTES,
        printfBufferSize=PRINTF_BUFFER_BYTES,
        nativeKernelSupported=ze_native_kernel_uuid_t(UUID_BYTES),
    )


_COMPUTE = (
    _Group.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE
    | _Group.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY
    | _Group.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS
)

_COPY = _Group.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY

_COPY_PATTERN = 16


def queue_groups(target: Target) -> tuple[ze_command_queue_group_properties_t, ...]:
    """Returns a group that computes and copies, and one that only copies; for cards with several tiles, one for links
    too.
    """
    main = ze_command_queue_group_properties_t(_COMPUTE, SIZE_MAX, 1)
    copies = ze_command_queue_group_properties_t(_COPY, _COPY_PATTERN, 1)
    links = ze_command_queue_group_properties_t(_COPY, _COPY_PATTERN, 7)
    return (main, copies, links) if target.tiles > 1 else (main, copies)


def _engines(target: Target, *, computes: bool) -> int:
    """Returns the number of queues of the first group that computes, or that only copies."""
    groups = queue_groups(target)
    return next(
        group.numQueues
        for group in groups
        if bool(group.flags & _Group.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE) == computes
    )


def memory(target: Target, tiles: int) -> ze_device_memory_properties_t:
    """Returns the properties of the local memory of a device with some tiles."""
    return ze_device_memory_properties_t(
        flags=0,
        maxClockRate=target.memory_clock_mhz,
        maxBusWidth=target.memory_bus_bits,
        totalSize=target.memory_bytes * tiles,
        name="HBM" if _is_stacked(target) else "DDR",
    )


def _is_stacked(target: Target) -> bool:
    """Returns whether the memory is stacked: only then is its bus thousands of bits wide."""
    return target.memory_bus_bits >= 1024


def cache(target: Target, tiles: int) -> ze_device_cache_properties_t:
    """Returns the properties of the last-level cache."""
    return ze_device_cache_properties_t(
        enums.ze_device_cache_property_flags_t(0),
        target.l2_bytes * tiles,
        intermediateCacheSize=target.l1_bytes,
        lastLevelCachelineSize=target.platform.cache_line_bytes,
    )


_LANE_BYTES = {3: 984_615_384, 4: 1_969_230_769, 5: 3_938_461_538}
"""Bytes per second of one PCI Express lane, by generation: 8, 16 and 32 GT/s with 128b/130b encoding."""


def pci_bandwidth(target: Target) -> int:
    """Returns the bytes per second that the link of a card carries in one direction."""
    return _LANE_BYTES[target.pci_generation] * target.pci_lanes


def pci_properties(target: Target, address: ze_pci_address_ext_t) -> ze_pci_ext_properties_t:
    """Returns the PCI address of a card and the speed of its link."""
    speed = ze_pci_speed_ext_t(target.pci_generation, target.pci_lanes, pci_bandwidth(target))
    return ze_pci_ext_properties_t(address, speed)


def image(target: Target) -> ze_device_image_properties_t:
    """Returns the limits of images; zeros for a device without images."""
    if not target.platform.has(Feature.IMAGES):
        return ze_device_image_properties_t()
    return ze_device_image_properties_t(
        maxImageDims1D=SHAPES[SurfaceType.IMAGE_1D].limits[0],
        maxImageDims2D=SHAPES[SurfaceType.IMAGE_2D].limits[1],
        maxImageDims3D=SHAPES[SurfaceType.IMAGE_3D].limits[2],
        maxImageBufferSize=SHAPES[SurfaceType.BUFFER].limits[0],
        maxImageArraySlices=SHAPES[SurfaceType.IMAGE_2D_ARRAY].limits[2],
        maxSamplers=MAX_SAMPLERS,
        maxReadImageArgs=MAX_IMAGE_ARGUMENTS,
        maxWriteImageArgs=MAX_IMAGE_ARGUMENTS,
    )


_Atomic = enums.ze_device_fp_atomic_ext_flags_t

_GIGA = 1_000_000_000


def _float_atomics(target: Target) -> ze_float_atomic_ext_properties_t:
    """Returns the float atomics of `target`: load, store, compare, and, except for half precision, add."""
    access = (
        _Atomic.ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE | _Atomic.ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE
    )
    compare = access | (
        _Atomic.ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX | _Atomic.ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX
    )
    add = compare | (_Atomic.ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD | _Atomic.ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD)
    return ze_float_atomic_ext_properties_t(compare, add, add if target.platform.has(Feature.FP64) else access)


def _memory_details(target: Target) -> ze_device_memory_ext_properties_t:
    kinds = enums.ze_device_memory_ext_type_t
    bandwidth = target.timing.memory_bandwidth // _GIGA
    return ze_device_memory_ext_properties_t(
        kinds.ZE_DEVICE_MEMORY_EXT_TYPE_HBM2 if _is_stacked(target) else kinds.ZE_DEVICE_MEMORY_EXT_TYPE_GDDR6,
        target.memory_bytes,
        bandwidth,
        bandwidth,
        enums.ze_bandwidth_unit_t.ZE_BANDWIDTH_UNIT_BYTES_PER_NANOSEC,
    )


def _p2p_bandwidth(target: Target) -> ze_device_p2p_bandwidth_exp_properties_t:
    """Returns the bandwidth between two devices, of which `target` is the one with the slower link."""
    bandwidth = pci_bandwidth(target) // _GIGA
    nanoseconds = enums.ze_bandwidth_unit_t.ZE_BANDWIDTH_UNIT_BYTES_PER_NANOSEC
    unknown = enums.ze_latency_unit_t.ZE_LATENCY_UNIT_UNKNOWN
    return ze_device_p2p_bandwidth_exp_properties_t(bandwidth, bandwidth, nanoseconds, 0, 0, unknown)


def _copy_bandwidth(target: Target) -> ze_copy_bandwidth_exp_properties_t:
    """Returns the bandwidth of copies in the memory of a device."""
    return ze_copy_bandwidth_exp_properties_t(
        target.timing.memory_bandwidth // _GIGA, enums.ze_bandwidth_unit_t.ZE_BANDWIDTH_UNIT_BYTES_PER_NANOSEC
    )


_TIMESTAMPS = ze_event_query_kernel_timestamps_ext_properties_t(enums.ze_event_query_kernel_timestamps_ext_flags_t(3))

Makers = Mapping[type, Callable[[Target], object]]
"""Functions that make extension structures, by the classes of the structures."""

DEVICE_EXTENSIONS: Makers = {
    ze_eu_count_ext_t: lambda target: ze_eu_count_ext_t(target.eus),
    ze_device_ip_version_ext_t: lambda target: ze_device_ip_version_ext_t(target.product_config),
    ze_event_query_kernel_timestamps_ext_properties_t: lambda target: _TIMESTAMPS,
    ze_mutable_command_list_exp_properties_t: lambda target: ze_mutable_command_list_exp_properties_t(),
    ze_rtas_device_exp_properties_t: lambda target: ze_rtas_device_exp_properties_t(),
}

_HINTS = enums.ze_scheduling_hint_exp_flags_t(7)

MODULE_EXTENSIONS: Makers = {
    ze_float_atomic_ext_properties_t: _float_atomics,
    ze_scheduling_hint_exp_properties_t: lambda target: ze_scheduling_hint_exp_properties_t(_HINTS),
    ze_device_raytracing_ext_properties_t: lambda target: ze_device_raytracing_ext_properties_t(),
}

CACHE_EXTENSIONS: Makers = {
    ze_cache_reservation_ext_desc_t: lambda target: ze_cache_reservation_ext_desc_t(),
    ze_device_cache_line_size_ext_t: lambda target: ze_device_cache_line_size_ext_t(target.platform.cache_line_bytes),
}

IMAGE_EXTENSIONS: Makers = {
    ze_device_pitched_alloc_exp_properties_t: lambda target: ze_device_pitched_alloc_exp_properties_t()
}

QUEUE_EXTENSIONS: Makers = {ze_copy_bandwidth_exp_properties_t: _copy_bandwidth}

MEMORY_EXTENSIONS: Makers = {ze_device_memory_ext_properties_t: _memory_details}

P2P_EXTENSIONS: Makers = {ze_device_p2p_bandwidth_exp_properties_t: _p2p_bandwidth}

P = TypeVar("P", bound=ExtensibleProperties)


def extended(properties: P, wanted: Sequence[type], makers: Makers, target: Target) -> P:
    """Returns `properties` with those extension structures of `wanted` that `makers` know."""
    if not wanted:
        return properties
    return replace(properties, pNext=tuple(makers[kind](target) for kind in items(wanted, "pNext") if kind in makers))
