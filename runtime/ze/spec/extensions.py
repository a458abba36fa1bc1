"""Structures that extend properties and descriptors.

This is data of the specification. Functions with a parameter `pNext` add structures to their answers: a caller names
the classes that it wants, as in C it chains empty structures, and a function leaves out those that it does not know.
Descriptors take structures in their `pNext`.
"""

from __future__ import annotations

from runtime.ze.spec import enums
from runtime.ze.spec.structs import Descriptor
from xegpu.on_demand import dataclass


@dataclass
class ze_eu_count_ext_t:
    numTotalEUs: int


@dataclass
class ze_device_ip_version_ext_t:
    ipVersion: int


@dataclass
class ze_float_atomic_ext_properties_t:
    """The atomic operations of each float type."""

    fp16Flags: enums.ze_device_fp_atomic_ext_flags_t
    fp32Flags: enums.ze_device_fp_atomic_ext_flags_t
    fp64Flags: enums.ze_device_fp_atomic_ext_flags_t


@dataclass
class ze_scheduling_hint_exp_properties_t:
    schedulingHintFlags: enums.ze_scheduling_hint_exp_flags_t


@dataclass
class ze_device_memory_ext_properties_t:
    """`physicalSize` in bytes, bandwidths in `bandwidthUnit`."""

    type: enums.ze_device_memory_ext_type_t
    physicalSize: int
    readBandwidth: int
    writeBandwidth: int
    bandwidthUnit: enums.ze_bandwidth_unit_t


@dataclass
class ze_device_p2p_bandwidth_exp_properties_t:
    """Bandwidths and latencies in the units named; a latency that is not known is 0, its unit unknown."""

    logicalBandwidth: int
    physicalBandwidth: int
    bandwidthUnit: enums.ze_bandwidth_unit_t
    logicalLatency: int
    physicalLatency: int
    latencyUnit: enums.ze_latency_unit_t


@dataclass
class ze_driver_memory_free_ext_properties_t:
    freePolicies: enums.ze_driver_memory_free_policy_ext_flags_t


@dataclass
class ze_kernel_preferred_group_size_properties_t:
    """The number of which group sizes should be multiples."""

    preferredMultiple: int


@dataclass
class ze_kernel_max_group_size_properties_ext_t:
    """The largest total group size that the kernel can be launched with."""

    maxGroupSize: int


@dataclass
class ze_event_query_kernel_timestamps_ext_properties_t:
    """The timestamps that `zeEventQueryKernelTimestampsExt` has: those of kernels, and those in the host's time."""

    flags: enums.ze_event_query_kernel_timestamps_ext_flags_t


@dataclass
class ze_device_cache_line_size_ext_t:
    """The size of a line of the cache in bytes."""

    cacheLineSize: int


@dataclass
class ze_cache_reservation_ext_desc_t:
    """The bytes of a cache that `zeDeviceReserveCacheExt` can reserve: none."""

    maxCacheReservationSize: int = 0


@dataclass
class ze_copy_bandwidth_exp_properties_t:
    """The bandwidth of copies by the queues of a group."""

    copyBandwidth: int
    copyBandwidthUnit: enums.ze_bandwidth_unit_t


@dataclass
class ze_device_raytracing_ext_properties_t:
    """Without ray tracing units, all is zero."""

    flags: int = 0
    maxBVHLevels: int = 0


@dataclass
class ze_rtas_device_exp_properties_t:
    """Without ray tracing units, all is zero; the format 0 is none."""

    flags: int = 0
    rtasFormat: int = 0
    rtasBufferAlignment: int = 0


@dataclass
class ze_mutable_command_list_exp_properties_t:
    """The commands of closed lists that can be changed: none."""

    mutableCommandListFlags: int = 0
    mutableCommandFlags: int = 0


@dataclass
class ze_device_pitched_alloc_exp_properties_t:
    """The largest images in memory of the application: none."""

    maxImageLinearWidth: int = 0
    maxImageLinearHeight: int = 0


@dataclass
class ze_external_memory_import_fd_t(Descriptor):
    """Extension of the descriptors of allocations and images: memory of another API."""

    flags: int = 0
    fd: int = -1


@dataclass
class ze_external_memory_import_win32_handle_t(Descriptor):
    """Extension of the descriptors of allocations and images: memory of another API on Windows."""

    flags: int = 0
    handle: int = 0
    name: int = 0


@dataclass
class ze_external_memmap_sysmem_ext_desc_t(Descriptor):
    """Extension of the descriptor of host memory: pages that the application has already."""

    pSystemMemory: int = 0
    size: int = 0


@dataclass
class ze_srgb_ext_desc_t(Descriptor):
    """Extension of the descriptor of images: texels whose colours are converted from and to sRGB."""

    sRGB: bool = False


@dataclass
class ze_image_bindless_exp_desc_t(Descriptor):
    """Extension of the descriptor of images: kernels take them as numbers."""

    flags: int = 0


@dataclass
class ze_image_pitched_exp_desc_t(Descriptor):
    """Extension of the descriptor of images: their texels are in memory of the application."""

    ptr: int = 0


@dataclass
class ze_driver_ddi_handles_ext_properties_t:
    """The first flag says that handles begin with the tables of the driver, which programs in C can have."""

    flags: int
