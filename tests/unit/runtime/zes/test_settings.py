"""Settings: they are those of the card for all, and what work does follows them."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import threading

import pytest

from runtime import ze, zes, zet
from runtime.card import DeviceWork
from runtime.ze.driver import prepare_launch
from tests.unit.runtime.ze import kernels
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.zes.world import IMAGE, World

WORK = DeviceWork(is_copy=False, kernels=1, core_cycles=1.6e6, joules=0.15)


class TestFrequency:
    def test_the_range_is_set_in_steps(self, world: World) -> None:
        gpu, memory = zes.zesDeviceEnumFrequencyDomains(world.card)[:2]
        clocks = zes.zesFrequencyGetAvailableClocks(gpu)
        properties = zes.zesFrequencyGetProperties(gpu)
        assert (clocks[0], clocks[-1]) == (properties.min, properties.max) == (600, 1600)
        assert clocks == sorted(set(clocks))
        zes.zesFrequencySetRange(gpu, zes.zes_freq_range_t(625, 1049))
        assert zes.zesFrequencyGetRange(gpu) == zes.zes_freq_range_t(600, 1000)
        assert zes.zesFrequencyGetState(gpu).actual == 1000
        for least, most in ((1000, 900), (500, 800), (600, 1700), (float("nan"), 3)):
            with fails("INVALID_ARGUMENT", "range"):
                zes.zesFrequencySetRange(gpu, zes.zes_freq_range_t(least, most))
        zes.zesFrequencySetRange(gpu, zes.zes_freq_range_t())
        assert zes.zesFrequencyGetRange(gpu) == zes.zes_freq_range_t(600, 1600)
        assert zes.zesFrequencyGetAvailableClocks(memory) == [1600]
        assert not zes.zesFrequencyGetProperties(memory).canControl

    def test_work_takes_longer_at_a_lower_clock(self, world: World) -> None:
        gpu = zes.zesDeviceEnumFrequencyDomains(world.card)[0]
        fast = world.card.meter.count(WORK)
        zes.zesFrequencySetRange(gpu, zes.zes_freq_range_t(600, 800))
        slow = world.card.meter.count(WORK)
        assert slow.seconds == pytest.approx(2 * fast.seconds)
        state = zes.zesFrequencyGetState(gpu)
        assert state.throttleReasons == zes.ZES_FREQ_THROTTLE_REASON_FLAG_SW_RANGE
        assert state.currentVoltage < 1
        assert zes.zesFrequencyGetThrottleTime(gpu).throttleTime == 0

    def test_profiles_follow_the_clock(self, world: World) -> None:
        """The estimate of a launch, which has no use of the memory, doubles at half the clock."""
        context = ze.zeContextCreate(world.driver, ze.ze_context_desc_t())
        data = kernels.binary(kernels.EMPTY)
        module = ze.zeModuleCreate(context, world.card, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, data))[0]
        kernel = ze.zeKernelCreate(module, ze.ze_kernel_desc_t("empty"))
        commands = ze.zeCommandListCreate(context, world.card, ze.ze_command_list_desc_t())
        launch = prepare_launch(commands, kernel, kernel.arguments, (1, 1, 1), (64, 1, 1), counts=True)
        launch()
        assert launch.profile is not None
        fast = launch.profile.seconds
        gpu = zes.zesDeviceEnumFrequencyDomains(world.card)[0]
        zes.zesFrequencySetRange(gpu, zes.zes_freq_range_t(600, 800))
        nanoseconds = launch()
        assert launch.profile.seconds == pytest.approx(2 * fast, rel=1e-2)
        assert nanoseconds == round(launch.profile.seconds * 1e9)

    def test_nothing_can_be_overclocked(self, world: World) -> None:
        gpu = zes.zesDeviceEnumFrequencyDomains(world.card)[0]
        found = zes.zesFrequencyOcGetCapabilities(gpu)
        assert (found.isOcSupported, found.maxFactoryDefaultFrequency) == (False, 1600)
        assert zes.zesDeviceGetOverclockDomains(world.card) == 0
        assert zes.zesDeviceEnumOverclockDomains(world.card) == []
        with fails("UNSUPPORTED_FEATURE"):
            zes.zesFrequencyOcSetTjMax(gpu, 90.0)


class TestPower:
    def test_limits_throttle_work(self, world: World) -> None:
        card, first, _ = zes.zesDeviceEnumPowerDomains(world.card)
        assert zes.zesDeviceGetCardPowerDomain(world.card) is card
        limits = zes.zesPowerGetLimits(first)
        assert [limit.power for limit in limits[:2]] == [300_000, 360_000]
        assert limits[2].powerAC == 450_000
        assert world.card.meter.count(WORK).clock_mhz == 1600
        zes.zesPowerSetLimits(card, zes.zes_power_sustained_limit_t(True, 300_000, 5))
        done = world.card.meter.count(WORK)
        assert done.clock_mhz < 1600
        assert done.joules / done.seconds <= 150
        gpu = zes.zesDeviceEnumFrequencyDomains(world.card)[0]
        assert zes.zesFrequencyGetThrottleTime(gpu).throttleTime == int(done.seconds * 1e6)
        assert zes.ZES_FREQ_THROTTLE_REASON_FLAG_AVE_PWR_CAP in zes.zesFrequencyGetState(gpu).throttleReasons
        with fails("INVALID_ARGUMENT", "expected 200000 to 600000"):
            zes.zesPowerSetLimits(card, zes.zes_power_sustained_limit_t(True, 1000))
        assert zes.zesPowerGetLimits(card)[0] == zes.zes_power_sustained_limit_t(True, 300_000, 5)

    def test_limits_by_level(self, world: World) -> None:
        domain = zes.zesDeviceGetCardPowerDomain(world.card)
        before = zes.zesPowerGetLimitsExt(domain)
        assert [limit.limit for limit in before] == [600_000, 720_000, 900_000]
        wanted = [dataclasses.replace(limit, limit=500_000) for limit in before]
        zes.zesPowerSetLimitsExt(domain, wanted)
        assert [limit.limit for limit in zes.zesPowerGetLimitsExt(domain)] == [500_000] * 3
        with fails("INVALID_ARGUMENT"):
            zes.zesPowerSetLimitsExt(domain, [dataclasses.replace(before[0], limit=1), wanted[1]])
        assert zes.zesPowerGetLimitsExt2(domain) == 500_000
        zes.zesPowerSetLimitsExt2(domain, 550_000)
        assert zes.zesPowerGetLimitsExt2(domain) == zes.zesPowerGetLimits(domain)[0].power == 550_000
        extended = zes.zesPowerGetProperties(domain, (zes.zes_power_ext_properties_t,)).pNext[0]
        assert extended.domain == zes.ZES_POWER_DOMAIN_CARD
        assert extended.defaultLimit.limit == 600_000


class TestSchedulers:
    def test_modes(self, world: World) -> None:
        scheduler, other = zes.zesDeviceEnumSchedulers(world.card)
        properties = zes.zesSchedulerGetProperties(scheduler)
        assert (properties.supportedModes, properties.onSubdevice, properties.subdeviceId) == (15, True, 0)
        assert zes.zesSchedulerGetCurrentMode(scheduler) == zes.ZES_SCHED_MODE_TIMESLICE
        zes.zesSchedulerSetTimeoutMode(scheduler, zes.zes_sched_timeout_properties_t(123))
        assert zes.zesSchedulerGetCurrentMode(scheduler) == zes.ZES_SCHED_MODE_TIMEOUT
        assert zes.zesSchedulerGetTimeoutModeProperties(scheduler, False).watchdogTimeout == 123
        assert zes.zesSchedulerGetTimeoutModeProperties(scheduler, True).watchdogTimeout == 640_000
        zes.zesSchedulerSetTimesliceMode(scheduler, zes.zes_sched_timeslice_properties_t(7, 8))
        assert zes.zesSchedulerGetTimesliceModeProperties(scheduler, False) == zes.zes_sched_timeslice_properties_t(
            7, 8
        )
        assert zes.zesSchedulerSetExclusiveMode(scheduler) is False
        assert zes.zesSchedulerGetCurrentMode(scheduler) == zes.ZES_SCHED_MODE_EXCLUSIVE
        zes.zesSchedulerSetComputeUnitDebugMode(scheduler)
        assert zes.zesSchedulerGetCurrentMode(scheduler) == zes.ZES_SCHED_MODE_COMPUTE_UNIT_DEBUG
        assert zes.zesSchedulerGetCurrentMode(other) == zes.ZES_SCHED_MODE_TIMESLICE

    def test_factors_and_standby(self, world: World) -> None:
        factor, standby = (
            zes.zesDeviceEnumPerformanceFactorDomains(world.card)[1],
            zes.zesDeviceEnumStandbyDomains(world.card)[1],
        )
        assert zes.zesPerformanceFactorGetProperties(factor).subdeviceId == 1
        assert zes.zesStandbyGetProperties(standby).subdeviceId == 1
        assert (zes.zesPerformanceFactorGetConfig(factor), zes.zesStandbyGetMode(standby)) == (50, 0)
        zes.zesPerformanceFactorSetConfig(factor, 12.5)
        zes.zesStandbySetMode(standby, zes.ZES_STANDBY_PROMO_MODE_NEVER)
        assert (zes.zesPerformanceFactorGetConfig(factor), zes.zesStandbyGetMode(standby)) == (12.5, 1)
        with fails("INVALID_ARGUMENT", "0 to 100"):
            zes.zesPerformanceFactorSetConfig(factor, 100.5)


class TestParts:
    def test_firmware(self, world: World) -> None:
        gpu, rom = zes.zesDeviceEnumFirmwares(world.card)
        assert [zes.zesFirmwareGetProperties(each).name for each in (gpu, rom)] == ["GFX", "OptionROM"]
        assert (zes.zesFirmwareGetFlashProgress(gpu), zes.zesFirmwareGetConsoleLogs(gpu)) == (0, "")
        zes.zesFirmwareFlash(gpu, IMAGE, len(IMAGE))
        assert zes.zesFirmwareGetFlashProgress(gpu) == 100
        version = zes.zesFirmwareGetProperties(gpu).version
        assert version.removeprefix("simulated-") in zes.zesFirmwareGetConsoleLogs(gpu)
        assert zes.zesFirmwareGetProperties(rom).version == "simulated-1.0"
        with fails("INVALID_ARGUMENT", "FPT"):
            zes.zesFirmwareFlash(gpu, b"rubbish", 7)
        with fails("UNSUPPORTED_FEATURE", "security"):
            zes.zesFirmwareGetSecurityVersionExp(gpu)

    def test_error_correction_is_switched_by_a_reset(self, world: World) -> None:
        assert zes.zesDeviceEccAvailable(world.card) and zes.zesDeviceEccConfigurable(world.card)
        assert not zes.zesDeviceEccAvailable(world.arc)
        on, off = zes.ZES_DEVICE_ECC_STATE_ENABLED, zes.ZES_DEVICE_ECC_STATE_DISABLED
        found = zes.zesDeviceSetEccState(world.card, zes.zes_device_ecc_desc_t(state=off))
        assert (found.currentState, found.pendingState) == (on, off)
        assert found.pendingAction == zes.ZES_DEVICE_ACTION_WARM_CARD_RESET
        zes.zesDeviceReset(world.card, True)
        found = zes.zesDeviceGetEccState(world.card)
        assert (found.currentState, found.pendingState) == (off, off)
        assert found.pendingAction == zes.ZES_DEVICE_ACTION_NONE

    def test_speed_of_the_link(self, world: World) -> None:
        full = zes.zesDevicePciGetState(world.card).speed
        assert zes.zesDevicePciGetProperties(world.card).maxSpeed == full
        zes.zesDevicePciLinkSpeedUpdateExt(world.card, True)
        state = zes.zesDevicePciGetState(world.card, (zes.zes_pci_link_speed_downgrade_ext_state_t,))
        assert (state.speed.gen, state.status) == (4, zes.ZES_PCI_LINK_STATUS_QUALITY_ISSUES)
        assert state.pNext[0].pciLinkSpeedDowngradeStatus
        zes.zesDevicePciLinkSpeedUpdateExt(world.card, False)
        assert zes.zesDevicePciGetState(world.card).speed == full

    def test_diagnostics_run(self, world: World) -> None:
        (suite,) = zes.zesDeviceEnumDiagnosticTestSuites(world.card)
        assert zes.zesDiagnosticsGetProperties(suite).haveTests
        tests = zes.zesDiagnosticsGetTests(suite)
        assert [test.index for test in tests] == list(range(len(tests)))
        last = zes.spec.ZES_DIAG_LAST_TEST_INDEX
        assert zes.zesDiagnosticsRunTests(suite, 0, last) == zes.ZES_DIAG_RESULT_NO_ERRORS
        with fails("INVALID_ARGUMENT", "there are 0 to 1"):
            zes.zesDiagnosticsRunTests(suite, 1, 2)
        world.card.machine.memory._limit = 0
        assert zes.zesDiagnosticsRunTests(suite, 0, last) == zes.ZES_DIAG_RESULT_ABORT

    def test_what_a_pvc_has_none_of(self, world: World) -> None:
        assert zes.zesDeviceEnumFans(world.card) == zes.zesDeviceEnumLeds(world.card) == []
        assert zes.zesDeviceEnumPsus(world.card) == []
        assert zes.zesDeviceEnumActiveVFExp(world.card) == zes.zesDeviceEnumEnabledVFExp(world.card) == []


def test_a_user_without_rights_reads_but_does_not_set(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu, firmware = zes.zesDeviceEnumFrequencyDomains(world.card)[0], zes.zesDeviceEnumFirmwares(world.card)[0]
    monkeypatch.delenv("XEGPU_SYSMAN_RIGHTS")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with fails("INSUFFICIENT_PERMISSIONS", "user 1000"):
        zes.zesFrequencySetRange(gpu, zes.zes_freq_range_t(600, 800))
    assert zes.zesFrequencyGetRange(gpu).max == 1600
    for read in (
        lambda: zes.zesDeviceEnumFirmwares(world.card),
        lambda: zes.zesFirmwareGetProperties(firmware),
        lambda: zet.zetSysmanFirmwareGetChecksum(firmware),
        lambda: zes.zesPowerGetEnergyThreshold(zes.zesDeviceEnumPowerDomains(world.card)[0]),
        lambda: zes.zesTemperatureGetConfig(zes.zesDeviceEnumTemperatureSensors(world.card)[0]),
    ):
        with fails("INSUFFICIENT_PERMISSIONS", "user 1000"):
            read()
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    zes.zesFrequencySetRange(gpu, zes.zes_freq_range_t(600, 800))
    assert zes.zesFrequencyGetRange(gpu).max == 800


def test_a_thousand_pairs_from_eight_threads(world: World) -> None:
    """Each thread sets one of two factors and reads it at once, and none is lost."""
    lanes = [(domain, threading.Lock()) for domain in zes.zesDeviceEnumPerformanceFactorDomains(world.card)]

    def work(number: int) -> None:
        domain, lock = lanes[number % 2]
        for turn in range(125):
            with lock:
                zes.zesPerformanceFactorSetConfig(domain, (number + turn) % 101)
                assert zes.zesPerformanceFactorGetConfig(domain) == (number + turn) % 101

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    before = zes.system.access.board(world.card).settings.version
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert zes.system.access.board(world.card).settings.version == before + 1000


def test_another_process_sees_settings_and_sets_them(world: World) -> None:
    gpu = zes.zesDeviceEnumFrequencyDomains(world.card)[0]
    zes.zesFrequencySetRange(gpu, zes.zes_freq_range_t(700, 900))
    code = (
        "from runtime import zes\nzes.zesInit()\ncard = zes.zesDeviceGet(zes.zesDriverGet()[0])[0]\n"
        "gpu = zes.zesDeviceEnumFrequencyDomains(card)[0]\nprint(zes.zesFrequencyGetRange(gpu).max)\n"
        "zes.zesFrequencySetRange(gpu, zes.zes_freq_range_t(700, 1100))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"900.0\n"
    assert zes.zesFrequencyGetRange(gpu).max == 1100


def test_a_threshold_belongs_to_the_process_that_has_set_it(world: World) -> None:
    domain = zes.zesDeviceGetCardPowerDomain(world.card)
    code = (
        "import sys\nfrom runtime import zes\nzes.zesInit()\ncard = zes.zesDeviceGet(zes.zesDriverGet()[0])[0]\n"
        "zes.zesPowerSetEnergyThreshold(zes.zesDeviceGetCardPowerDomain(card), 5.0)\nprint(flush=True)\ninput()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert zes.zesPowerGetEnergyThreshold(domain) == zes.zes_energy_threshold_t(True, 5.0, other.pid)
        with fails("NOT_AVAILABLE", str(other.pid)):
            zes.zesPowerSetEnergyThreshold(domain, 1.0)
        other.kill()
    zes.zesPowerSetEnergyThreshold(domain, 1.0)
    assert zes.zesPowerGetEnergyThreshold(domain).processId == os.getpid()
    zes.zesPowerSetEnergyThreshold(domain, 0)
    assert not zes.zesPowerGetEnergyThreshold(domain).enable


def test_enumerations_give_the_same_handles(world: World) -> None:
    for kind in ("PowerDomains", "FrequencyDomains", "EngineGroups", "MemoryModules", "TemperatureSensors"):
        enumerate_ = getattr(zes, f"zesDeviceEnum{kind}")
        found = enumerate_(world.card)
        assert found and enumerate_(world.card) == found
        assert enumerate_(world.card.tiles[0]) == found, "a tile stands for its card"
        found.clear()
        assert enumerate_(world.card)
    with fails("INVALID_NULL_HANDLE"):
        zes.zesDeviceEnumFans(None)
    assert ze.zeDeviceGet(world.driver)[0] is world.card


class TestFans:
    def test_only_a_card_that_cools_itself_has_one(self, world: World) -> None:
        (fan,) = zes.zesDeviceEnumFans(world.arc)
        assert zes.zesDeviceEnumFans(world.card) == []
        found = zes.zesFanGetProperties(fan)
        assert (found.canControl, found.supportedModes, found.supportedUnits) == (True, 7, 3)
        assert zes.zesFanGetState(fan, zes.ZES_FAN_SPEED_UNITS_PERCENT) == 30
        assert zes.zesFanGetState(fan, zes.ZES_FAN_SPEED_UNITS_RPM) == found.maxRPM * 0.3

    def test_the_card_turns_it_faster_when_it_is_hot(self, world: World) -> None:
        (fan,) = zes.zesDeviceEnumFans(world.arc)
        power = world.arc.target.power
        world.arc.meter.count(dataclasses.replace(WORK, joules=10 * power.heat_joules))
        hot = zes.zesTemperatureGetState(zes.zesDeviceEnumTemperatureSensors(world.arc)[0])
        share = (hot - power.idle_celsius) / (power.critical_celsius - power.idle_celsius)
        assert zes.zesFanGetState(fan, zes.ZES_FAN_SPEED_UNITS_PERCENT) == pytest.approx(30 + 70 * share, abs=1)

    def test_a_fixed_speed(self, world: World) -> None:
        (fan,) = zes.zesDeviceEnumFans(world.arc)
        assert zes.zesFanGetConfig(fan).speedFixed.speed == -1
        zes.zesFanSetFixedSpeedMode(fan, zes.zes_fan_speed_t(50, zes.ZES_FAN_SPEED_UNITS_PERCENT))
        assert zes.zesFanGetState(fan, zes.ZES_FAN_SPEED_UNITS_RPM) == zes.zesFanGetProperties(fan).maxRPM / 2
        with fails("INVALID_ARGUMENT", "101 percent"):
            zes.zesFanSetFixedSpeedMode(fan, zes.zes_fan_speed_t(101, zes.ZES_FAN_SPEED_UNITS_PERCENT))
        assert zet.zetSysmanFanGetConfig(fan) == zet.zet_fan_config_t(zet.ZET_FAN_SPEED_MODE_FIXED, 50, 1)
        zes.zesFanSetDefaultMode(fan)
        assert zes.zesFanGetConfig(fan).mode is zes.ZES_FAN_SPEED_MODE_DEFAULT

    def test_a_table_of_temperatures(self, world: World) -> None:
        """An idle ARC has 38 degrees."""
        (fan,) = zes.zesDeviceEnumFans(world.arc)
        points = [zet.zet_fan_temp_speed_t(*point, 0) for point in ((0, 300), (38, 700), (39, 3000))]
        zet.zetSysmanFanSetConfig(fan, zet.zet_fan_config_t(zet.ZET_FAN_SPEED_MODE_TABLE, table=tuple(points)))
        assert zet.zetSysmanFanGetState(fan, zet.ZET_FAN_SPEED_UNITS_RPM) == 700
        assert [point.temperature for point in zes.zesFanGetConfig(fan).speedTable.table] == [0, 38, 39]
        for wrong in ((), points[::-1], points * 11):
            with fails("INVALID_ARGUMENT"):
                zet.zetSysmanFanSetConfig(fan, zet.zet_fan_config_t(zet.ZET_FAN_SPEED_MODE_TABLE, table=tuple(wrong)))


def test_fabric_ports_have_no_cables(world: World) -> None:
    """They are configured all the same, each for itself."""
    ports = zes.zesDeviceEnumFabricPorts(world.card)
    places = {dataclasses.astuple(zes.zesFabricPortGetProperties(port).portId) for port in ports}
    assert len(places) == len(ports) == 16
    assert zes.zesDeviceEnumFabricPorts(world.arc) == []
    one, other = ports[0], ports[8]
    assert zes.zesFabricPortGetState(one).status is zes.ZES_FABRIC_PORT_STATUS_FAILED
    assert zet.zetSysmanFabricPortGetState(one).stabilityIssues is zet.ZET_FABRIC_PORT_STAB_ISSUES_NO_CONNECT
    zes.zesFabricPortSetConfig(one, zes.zes_fabric_port_config_t(enabled=False, beaconing=True))
    assert zes.zesFabricPortGetConfig(one) == zes.zes_fabric_port_config_t(enabled=False, beaconing=True)
    assert zes.zesFabricPortGetConfig(other) == zes.zes_fabric_port_config_t(enabled=True, beaconing=False)
    assert zes.zesFabricPortGetState(one).status is zes.ZES_FABRIC_PORT_STATUS_DISABLED
    assert [each.rxCounter for each in zes.zesFabricPortGetMultiPortThroughput(world.card, ports)] == [0] * 16
