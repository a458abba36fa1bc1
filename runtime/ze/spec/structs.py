"""Descriptors and properties of the core API.

This is data of the specification: members have its names and order. A caller fills in descriptors, whose members have
the default that a zeroed C structure would have, except where zero is not a valid value. What an application gets or
gives is its own: it may assign to members. There is no `stype`, as the class itself says which structure it is. `pNext`
of a descriptor has the extension structure that follows it, whose own `pNext` may have another, or a tuple of several;
in answers `pNext` is a tuple (see `extensions`). Members that C has only for lengths of arrays are missing, as arrays
know theirs. Positional arguments are in C's order, but without `flags` where members that every caller sets follow
them. Members that specification 0.91 alone has are keywords in descriptors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from runtime.ze.spec import enums
from runtime.ze.spec.seed import SEED_VERSION
from runtime.ze.spec.seed_members import (
    OlderDeviceProperties,
    OlderImageLimits,
    OlderIpcProperties,
    OlderModuleProperties,
    OlderPeerProperties,
    OlderProperties,
)
from xegpu.on_demand import dataclass

UUID_BYTES = 16


class ze_driver_uuid_t(bytes):
    """An identity of 16 bytes."""

    @property
    def id(self) -> bytes:
        return bytes(self)


class ze_device_uuid_t(ze_driver_uuid_t):
    """The identity of a device."""


class ze_native_kernel_uuid_t(ze_driver_uuid_t):
    """The identity of a format of native kernels; zero where there is none."""


class ze_ipc_mem_handle_t(bytes):
    """64 bytes by which another process can open memory."""

    @property
    def data(self) -> bytes:
        return bytes(self)


class ze_ipc_event_pool_handle_t(ze_ipc_mem_handle_t):
    """64 bytes by which another process can open a pool of events."""


@dataclass
class ExtensibleProperties:
    """Properties that extension structures can be chained to."""

    pNext: tuple[object, ...] = field(default=(), kw_only=True)


@dataclass
class Descriptor:
    """A structure that extension structures can be chained to."""

    pNext: object = field(default=None, kw_only=True)


@dataclass
class VersionedDescriptor(Descriptor):
    """A descriptor of both specifications. In 0.91 it has the version of the structure."""

    version: int = field(default=SEED_VERSION, kw_only=True, repr=False, compare=False)


@dataclass
class ze_init_driver_type_desc_t(Descriptor):
    flags: int = 0


@dataclass
class ze_driver_properties_t(ExtensibleProperties, OlderProperties):
    uuid: ze_driver_uuid_t
    driverVersion: int


@dataclass
class ze_driver_ipc_properties_t(ExtensibleProperties, OlderIpcProperties):
    flags: enums.ze_ipc_property_flags_t


@dataclass
class ze_driver_extension_properties_t:
    name: str
    version: int


@dataclass
class ze_device_properties_t(ExtensibleProperties, OlderDeviceProperties):
    """`coreClockRate` in MHz, `timerResolution` in nanoseconds per tick, `maxMemAllocSize` in bytes."""

    type: enums.ze_device_type_t
    vendorId: int
    deviceId: int
    flags: enums.ze_device_property_flags_t
    subdeviceId: int
    coreClockRate: int
    maxMemAllocSize: int
    maxHardwareContexts: int
    maxCommandQueuePriority: int
    numThreadsPerEU: int
    physicalEUSimdWidth: int
    numEUsPerSubslice: int
    numSubslicesPerSlice: int
    numSlices: int
    timerResolution: int
    timestampValidBits: int
    kernelTimestampValidBits: int
    uuid: ze_device_uuid_t
    name: str
    numAsyncComputeEngines: int = field(default=0, kw_only=True)
    numAsyncCopyEngines: int = field(default=0, kw_only=True)


@dataclass
class ze_device_compute_properties_t(ExtensibleProperties, OlderProperties):
    """The limits of a work-group, in the units of a group size; shared local memory in bytes."""

    maxTotalGroupSize: int
    maxGroupSizeX: int
    maxGroupSizeY: int
    maxGroupSizeZ: int
    maxGroupCountX: int
    maxGroupCountY: int
    maxGroupCountZ: int
    maxSharedLocalMemory: int
    subGroupSizes: tuple[int, ...]

    @property
    def numSubGroupSizes(self) -> int:
        return len(self.subGroupSizes)


@dataclass
class ze_device_module_properties_t(ExtensibleProperties, OlderModuleProperties):
    """`maxArgumentsSize` and `printfBufferSize` in bytes."""

    spirvVersionSupported: int
    flags: enums.ze_device_module_flags_t
    fp16flags: enums.ze_device_fp_flags_t
    fp32flags: enums.ze_device_fp_flags_t
    fp64flags: enums.ze_device_fp_flags_t
    maxArgumentsSize: int
    printfBufferSize: int
    nativeKernelSupported: ze_native_kernel_uuid_t


ze_device_kernel_properties_t = ze_device_module_properties_t


@dataclass
class ze_command_queue_group_properties_t(ExtensibleProperties):
    flags: enums.ze_command_queue_group_property_flags_t
    maxMemoryFillPatternSize: int
    numQueues: int


@dataclass
class ze_device_memory_properties_t(ExtensibleProperties, OlderProperties):
    """`maxClockRate` in MHz, `maxBusWidth` in bits, `totalSize` in bytes."""

    flags: int
    maxClockRate: int
    maxBusWidth: int
    totalSize: int
    name: str


@dataclass
class ze_device_memory_access_properties_t(ExtensibleProperties, OlderProperties):
    hostAllocCapabilities: enums.ze_memory_access_cap_flags_t
    deviceAllocCapabilities: enums.ze_memory_access_cap_flags_t
    sharedSingleDeviceAllocCapabilities: enums.ze_memory_access_cap_flags_t
    sharedCrossDeviceAllocCapabilities: enums.ze_memory_access_cap_flags_t
    sharedSystemAllocCapabilities: enums.ze_memory_access_cap_flags_t


@dataclass
class ze_device_cache_properties_t(ExtensibleProperties, OlderProperties):
    """The last level in 1.x. In 0.91 the same structure describes the first level, too."""

    flags: enums.ze_device_cache_property_flags_t
    cacheSize: int
    intermediateCacheSize: int = field(default=0, kw_only=True)
    lastLevelCachelineSize: int = field(default=0, kw_only=True)

    @property
    def lastLevelCacheSize(self) -> int:
        return self.cacheSize

    @property
    def intermediateCachelineSize(self) -> int:
        return self.lastLevelCachelineSize

    @property
    def intermediateCacheControlSupported(self) -> bool:
        """The preference of a kernel is taken and has no effect."""
        return False

    @property
    def lastLevelCacheSizeControlSupported(self) -> bool:
        return bool(self.flags & enums.ze_device_cache_property_flags_t.ZE_DEVICE_CACHE_PROPERTY_FLAG_USER_CONTROL)


@dataclass
class ze_device_image_properties_t(ExtensibleProperties, OlderImageLimits):
    """All zero on a device without images."""

    maxImageDims1D: int = 0
    maxImageDims2D: int = 0
    maxImageDims3D: int = 0
    maxImageBufferSize: int = 0
    maxImageArraySlices: int = 0
    maxSamplers: int = 0
    maxReadImageArgs: int = 0
    maxWriteImageArgs: int = 0


@dataclass
class ze_device_external_memory_properties_t(ExtensibleProperties):
    """Sets of `ze_external_memory_type_flags_t`; zero where memory cannot be shared that way."""

    memoryAllocationImportTypes: int = 0
    memoryAllocationExportTypes: int = 0
    imageImportTypes: int = 0
    imageExportTypes: int = 0


@dataclass
class ze_device_p2p_properties_t(ExtensibleProperties, OlderPeerProperties):
    flags: enums.ze_device_p2p_property_flags_t


@dataclass
class ze_pci_address_ext_t:
    domain: int
    bus: int
    device: int
    function: int


@dataclass
class ze_pci_speed_ext_t:
    """`maxBandwidth` in bytes per second."""

    genVersion: int
    width: int
    maxBandwidth: int


@dataclass
class ze_pci_ext_properties_t(ExtensibleProperties):
    address: ze_pci_address_ext_t
    maxSpeed: ze_pci_speed_ext_t


@dataclass
class ze_context_desc_t(Descriptor):
    flags: int = 0


@dataclass
class ze_command_queue_desc_t(VersionedDescriptor):
    """`ordinal` selects the queue group, `index` the queue in it."""

    ordinal: int = 0
    index: int = 0
    flags: int = 0
    mode: int = enums.ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_DEFAULT
    priority: int = enums.ze_command_queue_priority_t.ZE_COMMAND_QUEUE_PRIORITY_NORMAL


@dataclass
class ze_command_list_desc_t(VersionedDescriptor):
    commandQueueGroupOrdinal: int = 0
    flags: int = 0


@dataclass
class ze_copy_region_t:
    """Origin and width in bytes, rows and slices; a depth of 0 means one slice."""

    originX: int = 0
    originY: int = 0
    originZ: int = 0
    width: int = 0
    height: int = 0
    depth: int = 0


@dataclass
class ze_event_pool_desc_t(VersionedDescriptor):
    """`count` is the number of events that the pool has room for."""

    flags: int = 0
    count: int = 1


@dataclass
class ze_event_pool_counter_based_exp_desc_t(Descriptor):
    """Extension of a pool's descriptor: its events are counter-based."""

    flags: int = 0


