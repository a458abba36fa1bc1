"""Virtual functions."""

from __future__ import annotations

from enum import IntFlag

from runtime.ze.spec import ExtensibleProperties
from runtime.zes.spec.device import zes_pci_address_t, zes_uuid_t
from runtime.zes.spec.engine import zes_engine_group_t
from runtime.zes.spec.memory import zes_mem_loc_t
from xegpu.on_demand import dataclass


class zes_vf_info_mem_type_exp_flags_t(IntFlag):
    ZES_VF_INFO_MEM_TYPE_EXP_FLAG_MEM_TYPE_SYSTEM = 1
    ZES_VF_INFO_MEM_TYPE_EXP_FLAG_MEM_TYPE_DEVICE = 2


class zes_vf_info_util_exp_flags_t(IntFlag):
    ZES_VF_INFO_UTIL_EXP_FLAG_INFO_NONE = 1
    ZES_VF_INFO_UTIL_EXP_FLAG_INFO_MEM_CPU = 2
    ZES_VF_INFO_UTIL_EXP_FLAG_INFO_MEM_GPU = 4
    ZES_VF_INFO_UTIL_EXP_FLAG_INFO_ENGINE = 8


@dataclass
class zes_vf_exp_properties_t(ExtensibleProperties):
    address: zes_pci_address_t
    uuid: zes_uuid_t
    flags: zes_vf_info_util_exp_flags_t


@dataclass
class zes_vf_util_mem_exp_t(ExtensibleProperties):
    memTypeFlags: zes_vf_info_mem_type_exp_flags_t
    free: int
    size: int
    timestamp: int


@dataclass
class zes_vf_util_engine_exp_t(ExtensibleProperties):
    type: zes_engine_group_t
    activeCounterValue: int
    samplingCounterValue: int
    timestamp: int


@dataclass
class zes_vf_exp_capabilities_t(ExtensibleProperties):
    address: zes_pci_address_t
    vfDeviceMemSize: int
    vfID: int


@dataclass
class zes_vf_exp2_capabilities_t(ExtensibleProperties):
    address: zes_pci_address_t
    vfDeviceMemSize: int
    vfID: int


@dataclass
class zes_vf_util_mem_exp2_t(ExtensibleProperties):
    vfMemLocation: zes_mem_loc_t
    vfMemUtilized: int


@dataclass
class zes_vf_util_engine_exp2_t(ExtensibleProperties):
    vfEngineType: zes_engine_group_t
    activeCounterValue: int
    samplingCounterValue: int
