"""System management (Sysman) over the simulator, with the specification's names.

Conventions are those of `runtime.ze`. `zesInit` makes the cards of `zesDeviceGet`; devices of the core API can be used
as well if `ZES_ENABLE_SYSMAN` is 1. What is read and set is that of the card for all processes of the user, whichever
of them has caused it: `docs/sysman.md` says where it comes from.
"""

# ruff: noqa: F403 - what the specification and the chapters declare

from __future__ import annotations

from enum import IntEnum, IntFlag

from runtime.ze.driver import Device, Driver
from runtime.zes.api import *
from runtime.zes.chapters import SysmanChapter as SysmanChapter
from runtime.zes.seed import *
from runtime.zes.spec import *
from runtime.zes.system.components import (
    CardFan,
    CardLed,
    DiagnosticSuite,
    EngineGroup,
    FabricPort,
    FirmwarePart,
    FrequencyDomain,
    MemoryModule,
    OverclockDomain,
    PerformanceFactor,
    PowerDomain,
    PowerSupply,
    RasErrorSet,
    SchedulerComponent,
    StandbyDomain,
    TemperatureSensor,
    VirtualFunction,
)

zes_device_handle_t = Device
zes_diag_handle_t = DiagnosticSuite
zes_driver_handle_t = Driver
zes_engine_handle_t = EngineGroup
zes_fabric_port_handle_t = FabricPort
zes_fan_handle_t = CardFan
zes_firmware_handle_t = FirmwarePart
zes_freq_handle_t = FrequencyDomain
zes_led_handle_t = CardLed
zes_mem_handle_t = MemoryModule
zes_overclock_handle_t = OverclockDomain
zes_perf_handle_t = PerformanceFactor
zes_psu_handle_t = PowerSupply
zes_pwr_handle_t = PowerDomain
zes_ras_handle_t = RasErrorSet
zes_sched_handle_t = SchedulerComponent
zes_standby_handle_t = StandbyDomain
zes_temp_handle_t = TemperatureSensor
zes_vf_handle_t = VirtualFunction

# Type checkers take the names from the imports above; a literal list would repeat each of them.
globals()["__all__"] = sorted(name for name in globals() if name.startswith(("zes", "zetSysman", "zet_")))

_ENUMERATORS: dict[str, IntEnum | IntFlag] = {
    name: member
    for kind in tuple(globals().values())
    if isinstance(kind, type) and issubclass(kind, IntEnum | IntFlag)
    for name, member in kind.__members__.items()
}


def __getattr__(name: str) -> IntEnum | IntFlag:
    try:
        return _ENUMERATORS[name]
    except KeyError:
        raise AttributeError(f"module 'runtime.zes' has no attribute '{name}'") from None