@dataclass
class ze_event_counter_based_desc_t(Descriptor):
    """`signal` and `wait` are `ze_event_scope_flags_t`."""

    flags: int = 0
    signal: int = 0
    wait: int = 0


@dataclass
class ze_event_desc_t(VersionedDescriptor):
    """`index` is the event's position in its pool; `signal` and `wait` are `ze_event_scope_flags_t`."""

    index: int = 0
    signal: int = 0
    wait: int = 0


@dataclass
class ze_kernel_timestamp_data_t:
    kernelStart: int
    kernelEnd: int


@dataclass
class ze_kernel_timestamp_result_t:
    """The device times, in ticks of `timerResolution`, at which a command started and ended."""

    global_: ze_kernel_timestamp_data_t
    context: ze_kernel_timestamp_data_t


@dataclass
class ze_synchronized_timestamp_data_ext_t:
    kernelStart: int
    kernelEnd: int


@dataclass
class ze_synchronized_timestamp_result_ext_t:
    """The times of the host's clock, in nanoseconds, at which a command started and ended."""

    global_: ze_synchronized_timestamp_data_ext_t
    context: ze_synchronized_timestamp_data_ext_t


@dataclass
class ze_event_query_kernel_timestamps_results_ext_properties_t(ExtensibleProperties):
    """`synchronized` is None for events of pools without mapped timestamps."""

    kernel: ze_kernel_timestamp_result_t
    synchronized: ze_synchronized_timestamp_result_ext_t | None


