"""Memory modules, and error correction."""

from __future__ import annotations

from enum import IntEnum

from runtime.ze.spec import Descriptor, ExtensibleProperties
from xegpu.on_demand import dataclass


class zes_mem_type_t(IntEnum):
    ZES_MEM_TYPE_HBM = 0
    ZES_MEM_TYPE_DDR = 1
    ZES_MEM_TYPE_DDR3 = 2
    ZES_MEM_TYPE_DDR4 = 3
    ZES_MEM_TYPE_DDR5 = 4
    ZES_MEM_TYPE_LPDDR = 5
    ZES_MEM_TYPE_LPDDR3 = 6
    ZES_MEM_TYPE_LPDDR4 = 7
    ZES_MEM_TYPE_LPDDR5 = 8
    ZES_MEM_TYPE_SRAM = 9
    ZES_MEM_TYPE_L1 = 10
    ZES_MEM_TYPE_L3 = 11
    ZES_MEM_TYPE_GRF = 12
    ZES_MEM_TYPE_SLM = 13
    ZES_MEM_TYPE_GDDR4 = 14
    ZES_MEM_TYPE_GDDR5 = 15
    ZES_MEM_TYPE_GDDR5X = 16
    ZES_MEM_TYPE_GDDR6 = 17
    ZES_MEM_TYPE_GDDR6X = 18
    ZES_MEM_TYPE_GDDR7 = 19


class zes_mem_loc_t(IntEnum):
    ZES_MEM_LOC_SYSTEM = 0
    ZES_MEM_LOC_DEVICE = 1


class zes_mem_health_t(IntEnum):
    ZES_MEM_HEALTH_UNKNOWN = 0
    ZES_MEM_HEALTH_OK = 1
    ZES_MEM_HEALTH_DEGRADED = 2
    ZES_MEM_HEALTH_CRITICAL = 3
    ZES_MEM_HEALTH_REPLACE = 4


class zes_device_ecc_state_t(IntEnum):
    ZES_DEVICE_ECC_STATE_UNAVAILABLE = 0
    ZES_DEVICE_ECC_STATE_ENABLED = 1
    ZES_DEVICE_ECC_STATE_DISABLED = 2


class zes_device_action_t(IntEnum):
    ZES_DEVICE_ACTION_NONE = 0
    ZES_DEVICE_ACTION_WARM_CARD_RESET = 1
    ZES_DEVICE_ACTION_COLD_CARD_RESET = 2
    ZES_DEVICE_ACTION_COLD_SYSTEM_REBOOT = 3


@dataclass
class zes_mem_properties_t(ExtensibleProperties):
    type: zes_mem_type_t
    onSubdevice: bool
    subdeviceId: int
    location: zes_mem_loc_t
    physicalSize: int
    busWidth: int
    numChannels: int


@dataclass
class zes_mem_state_t(ExtensibleProperties):
    health: zes_mem_health_t
    free: int
    size: int


@dataclass
class zes_mem_bandwidth_t:
    readCounter: int
    writeCounter: int
    maxBandwidth: int
    timestamp: int


@dataclass
class zes_device_ecc_desc_t(Descriptor):
    state: int = 0


@dataclass
class zes_device_ecc_properties_t(ExtensibleProperties):
    currentState: zes_device_ecc_state_t
    pendingState: zes_device_ecc_state_t
    pendingAction: zes_device_action_t


@dataclass
class zes_mem_bandwidth_counter_bits_exp_properties_t(ExtensibleProperties):
    validBitsCount: int


@dataclass
class zes_mem_page_offline_state_exp_t(ExtensibleProperties):
    memoryPageOffline: int
    maxMemoryPageOffline: int
