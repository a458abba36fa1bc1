"""Firmware, diagnostics and LEDs."""

from __future__ import annotations

from enum import IntEnum

from runtime.ze.spec import ExtensibleProperties
from xegpu.on_demand import dataclass

ZES_DIAG_FIRST_TEST_INDEX = 0x0
ZES_DIAG_LAST_TEST_INDEX = 0xFFFFFFFF


class zes_diag_result_t(IntEnum):
    ZES_DIAG_RESULT_NO_ERRORS = 0
    ZES_DIAG_RESULT_ABORT = 1
    ZES_DIAG_RESULT_FAIL_CANT_REPAIR = 2
    ZES_DIAG_RESULT_REBOOT_FOR_REPAIR = 3


@dataclass
class zes_firmware_properties_t(ExtensibleProperties):
    onSubdevice: bool
    subdeviceId: int
    canControl: bool
    name: str
    version: str


@dataclass
class zes_diag_test_t:
    index: int
    name: str


@dataclass
class zes_diag_properties_t(ExtensibleProperties):
    onSubdevice: bool
    subdeviceId: int
    name: str
    haveTests: bool


@dataclass
class zes_led_properties_t(ExtensibleProperties):
    onSubdevice: bool
    subdeviceId: int
    canControl: bool
    haveRGB: bool


@dataclass
class zes_led_color_t:
    red: float = 0.0
    green: float = 0.0
    blue: float = 0.0


@dataclass
class zes_led_state_t(ExtensibleProperties):
    isOn: bool
    color: zes_led_color_t