@dataclass
class ze_fence_desc_t(VersionedDescriptor):
    flags: int = 0


@dataclass
class ze_relaxed_allocation_limits_exp_desc_t(Descriptor):
    """Extension of the allocation descriptors that lifts the limit on the size of one allocation."""

    flags: int = enums.ze_relaxed_allocation_limits_exp_flags_t.ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE


@dataclass
class ze_external_memory_export_desc_t(Descriptor):
    """Extension of the allocation descriptors for memory that other APIs can import."""

    flags: int = 0


@dataclass
class ze_memory_free_ext_desc_t(Descriptor):
    freePolicy: int = 0


@dataclass
class ze_physical_mem_desc_t(Descriptor):
    """`size` in bytes."""

    flags: int = field(default=0, kw_only=True)
    size: int


@dataclass
class ze_device_mem_alloc_desc_t(VersionedDescriptor):
    """`ordinal` selects the local memory of the device."""

    flags: int = 0
    ordinal: int = 0


@dataclass
class ze_host_mem_alloc_desc_t(VersionedDescriptor):
    flags: int = 0


@dataclass
class ze_memory_allocation_properties_t(ExtensibleProperties, OlderProperties):
    """`id` is unique to the allocation, and zero for memory that is not the context's; `pageSize` in bytes."""

    type: enums.ze_memory_type_t
    id: int
    pageSize: int


@dataclass
class ze_module_constants_t:
    pConstantIds: Sequence[int] = ()
    pConstantValues: Sequence[bytes] = ()

    @property
    def numConstants(self) -> int:
        return len(self.pConstantIds)


@dataclass
class ze_module_desc_t(VersionedDescriptor):
    format: int
    pInputModule: bytes | None
    pBuildFlags: str | None = None
    pConstants: ze_module_constants_t | None = None

    @property
    def inputSize(self) -> int:
        return len(self.pInputModule or b"")


