"""Errors that the hardware has counted."""

from __future__ import annotations

from dataclasses import field
from enum import IntEnum

from runtime.ze.spec import Descriptor, ExtensibleProperties
from xegpu.on_demand import dataclass

ZES_MAX_RAS_ERROR_CATEGORY_COUNT = 7


class zes_ras_error_type_t(IntEnum):
    ZES_RAS_ERROR_TYPE_CORRECTABLE = 0
    ZES_RAS_ERROR_TYPE_UNCORRECTABLE = 1


class zes_ras_error_cat_t(IntEnum):
    ZES_RAS_ERROR_CAT_RESET = 0
    ZES_RAS_ERROR_CAT_PROGRAMMING_ERRORS = 1
    ZES_RAS_ERROR_CAT_DRIVER_ERRORS = 2
    ZES_RAS_ERROR_CAT_COMPUTE_ERRORS = 3
    ZES_RAS_ERROR_CAT_NON_COMPUTE_ERRORS = 4
    ZES_RAS_ERROR_CAT_CACHE_ERRORS = 5
    ZES_RAS_ERROR_CAT_DISPLAY_ERRORS = 6


class zes_ras_error_category_exp_t(IntEnum):
    ZES_RAS_ERROR_CATEGORY_EXP_RESET_ERRORS = 0
    ZES_RAS_ERROR_CATEGORY_EXP_PROGRAMMING_ERRORS = 1
    ZES_RAS_ERROR_CATEGORY_EXP_DRIVER_ERRORS = 2
    ZES_RAS_ERROR_CATEGORY_EXP_COMPUTE_ERRORS = 3
    ZES_RAS_ERROR_CATEGORY_EXP_NON_COMPUTE_ERRORS = 4
    ZES_RAS_ERROR_CATEGORY_EXP_CACHE_ERRORS = 5
    ZES_RAS_ERROR_CATEGORY_EXP_DISPLAY_ERRORS = 6
    ZES_RAS_ERROR_CATEGORY_EXP_MEMORY_ERRORS = 7
    ZES_RAS_ERROR_CATEGORY_EXP_SCALE_ERRORS = 8
    ZES_RAS_ERROR_CATEGORY_EXP_L3FABRIC_ERRORS = 9


@dataclass
class zes_ras_properties_t(ExtensibleProperties):
    type: zes_ras_error_type_t
    onSubdevice: bool
    subdeviceId: int


@dataclass
class zes_ras_state_t(ExtensibleProperties):
    category: tuple[int, ...] = (0,) * ZES_MAX_RAS_ERROR_CATEGORY_COUNT


@dataclass
class zes_ras_config_t(Descriptor):
    totalThreshold: int = 0
    detailedThresholds: zes_ras_state_t = field(default_factory=zes_ras_state_t)


@dataclass
class zes_ras_state_exp_t:
    category: zes_ras_error_category_exp_t
    errorCounter: int


@dataclass
class zes_ras_state_exp2_t(ExtensibleProperties):
    category: zes_ras_error_category_exp_t
    errorCounter: int


@dataclass
class zes_ras_config_exp_t(Descriptor):
    category: int = 0
    threshold: int = 0
