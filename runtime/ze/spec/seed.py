"""Enumerations of specification 0.91 that 1.x has dropped or renamed.

An enumerator that 1.x has under another name has that one's value. A flag of which 1.x has given the bit to another
flag has a bit of its own: that of 0.91, shifted by `OWN_BITS`. So enumerators of both versions can be used together.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, IntFlag

from runtime.ze.spec import enums

OWN_BITS = 24
"""The number of bits by which flags are shifted that 1.x has no room for."""

SEED_VERSION = 91
"""The only version that structures of 0.91 have: `ZE_MAKE_VERSION(0, 91)`."""


class ze_init_flag_t(IntFlag):
    ZE_INIT_FLAG_NONE = 0
    ZE_INIT_FLAG_GPU_ONLY = 1


class ze_fp_capabilities_t(IntFlag):
    ZE_FP_CAPS_NONE = 0
    ZE_FP_CAPS_DENORM = 1
    ZE_FP_CAPS_INF_NAN = 2
    ZE_FP_CAPS_ROUND_TO_NEAREST = 4
    ZE_FP_CAPS_ROUND_TO_ZERO = 8
    ZE_FP_CAPS_ROUND_TO_INF = 16
    ZE_FP_CAPS_FMA = 32
    ZE_FP_CAPS_ROUNDED_DIVIDE_SQRT = 64
    ZE_FP_CAPS_SOFT_FLOAT = 128


class ze_memory_access_capabilities_t(IntFlag):
    ZE_MEMORY_ACCESS_NONE = 0
    ZE_MEMORY_ACCESS = 1
    ZE_MEMORY_ATOMIC_ACCESS = 2
    ZE_MEMORY_CONCURRENT_ACCESS = 4
    ZE_MEMORY_CONCURRENT_ATOMIC_ACCESS = 8


class ze_command_queue_flag_t(IntFlag):
    ZE_COMMAND_QUEUE_FLAG_NONE = 0
    ZE_COMMAND_QUEUE_FLAG_COPY_ONLY = 1 << OWN_BITS
    ZE_COMMAND_QUEUE_FLAG_LOGICAL_ONLY = 2 << OWN_BITS
    ZE_COMMAND_QUEUE_FLAG_SINGLE_SLICE_ONLY = 4 << OWN_BITS
    ZE_COMMAND_QUEUE_FLAG_SUPPORTS_COOPERATIVE_KERNELS = 8 << OWN_BITS


class ze_command_list_flag_t(IntFlag):
    ZE_COMMAND_LIST_FLAG_NONE = 0
    ZE_COMMAND_LIST_FLAG_RELAXED_ORDERING = 1
    ZE_COMMAND_LIST_FLAG_MAXIMIZE_THROUGHPUT = 2
    ZE_COMMAND_LIST_FLAG_EXPLICIT_ONLY = 4
    ZE_COMMAND_LIST_FLAG_COPY_ONLY = 1 << OWN_BITS


class ze_event_pool_flag_t(IntFlag):
    ZE_EVENT_POOL_FLAG_DEFAULT = 0
    ZE_EVENT_POOL_FLAG_HOST_VISIBLE = 1
    ZE_EVENT_POOL_FLAG_IPC = 2
    ZE_EVENT_POOL_FLAG_TIMESTAMP = 4


class ze_event_scope_flag_t(IntFlag):
    ZE_EVENT_SCOPE_FLAG_NONE = 0
    ZE_EVENT_SCOPE_FLAG_SUBDEVICE = 1
    ZE_EVENT_SCOPE_FLAG_DEVICE = 2
    ZE_EVENT_SCOPE_FLAG_HOST = 4


class ze_fence_flag_t(IntFlag):
    ZE_FENCE_FLAG_NONE = 0


class ze_image_flag_t(IntFlag):
    ZE_IMAGE_FLAG_PROGRAM_WRITE = 1
    ZE_IMAGE_FLAG_BIAS_UNCACHED = 2
    ZE_IMAGE_FLAG_PROGRAM_READ = 1 << OWN_BITS
    ZE_IMAGE_FLAG_BIAS_CACHED = 4 << OWN_BITS


class ze_device_mem_alloc_flag_t(IntFlag):
    ZE_DEVICE_MEM_ALLOC_FLAG_DEFAULT = 0
    ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_CACHED = 1
    ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_UNCACHED = 2


class ze_host_mem_alloc_flag_t(IntFlag):
    ZE_HOST_MEM_ALLOC_FLAG_DEFAULT = 0
    ZE_HOST_MEM_ALLOC_FLAG_BIAS_CACHED = 1
    ZE_HOST_MEM_ALLOC_FLAG_BIAS_UNCACHED = 2
    ZE_HOST_MEM_ALLOC_FLAG_BIAS_WRITE_COMBINED = 4


class ze_ipc_memory_flag_t(IntFlag):
    ZE_IPC_MEMORY_FLAG_NONE = 0


class ze_kernel_flag_t(IntFlag):
    ZE_KERNEL_FLAG_NONE = 0
    ZE_KERNEL_FLAG_FORCE_RESIDENCY = 1


class ze_driver_properties_version_t(IntEnum):
    ZE_DRIVER_PROPERTIES_VERSION_CURRENT = SEED_VERSION


class ze_driver_ipc_properties_version_t(IntEnum):
    ZE_DRIVER_IPC_PROPERTIES_VERSION_CURRENT = SEED_VERSION


class ze_device_properties_version_t(IntEnum):
    ZE_DEVICE_PROPERTIES_VERSION_CURRENT = SEED_VERSION


class ze_device_compute_properties_version_t(IntEnum):
    ZE_DEVICE_COMPUTE_PROPERTIES_VERSION_CURRENT = SEED_VERSION


class ze_device_kernel_properties_version_t(IntEnum):
    ZE_DEVICE_KERNEL_PROPERTIES_VERSION_CURRENT = SEED_VERSION


class ze_device_memory_properties_version_t(IntEnum):
    ZE_DEVICE_MEMORY_PROPERTIES_VERSION_CURRENT = SEED_VERSION


class ze_device_memory_access_properties_version_t(IntEnum):
    ZE_DEVICE_MEMORY_ACCESS_PROPERTIES_VERSION_CURRENT = SEED_VERSION


class ze_device_cache_properties_version_t(IntEnum):
    ZE_DEVICE_CACHE_PROPERTIES_VERSION_CURRENT = SEED_VERSION


class ze_device_image_properties_version_t(IntEnum):
    ZE_DEVICE_IMAGE_PROPERTIES_VERSION_CURRENT = SEED_VERSION


class ze_device_p2p_properties_version_t(IntEnum):
    ZE_DEVICE_P2P_PROPERTIES_VERSION_CURRENT = SEED_VERSION


class ze_command_queue_desc_version_t(IntEnum):
    ZE_COMMAND_QUEUE_DESC_VERSION_CURRENT = SEED_VERSION


class ze_command_list_desc_version_t(IntEnum):
    ZE_COMMAND_LIST_DESC_VERSION_CURRENT = SEED_VERSION


class ze_event_pool_desc_version_t(IntEnum):
    ZE_EVENT_POOL_DESC_VERSION_CURRENT = SEED_VERSION


class ze_fence_desc_version_t(IntEnum):
    ZE_FENCE_DESC_VERSION_CURRENT = SEED_VERSION


class ze_image_desc_version_t(IntEnum):
    ZE_IMAGE_DESC_VERSION_CURRENT = SEED_VERSION


class ze_device_mem_alloc_desc_version_t(IntEnum):
    ZE_DEVICE_MEM_ALLOC_DESC_VERSION_CURRENT = SEED_VERSION


class ze_module_desc_version_t(IntEnum):
    ZE_MODULE_DESC_VERSION_CURRENT = SEED_VERSION


class ze_kernel_desc_version_t(IntEnum):
    ZE_KERNEL_DESC_VERSION_CURRENT = SEED_VERSION


class ze_kernel_properties_version_t(IntEnum):
    ZE_KERNEL_PROPERTIES_VERSION_CURRENT = SEED_VERSION


class ze_sampler_desc_version_t(IntEnum):
    ZE_SAMPLER_DESC_VERSION_CURRENT = SEED_VERSION


class ze_event_desc_version_t(IntEnum):
    ZE_EVENT_DESC_VERSION_CURRENT = SEED_VERSION


class ze_image_properties_version_t(IntEnum):
    ZE_IMAGE_PROPERTIES_VERSION_CURRENT = SEED_VERSION


class ze_host_mem_alloc_desc_version_t(IntEnum):
    ZE_HOST_MEM_ALLOC_DESC_VERSION_CURRENT = SEED_VERSION


class ze_memory_allocation_properties_version_t(IntEnum):
    ZE_MEMORY_ALLOCATION_PROPERTIES_VERSION_CURRENT = SEED_VERSION


OLDER_FLAGS: Mapping[type[IntFlag], type[IntFlag]] = {
    enums.ze_command_list_flags_t: ze_command_list_flag_t,
    enums.ze_command_queue_flags_t: ze_command_queue_flag_t,
    enums.ze_image_flags_t: ze_image_flag_t,
}
"""The flags of 0.91 with bits of their own, by the flags of 1.x that they may stand among."""