@dataclass
class ze_module_program_exp_desc_t(Descriptor):
    """Modules in SPIR-V that become one, with flags and constants for each; no flags or constants stand for none."""

    pInputModules: Sequence[bytes]
    pBuildFlags: Sequence[str | None] | None = None
    pConstants: Sequence[ze_module_constants_t | None] | None = None


@dataclass
class ze_linkage_inspection_ext_desc_t(Descriptor):
    flags: int = 0


@dataclass
class ze_module_properties_t(ExtensibleProperties):
    flags: enums.ze_module_property_flags_t


@dataclass
class ze_kernel_desc_t(VersionedDescriptor):
    flags: int = field(default=0, kw_only=True)
    pKernelName: str | None


@dataclass
class ze_kernel_uuid_t:
    kid: bytes
    mid: bytes


@dataclass
class ze_kernel_properties_t(ExtensibleProperties, OlderProperties):
    """Sizes in bytes: local memory of a work-group, private and spill memory of a hardware thread."""

    numKernelArgs: int
    requiredGroupSizeX: int
    requiredGroupSizeY: int
    requiredGroupSizeZ: int
    requiredNumSubGroups: int
    requiredSubgroupSize: int
    maxSubgroupSize: int
    maxNumSubgroups: int
    localMemSize: int
    privateMemSize: int
    spillMemSize: int
    uuid: ze_kernel_uuid_t
    name: str = field(default="", kw_only=True)


@dataclass
class ze_scheduling_hint_exp_desc_t(Descriptor):
    flags: int = 0


@dataclass
class ze_kernel_allocation_exp_properties_t(ExtensibleProperties):
    """A range of memory that a kernel uses; `argIndex` is that of its argument, `NO_ARGUMENT` if it belongs to none."""

    base: int
    size: int
    type: enums.ze_memory_type_t
    argIndex: int


NO_ARGUMENT = 0xFFFF_FFFF


@dataclass
class ze_command_list_append_launch_kernel_param_cooperative_desc_t(Descriptor):
    """Extension of a launch that makes it cooperative."""

    isCooperative: bool = False


@dataclass
class ze_group_count_t:
    groupCountX: int
    groupCountY: int = 1
    groupCountZ: int = 1


@dataclass
class ze_group_size_t:
    groupSizeX: int
    groupSizeY: int = 1
    groupSizeZ: int = 1


@dataclass
class ze_image_format_t:
    """Bits and type of the channels, and the channel of each component: by default that of its own name."""

    layout: int
    type: int
    x: int = enums.ze_image_format_swizzle_t.ZE_IMAGE_FORMAT_SWIZZLE_R
    y: int = enums.ze_image_format_swizzle_t.ZE_IMAGE_FORMAT_SWIZZLE_G
    z: int = enums.ze_image_format_swizzle_t.ZE_IMAGE_FORMAT_SWIZZLE_B
    w: int = enums.ze_image_format_swizzle_t.ZE_IMAGE_FORMAT_SWIZZLE_A


ze_image_format_desc_t = ze_image_format_t


@dataclass
class ze_image_desc_t(VersionedDescriptor):
    """Sizes in texels, rows, slices and layers; those that the type does not have are ignored, and 0 counts as 1."""

    flags: int = field(default=0, kw_only=True)
    type: int
    format: ze_image_format_t
    width: int
    height: int = 0
    depth: int = 0
    arraylevels: int = 0
    miplevels: int = 0


@dataclass
class ze_image_view_planar_ext_desc_t(Descriptor):
    """Extension of the descriptor of a view that names the plane of the image."""

    planeIndex: int


ze_image_view_planar_exp_desc_t = ze_image_view_planar_ext_desc_t


@dataclass
class ze_image_memory_properties_exp_t(ExtensibleProperties):
    """Size, row pitch and slice pitch in bytes."""

    size: int
    rowPitch: int
    slicePitch: int


@dataclass
class ze_image_allocation_ext_properties_t(ExtensibleProperties):
    id: int


@dataclass
class ze_image_properties_t(ExtensibleProperties, OlderProperties):
    samplerFilterFlags: enums.ze_image_sampler_filter_flags_t


@dataclass
class ze_image_region_t:
    """A box of texels. The layers of an array are the axis behind the image's own."""

    originX: int = 0
    originY: int = 0
    originZ: int = 0
    width: int = 1
    height: int = 1
    depth: int = 1


@dataclass
class ze_sampler_desc_t(VersionedDescriptor):
    addressMode: int
    filterMode: int
    isNormalized: bool = False
