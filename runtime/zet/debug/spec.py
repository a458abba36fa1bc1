"""Data of the specification for program debug: enumerations and structures of 1.x and of 0.91.

Where both have a structure under one name, it has the members of 1.x; those of 0.91 follow.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag

from runtime.ze.conversion import declare_structures
from runtime.ze.layers.validation import declare_enumerations
from runtime.ze.spec import Descriptor, ExtensibleProperties

ZET_DEBUG_TIMEOUT_INFINITE = (1 << 64) - 1
ZET_DEBUG_THREAD_ALL = (1 << 64) - 1
ZET_DEBUG_THREAD_NONE = (1 << 64) - 2


class zet_device_debug_property_flags_t(IntFlag):
    ZET_DEVICE_DEBUG_PROPERTY_FLAG_ATTACH = 1


class zet_debug_event_flags_t(IntFlag):
    """Both versions give the same bit to what holds the program up."""

    ZET_DEBUG_EVENT_FLAG_NEED_ACK = 1
    ZET_DEBUG_EVENT_FLAG_STOPPED = 1
    ZET_DEBUG_EVENT_FLAG_NONE = 0


class zet_debug_event_type_t(IntEnum):
    ZET_DEBUG_EVENT_TYPE_INVALID = 0
    ZET_DEBUG_EVENT_TYPE_DETACHED = 1
    ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY = 2
    ZET_DEBUG_EVENT_TYPE_PROCESS_EXIT = 3
    ZET_DEBUG_EVENT_TYPE_MODULE_LOAD = 4
    ZET_DEBUG_EVENT_TYPE_MODULE_UNLOAD = 5
    ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED = 6
    ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE = 7
    ZET_DEBUG_EVENT_TYPE_PAGE_FAULT = 8
    ZET_DEBUG_EVENT_INVALID = 0
    ZET_DEBUG_EVENT_DETACHED = 1
    ZET_DEBUG_EVENT_PROCESS_ENTRY = 2
    ZET_DEBUG_EVENT_PROCESS_EXIT = 3
    ZET_DEBUG_EVENT_MODULE_LOAD = 4
    ZET_DEBUG_EVENT_MODULE_UNLOAD = 5
    ZET_DEBUG_EVENT_EXCEPTION = 6


class zet_debug_detach_reason_t(IntEnum):
    ZET_DEBUG_DETACH_REASON_INVALID = 0
    ZET_DEBUG_DETACH_REASON_HOST_EXIT = 1
    ZET_DEBUG_DETACH_INVALID = 0
    ZET_DEBUG_DETACH_HOST_EXIT = 1


class zet_debug_page_fault_reason_t(IntEnum):
    ZET_DEBUG_PAGE_FAULT_REASON_INVALID = 0
    ZET_DEBUG_PAGE_FAULT_REASON_MAPPING_ERROR = 1
    ZET_DEBUG_PAGE_FAULT_REASON_PERMISSION_ERROR = 2


class zet_debug_memory_space_type_t(IntEnum):
    ZET_DEBUG_MEMORY_SPACE_TYPE_DEFAULT = 0
    ZET_DEBUG_MEMORY_SPACE_TYPE_SLM = 1


class zet_debug_memory_space_intel_graphics_t(IntEnum):
    ZET_DEBUG_MEMORY_SPACE_GEN_DEFAULT = 0
    ZET_DEBUG_MEMORY_SPACE_GEN_SLM = 1


class zet_debug_state_intel_graphics_t(IntEnum):
    ZET_DEBUG_STATE_GEN_INVALID = 0
    ZET_DEBUG_STATE_GEN_GRF = 1
    ZET_DEBUG_STATE_GEN_ACC = 2
    ZET_DEBUG_STATE_GEN_ADDR = 3
    ZET_DEBUG_STATE_GEN_FLAG = 4


class zet_debug_regset_flags_t(IntFlag):
    ZET_DEBUG_REGSET_FLAG_READABLE = 1
    ZET_DEBUG_REGSET_FLAG_WRITEABLE = 2


class zet_debug_regset_type_intel_gpu_t(IntEnum):
    """The types of register sets of Intel's GPUs, with the numbers of Intel's header."""

    ZET_DEBUG_REGSET_TYPE_INVALID_INTEL_GPU = 0
    ZET_DEBUG_REGSET_TYPE_GRF_INTEL_GPU = 1
    ZET_DEBUG_REGSET_TYPE_ADDR_INTEL_GPU = 2
    ZET_DEBUG_REGSET_TYPE_FLAG_INTEL_GPU = 3
    ZET_DEBUG_REGSET_TYPE_CE_INTEL_GPU = 4
    ZET_DEBUG_REGSET_TYPE_SR_INTEL_GPU = 5
    ZET_DEBUG_REGSET_TYPE_CR_INTEL_GPU = 6
    ZET_DEBUG_REGSET_TYPE_ACC_INTEL_GPU = 8
    ZET_DEBUG_REGSET_TYPE_SBA_INTEL_GPU = 11
    ZET_DEBUG_REGSET_TYPE_DBG_INTEL_GPU = 12


@dataclass
class ze_device_thread_t:
    """The place of a thread; every member 0xffffffff stands for all threads."""

    slice: int = 0
    subslice: int = 0
    eu: int = 0
    thread: int = 0


@dataclass
class zet_device_debug_properties_t(ExtensibleProperties):
    flags: zet_device_debug_property_flags_t


@dataclass
class zet_debug_config_v1_t:
    pid: int = 0


@dataclass
class zet_debug_config_variants_t:
    v1: zet_debug_config_v1_t = field(default_factory=zet_debug_config_v1_t)


@dataclass
class zet_debug_config_t:
    """The process to debug: `pid`, or in 0.91 `variant` with a `version` of 1."""

    pid: int = 0
    version: int = field(default=0, kw_only=True)
    variant: zet_debug_config_variants_t = field(default_factory=zet_debug_config_variants_t, kw_only=True)


@dataclass
class zet_debug_event_info_detached_t:
    reason: zet_debug_detach_reason_t


@dataclass
class zet_debug_event_info_module_t:
    """A module. Its image, in addresses `moduleBegin` to `moduleEnd` of the default memory space, says where each
    section of its code is.
    """

    format: int
    moduleBegin: int
    moduleEnd: int
    load: int


@dataclass
class zet_debug_event_info_thread_stopped_t:
    thread: ze_device_thread_t


@dataclass
class zet_debug_event_info_page_fault_t:
    address: int
    mask: int
    reason: zet_debug_page_fault_reason_t


@dataclass
class zet_debug_event_info_t:
    """The member that the type of the event says; the others are None."""

    detached: zet_debug_event_info_detached_t | None = None
    module: zet_debug_event_info_module_t | None = None
    thread: zet_debug_event_info_thread_stopped_t | None = None
    page_fault: zet_debug_event_info_page_fault_t | None = None


_NO_FLAGS = zet_debug_event_flags_t(0)


@dataclass
class zet_debug_event_t:
    type: zet_debug_event_type_t = zet_debug_event_type_t.ZET_DEBUG_EVENT_TYPE_INVALID
    flags: zet_debug_event_flags_t = _NO_FLAGS
    info: zet_debug_event_info_t = field(default_factory=zet_debug_event_info_t)
    thread: int = field(default=0, kw_only=True)
    """The number of the thread that 0.91 has in every event."""


@dataclass
class zet_debug_memory_space_desc_t(Descriptor):
    type: int = 0
    address: int = 0


@dataclass
class zet_debug_regset_properties_t(ExtensibleProperties):
    type: int
    version: int
    generalFlags: zet_debug_regset_flags_t
    deviceFlags: int
    count: int
    bitSize: int
    byteSize: int


@dataclass
class zet_debug_state_section_t:
    type: int
    version: int
    size: int
    offset: int


@dataclass
class zet_debug_state_t:
    """The head of the register state of 0.91, which its sections follow."""

    size: int
    headerSize: int
    secSize: int
    numSec: int


# Functions convert their arguments to structures that are declared before them.
declare_structures(sys.modules[__name__])
declare_enumerations({("zet_debug_memory_space_desc_t", "type"): zet_debug_memory_space_type_t})
