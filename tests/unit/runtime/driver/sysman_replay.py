"""Replays what `clients/sysman.c` has called, from Python, and prints each answer that differs.

Run with the output of the program, in an environment like its own, with new cards.
"""

from __future__ import annotations

import ctypes
import dataclasses
import re
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from runtime import ze, zes
from runtime.driver.abi import code_of, layouts
from runtime.driver.marshalling import reader
from runtime.ze.driver import Handle

Plain = dict[str, "Plain"] | list["Plain"] | int | float | str | None

CHANGING = ("timestamp", "processId", "pNext", "stype", "defaultLimit", "numAsyncComputeEngines", "numAsyncCopyEngines")
"""Members that differ from process to process, those that only C has, and those of 0.91, which C has not."""

POINTS = zes.zes_fan_speed_t(50, zes.ZES_FAN_SPEED_UNITS_PERCENT)
SUSTAINED = zes.zes_power_limit_ext_desc_t(level=zes.ZES_POWER_LEVEL_SUSTAINED, limit=210000)
THRESHOLDS = [zes.zes_ras_config_exp_t(3, 11), zes.zes_ras_config_exp_t(1, 12)]

ARGUMENTS: Mapping[str, Sequence[tuple[object, ...]]] = {
    "zesDeviceSetEccState": [(zes.zes_device_ecc_desc_t(zes.ZES_DEVICE_ECC_STATE_DISABLED),)],
    "zesDeviceEventRegister": [(zes.ZES_EVENT_TYPE_FLAG_DEVICE_RESET_REQUIRED,)],
    "zesDeviceReset": [(True,)],
    "zesDeviceResetExt": [(zes.zes_reset_properties_t(True, 2),)],
    "zesDevicePciLinkSpeedUpdateExt": [(False,)],
    "zesDeviceGetOverclockControls": [(1,)],
    "zesDeviceResetOverclockSettings": [(True,)],
    "zesSchedulerSetTimeoutMode": [(zes.zes_sched_timeout_properties_t(5000),)],
    "zesSchedulerGetTimeoutModeProperties": [(False,), (True,)],
    "zesSchedulerSetTimesliceMode": [(zes.zes_sched_timeslice_properties_t(10, 20),)],
    "zesSchedulerGetTimesliceModeProperties": [(False,)],
    "zesPerformanceFactorSetConfig": [(62.5,), (-1.0,)],
    "zesStandbySetMode": [(zes.ZES_STANDBY_PROMO_MODE_NEVER,)],
    "zesPowerSetLimits": [(zes.zes_power_sustained_limit_t(True, 200000, 10),)],
    "zesPowerSetEnergyThreshold": [(2.5,)],
    "zesPowerSetLimitsExt": [([SUSTAINED],)],
    "zesPowerSetLimitsExt2": [(190000,)],
    "zesFrequencySetRange": [(zes.zes_freq_range_t(-1, 1000),)],
    "zesFrequencyOcSetFrequencyTarget": [(1700.0,)],
    "zesFrequencyOcSetVoltageTarget": [(1.0, 0.0)],
    "zesFrequencyOcSetMode": [(zes.ZES_OC_MODE_OFF,)],
    "zesFrequencyOcSetIccMax": [(10.0,)],
    "zesFrequencyOcSetTjMax": [(90.0,)],
    "zesTemperatureSetConfig": [
        (
            zes.zes_temp_config_t(
                True, zes.zes_temp_threshold_t(True, False, 70.5), zes.zes_temp_threshold_t(False, True, 60.25)
            ),
        )
    ],
    "zesRasSetConfig": [(zes.zes_ras_config_t(9, zes.zes_ras_state_t((0, 0, 5, 0, 0, 0, 0))),)],
    "zesRasGetState": [(True,)],
    "zesRasClearStateExp": [(0,), (77,)],
    "zesRasSetConfigExp": [(THRESHOLDS,)],
    "zesRasGetStateExp2": [([4, 2],)],
    "zesFirmwareFlash": [(b"$FPT and what a firmware consists of", 36), (b"FPT", 3), (None, 3)],
    "zesDiagnosticsRunTests": [(0, 0xFFFFFFFF)],
    "zesFabricPortSetConfig": [(zes.zes_fabric_port_config_t(),)],
    "zesFabricPortGetMultiPortThroughput": [(None,)],
    "zesFanSetFixedSpeedMode": [(POINTS,)],
    "zesFanSetSpeedTableMode": [(zes.zes_fan_speed_table_t((zes.zes_fan_temp_speed_t(50, POINTS),)),)],
    "zesFanGetState": [(0,)],
    "zesLedSetState": [(True,)],
    "zesLedSetColor": [(zes.zes_led_color_t(1.0, 0.0, 0.0),)],
    "zesOverclockGetDomainControlProperties": [(8,)],
    "zesOverclockGetControlCurrentValue": [(8,)],
    "zesOverclockGetControlPendingValue": [(8,)],
    "zesOverclockSetControlUserValue": [(8, 1.0)],
    "zesOverclockGetControlState": [(8,)],
    "zesOverclockGetVFPointValues": [(1, 2, 0)],
    "zesOverclockSetVFPointValues": [(1, 0, 0)],
    "zesVFManagementSetVFTelemetryModeExp": [(1, True)],
    "zesVFManagementSetVFTelemetrySamplingIntervalExp": [(1, 1)],
}
"""The arguments behind the handle, for each call with one handle."""

