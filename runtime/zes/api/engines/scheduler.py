"""Schedulers (specification: Sysman scheduler).

A simulated tile executes a command to its end before the next one begins, so the modes differ in what they report only.
"""

from __future__ import annotations

from runtime.ze.declaration import api
from runtime.ze.driver import Device, live, required, unsigned
from runtime.zes.chapters import GETS, SETS, SysmanChapter
from runtime.zes.spec import (
    zes_engine_type_flags_t,
    zes_sched_mode_t,
    zes_sched_properties_t,
    zes_sched_timeout_properties_t,
    zes_sched_timeslice_properties_t,
)
from runtime.zes.system.access import card_of
from runtime.zes.system.components import SchedulerComponent, components

_TIMEOUT = zes_sched_timeout_properties_t(640_000)

_TIMESLICE = zes_sched_timeslice_properties_t(1_000, 640_000)

_MODES = sum(1 << mode for mode in zes_sched_mode_t)


@api(SysmanChapter.SCHEDULER, GETS, seed="zetSysmanSchedulerGetSupportedModes")
def zesDeviceEnumSchedulers(hDevice: Device) -> list[SchedulerComponent]:
    """Returns the schedulers: one for each tile."""
    return components(card_of(hDevice), SchedulerComponent)


@api(SysmanChapter.SCHEDULER, seed=None)
def zesSchedulerGetProperties(hScheduler: SchedulerComponent) -> zes_sched_properties_t:
    """Returns the engines that a scheduler is for, and its modes."""
    found = live(hScheduler, SchedulerComponent)
    engines = zes_engine_type_flags_t.ZES_ENGINE_TYPE_FLAG_COMPUTE | zes_engine_type_flags_t.ZES_ENGINE_TYPE_FLAG_DMA
    return zes_sched_properties_t(found.onSubdevice, found.subdeviceId, True, engines, _MODES)


@api(SysmanChapter.SCHEDULER, seed="zetSysmanSchedulerGetCurrentMode")
def zesSchedulerGetCurrentMode(hScheduler: SchedulerComponent) -> zes_sched_mode_t:
    """Returns the mode."""
    found = live(hScheduler, SchedulerComponent)
    return zes_sched_mode_t(int(found.number("mode", zes_sched_mode_t.ZES_SCHED_MODE_TIMESLICE)))


@api(SysmanChapter.SCHEDULER, seed="zetSysmanSchedulerGetTimeoutModeProperties")
def zesSchedulerGetTimeoutModeProperties(
    hScheduler: SchedulerComponent, getDefaults: bool
) -> zes_sched_timeout_properties_t:
    """Returns the times of the time-out mode in microseconds, in use or by default."""
    found = live(hScheduler, SchedulerComponent)
    return (
        _TIMEOUT
        if getDefaults
        else zes_sched_timeout_properties_t(int(found.number("watchdogTimeout", _TIMEOUT.watchdogTimeout)))
    )


@api(SysmanChapter.SCHEDULER, seed="zetSysmanSchedulerGetTimesliceModeProperties")
def zesSchedulerGetTimesliceModeProperties(
    hScheduler: SchedulerComponent, getDefaults: bool
) -> zes_sched_timeslice_properties_t:
    """Returns the times of the time-slice mode in microseconds, in use or by default."""
    found = live(hScheduler, SchedulerComponent)
    return (
        _TIMESLICE
        if getDefaults
        else zes_sched_timeslice_properties_t(
            int(found.number("interval", _TIMESLICE.interval)),
            int(found.number("yieldTimeout", _TIMESLICE.yieldTimeout)),
        )
    )


@api(SysmanChapter.SCHEDULER, SETS, pointers="pProperties", seed="zetSysmanSchedulerSetTimeoutMode")
def zesSchedulerSetTimeoutMode(hScheduler: SchedulerComponent, pProperties: zes_sched_timeout_properties_t) -> bool:
    """Sets the time-out mode, and returns whether the driver must be loaded anew: no."""
    found = live(hScheduler, SchedulerComponent)
    required(pProperties, "pProperties")
    timeout = unsigned(pProperties.watchdogTimeout, "watchdogTimeout", 64)
    found.set(mode=zes_sched_mode_t.ZES_SCHED_MODE_TIMEOUT.value, watchdogTimeout=timeout)
    return False


@api(SysmanChapter.SCHEDULER, SETS, pointers="pProperties", seed="zetSysmanSchedulerSetTimesliceMode")
def zesSchedulerSetTimesliceMode(hScheduler: SchedulerComponent, pProperties: zes_sched_timeslice_properties_t) -> bool:
    """Sets the time-slice mode, and returns whether the driver must be loaded anew: no."""
    found = live(hScheduler, SchedulerComponent)
    required(pProperties, "pProperties")
    interval = unsigned(pProperties.interval, "interval", 64)
    timeout = unsigned(pProperties.yieldTimeout, "yieldTimeout", 64)
    found.set(mode=zes_sched_mode_t.ZES_SCHED_MODE_TIMESLICE.value, interval=interval, yieldTimeout=timeout)
    return False


@api(SysmanChapter.SCHEDULER, SETS, seed="zetSysmanSchedulerSetExclusiveMode")
def zesSchedulerSetExclusiveMode(hScheduler: SchedulerComponent) -> bool:
    """Sets the exclusive mode, and returns whether the driver must be loaded anew: no."""
    live(hScheduler, SchedulerComponent).set(mode=zes_sched_mode_t.ZES_SCHED_MODE_EXCLUSIVE.value)
    return False


@api(SysmanChapter.SCHEDULER, SETS, seed="zetSysmanSchedulerSetComputeUnitDebugMode")
def zesSchedulerSetComputeUnitDebugMode(hScheduler: SchedulerComponent) -> bool:
    """Sets the mode in which one process is debugged; returns whether the driver must be loaded anew: no."""
    live(hScheduler, SchedulerComponent).set(mode=zes_sched_mode_t.ZES_SCHED_MODE_COMPUTE_UNIT_DEBUG.value)
    return False
