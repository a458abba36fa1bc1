"""Enumerations and flag sets of the core API, under the specification's names and with its 1.x values."""

# ruff: noqa: N801 - the specification's names

from __future__ import annotations

from enum import IntEnum, IntFlag


class ze_init_flags_t(IntFlag):
    ZE_INIT_FLAG_GPU_ONLY = 1
    ZE_INIT_FLAG_VPU_ONLY = 2


class ze_api_version_t(IntEnum):
    ZE_API_VERSION_1_0 = 0x10000
    ZE_API_VERSION_1_1 = 0x10001
    ZE_API_VERSION_1_2 = 0x10002
    ZE_API_VERSION_1_3 = 0x10003
    ZE_API_VERSION_1_4 = 0x10004


class ze_ipc_property_flags_t(IntFlag):
    ZE_IPC_PROPERTY_FLAG_MEMORY = 1
    ZE_IPC_PROPERTY_FLAG_EVENT_POOL = 2


class ze_device_type_t(IntEnum):
    ZE_DEVICE_TYPE_GPU = 1
    ZE_DEVICE_TYPE_CPU = 2
    ZE_DEVICE_TYPE_FPGA = 3
    ZE_DEVICE_TYPE_MCA = 4
    ZE_DEVICE_TYPE_VPU = 5


class ze_device_property_flags_t(IntFlag):
    ZE_DEVICE_PROPERTY_FLAG_INTEGRATED = 1
    ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE = 2
    ZE_DEVICE_PROPERTY_FLAG_ECC = 4
    ZE_DEVICE_PROPERTY_FLAG_ONDEMANDPAGING = 8


class ze_device_module_flags_t(IntFlag):
    ZE_DEVICE_MODULE_FLAG_FP16 = 1
    ZE_DEVICE_MODULE_FLAG_FP64 = 2
    ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS = 4
    ZE_DEVICE_MODULE_FLAG_DP4A = 8


class ze_device_fp_flags_t(IntFlag):
    ZE_DEVICE_FP_FLAG_DENORM = 1
    ZE_DEVICE_FP_FLAG_INF_NAN = 2
    ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST = 4
    ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO = 8
    ZE_DEVICE_FP_FLAG_ROUND_TO_INF = 16
    ZE_DEVICE_FP_FLAG_FMA = 32
    ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT = 64
    ZE_DEVICE_FP_FLAG_SOFT_FLOAT = 128


class ze_command_queue_group_property_flags_t(IntFlag):
    ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE = 1
    ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY = 2
    ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS = 4
    ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_METRICS = 8


class ze_memory_access_cap_flags_t(IntFlag):
    ZE_MEMORY_ACCESS_CAP_FLAG_RW = 1
    ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC = 2
    ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT = 4
    ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC = 8


class ze_device_cache_property_flags_t(IntFlag):
    ZE_DEVICE_CACHE_PROPERTY_FLAG_USER_CONTROL = 1


class ze_device_p2p_property_flags_t(IntFlag):
    ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS = 1
    ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS = 2


class ze_context_flags_t(IntFlag):
    ZE_CONTEXT_FLAG_TBD = 1


class ze_command_queue_flags_t(IntFlag):
    ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY = 1
    ZE_COMMAND_QUEUE_FLAG_IN_ORDER = 2
    ZE_COMMAND_QUEUE_FLAG_COPY_OFFLOAD_HINT = 4


class ze_command_queue_mode_t(IntEnum):
    ZE_COMMAND_QUEUE_MODE_DEFAULT = 0
    ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS = 1
    ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS = 2


class ze_command_queue_priority_t(IntEnum):
    ZE_COMMAND_QUEUE_PRIORITY_NORMAL = 0
    ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW = 1
    ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH = 2


class ze_command_list_flags_t(IntFlag):
    ZE_COMMAND_LIST_FLAG_RELAXED_ORDERING = 1
    ZE_COMMAND_LIST_FLAG_MAXIMIZE_THROUGHPUT = 2
    ZE_COMMAND_LIST_FLAG_EXPLICIT_ONLY = 4
    ZE_COMMAND_LIST_FLAG_IN_ORDER = 8
    ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE = 16
    ZE_COMMAND_LIST_FLAG_COPY_OFFLOAD_HINT = 32


class ze_event_pool_flags_t(IntFlag):
    ZE_EVENT_POOL_FLAG_HOST_VISIBLE = 1
    ZE_EVENT_POOL_FLAG_IPC = 2
    ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP = 4
    ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP = 8


class ze_event_scope_flags_t(IntFlag):
    ZE_EVENT_SCOPE_FLAG_SUBDEVICE = 1
    ZE_EVENT_SCOPE_FLAG_DEVICE = 2
    ZE_EVENT_SCOPE_FLAG_HOST = 4


class ze_event_timestamp_type_t(IntEnum):
    """Which time `zeEventGetTimestamp` reads (specification 0.91 only)."""

    ZE_EVENT_TIMESTAMP_GLOBAL_START = 0
    ZE_EVENT_TIMESTAMP_GLOBAL_END = 1
    ZE_EVENT_TIMESTAMP_CONTEXT_START = 2
    ZE_EVENT_TIMESTAMP_CONTEXT_END = 3


class ze_fence_flags_t(IntFlag):
    ZE_FENCE_FLAG_SIGNALED = 1


class ze_device_mem_alloc_flags_t(IntFlag):
    ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_CACHED = 1
    ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_UNCACHED = 2
    ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT = 4


class ze_host_mem_alloc_flags_t(IntFlag):
    ZE_HOST_MEM_ALLOC_FLAG_BIAS_CACHED = 1
    ZE_HOST_MEM_ALLOC_FLAG_BIAS_UNCACHED = 2
    ZE_HOST_MEM_ALLOC_FLAG_BIAS_WRITE_COMBINED = 4
    ZE_HOST_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT = 8


class ze_memory_type_t(IntEnum):
    ZE_MEMORY_TYPE_UNKNOWN = 0
    ZE_MEMORY_TYPE_HOST = 1
    ZE_MEMORY_TYPE_DEVICE = 2
    ZE_MEMORY_TYPE_SHARED = 3


class ze_relaxed_allocation_limits_exp_flags_t(IntFlag):
    ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE = 1


class ze_module_format_t(IntEnum):
    ZE_MODULE_FORMAT_IL_SPIRV = 0
    ZE_MODULE_FORMAT_NATIVE = 1


class ze_module_property_flags_t(IntFlag):
    ZE_MODULE_PROPERTY_FLAG_IMPORTS = 1


class ze_kernel_flags_t(IntFlag):
    ZE_KERNEL_FLAG_FORCE_RESIDENCY = 1
    ZE_KERNEL_FLAG_EXPLICIT_RESIDENCY = 2


class ze_kernel_indirect_access_flags_t(IntFlag):
    ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST = 1
    ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE = 2
    ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED = 4


class ze_cache_config_flags_t(IntFlag):
    ZE_CACHE_CONFIG_FLAG_LARGE_SLM = 1
    ZE_CACHE_CONFIG_FLAG_LARGE_DATA = 2
