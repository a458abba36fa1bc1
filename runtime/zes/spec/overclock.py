"""Domains and controls for overclocking."""

from __future__ import annotations

from enum import IntEnum

from runtime.ze.spec import ExtensibleProperties
from xegpu.on_demand import dataclass


class zes_overclock_domain_t(IntEnum):
    ZES_OVERCLOCK_DOMAIN_CARD = 1
    ZES_OVERCLOCK_DOMAIN_PACKAGE = 2
    ZES_OVERCLOCK_DOMAIN_GPU_ALL = 4
    ZES_OVERCLOCK_DOMAIN_GPU_RENDER_COMPUTE = 8
    ZES_OVERCLOCK_DOMAIN_GPU_RENDER = 16
    ZES_OVERCLOCK_DOMAIN_GPU_COMPUTE = 32
    ZES_OVERCLOCK_DOMAIN_GPU_MEDIA = 64
    ZES_OVERCLOCK_DOMAIN_VRAM = 128
    ZES_OVERCLOCK_DOMAIN_ADM = 256


class zes_overclock_control_t(IntEnum):
    ZES_OVERCLOCK_CONTROL_VF = 1
    ZES_OVERCLOCK_CONTROL_FREQ_OFFSET = 2
    ZES_OVERCLOCK_CONTROL_VMAX_OFFSET = 4
    ZES_OVERCLOCK_CONTROL_FREQ = 8
    ZES_OVERCLOCK_CONTROL_VOLT_LIMIT = 16
    ZES_OVERCLOCK_CONTROL_POWER_SUSTAINED_LIMIT = 32
    ZES_OVERCLOCK_CONTROL_POWER_BURST_LIMIT = 64
    ZES_OVERCLOCK_CONTROL_POWER_PEAK_LIMIT = 128
    ZES_OVERCLOCK_CONTROL_ICCMAX_LIMIT = 256
    ZES_OVERCLOCK_CONTROL_TEMP_LIMIT = 512
    ZES_OVERCLOCK_CONTROL_ITD_DISABLE = 1024
    ZES_OVERCLOCK_CONTROL_ACM_DISABLE = 2048


class zes_overclock_mode_t(IntEnum):
    ZES_OVERCLOCK_MODE_MODE_OFF = 0
    ZES_OVERCLOCK_MODE_MODE_STOCK = 2
    ZES_OVERCLOCK_MODE_MODE_ON = 3
    ZES_OVERCLOCK_MODE_MODE_UNAVAILABLE = 4
    ZES_OVERCLOCK_MODE_MODE_DISABLED = 5


class zes_control_state_t(IntEnum):
    ZES_CONTROL_STATE_STATE_UNSET = 0
    ZES_CONTROL_STATE_STATE_ACTIVE = 2
    ZES_CONTROL_STATE_STATE_DISABLED = 3


class zes_pending_action_t(IntEnum):
    ZES_PENDING_ACTION_PENDING_NONE = 0
    ZES_PENDING_ACTION_PENDING_IMMINENT = 1
    ZES_PENDING_ACTION_PENDING_COLD_RESET = 2
    ZES_PENDING_ACTION_PENDING_WARM_RESET = 3


class zes_vf_program_type_t(IntEnum):
    ZES_VF_PROGRAM_TYPE_VF_ARBITRARY = 0
    ZES_VF_PROGRAM_TYPE_VF_FREQ_FIXED = 1
    ZES_VF_PROGRAM_TYPE_VF_VOLT_FIXED = 2


class zes_vf_type_t(IntEnum):
    ZES_VF_TYPE_VOLT = 0
    ZES_VF_TYPE_FREQ = 1


class zes_vf_array_type_t(IntEnum):
    ZES_VF_ARRAY_TYPE_USER_VF_ARRAY = 0
    ZES_VF_ARRAY_TYPE_DEFAULT_VF_ARRAY = 1
    ZES_VF_ARRAY_TYPE_LIVE_VF_ARRAY = 2


@dataclass
class zes_overclock_properties_t(ExtensibleProperties):
    domainType: zes_overclock_domain_t
    AvailableControls: int
    VFProgramType: zes_vf_program_type_t
    NumberOfVFPoints: int


@dataclass
class zes_control_property_t:
    MinValue: float
    MaxValue: float
    StepValue: float
    RefValue: float
    DefaultValue: float


@dataclass
class zes_vf_property_t:
    MinFreq: float
    MaxFreq: float
    StepFreq: float
    MinVolt: float
    MaxVolt: float
    StepVolt: float