ONE_OF_SEVERAL: Mapping[str, Callable[[Sequence[object]], object]] = {
    "zesPowerGetLimits": lambda found: found[2],
    "zesPowerGetUsage": lambda found: found[1],
    "zesRasGetConfigExp": lambda found: [found[3], found[1]],
}
"""Answers of which C prints a part."""


def plain(value: object) -> Plain:
    """Returns an answer without what differs from process to process."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = (field.name for field in dataclasses.fields(value) if field.name not in CHANGING)
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Handle):
        return "a handle"
    assert value is None or isinstance(value, float | str)
    return value


def decoded(type: str, data: bytes) -> Plain:
    """Returns the answer in some bytes: that of one element, or all elements of an array."""
    if type == "char":
        return data.rstrip(b"\0").decode()
    if type not in layouts():
        code = code_of(type)
        found = [plain(number) for (number,) in struct.iter_unpack(f"<{code}", data)]
    else:
        buffer, size = ctypes.create_string_buffer(data, len(data)), layouts()[type].size
        places = range(ctypes.addressof(buffer), ctypes.addressof(buffer) + len(data), size)
        found = [plain(reader(type)(place)) for place in places]
    return found


def lines_of(path: str) -> Iterator[tuple[str, int, str, bytes]]:
    for line in Path(path).read_text().splitlines():
        match = re.fullmatch(r"(\w+) (\d+) (.+?) ([0-9a-f]*)", line)
        assert match is not None, line
        name, result, type, digits = match.groups()
        yield name, int(result), type, bytes.fromhex(digits)


class Replay:
    """Calls from Python what the lines say, with the same handles."""

    def __init__(self) -> None:
        zes.zesInit()
        (self._driver,) = zes.zesDriverGet()
        self._cards = list(zes.zesDeviceGet(self._driver))
        self._card = self._cards[0]
        self._components: list[object] = []
        self._component: object = None
        self._calls: Counter[str] = Counter()
        self._limits: Sequence[object] = ()

    def call(self, name: str) -> tuple[int, object]:
        """Returns result and answer of a call."""
        if name in ("sustained", "burst"):
            return 0, self._limits[name == "burst"]
        if name == "component":
            self._component = self._components.pop(0) if self._components else None
            self._calls.clear()
            return 0, None
        if name == "zesDeviceGetProperties":
            self._card = self._cards.pop(0)
        handle = self._card if name.startswith("zesDevice") or "MultiPort" in name else self._component
        sets = ARGUMENTS.get(name, [()])
        arguments = sets[self._calls[name] % len(sets)]
        self._calls[name] += 1
        try:
            found = getattr(zes, name)(handle, *arguments)
        except ze.ZeError as error:
            return int(error.result), None
        if name.startswith("zesDeviceEnum"):
            self._components = list(found)
        if name == "zesPowerGetLimits":
            self._limits = found
        return 0, ONE_OF_SEVERAL[name](found) if name in ONE_OF_SEVERAL else found


WITH_A_DRIVER = re.compile("zesDriver|zesDeviceGet$")


def compared(path: str) -> Iterator[str]:
    """Yields each line whose answer is another one in Python."""
    replay = Replay()
    for name, result, type, data in lines_of(path):
        if WITH_A_DRIVER.match(name):
            continue
        expected = replay.call(name)
        given = plain(expected[1])
        is_count = type == "uint32_t" and isinstance(given, list) and len(data) == 4
        if result != expected[0]:
            yield f"{name}: {result:#x}, from Python {expected[0]:#x}"
        elif result == 0 and type not in ("-", "any"):
            found = decoded(type, data)
            if is_count:
                given = [len(given)] if isinstance(given, list) else given
            elif isinstance(found, list) and not isinstance(given, list):
                given = [given]
            if found != given:
                yield f"{name}: {found}, from Python {given}"


if __name__ == "__main__":
    for difference in compared(sys.argv[1]):
        print(difference)
