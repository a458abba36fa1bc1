"""Events, resets and errors."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest

from runtime import ze, zes, zet
from runtime.card import DeviceWork
from runtime.ze import layers
from runtime.ze.layers import installation
from runtime.ze.layers.validation import ValidationCheck
from tests.unit.runtime.ze import kernels
from tests.unit.runtime.ze.conftest import SYNCHRONOUS
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.zes.world import World

WORK = DeviceWork(is_copy=False, kernels=1, core_cycles=1.6e6, joules=0.15)
HOT = DeviceWork(is_copy=False, core_cycles=1.6e9, joules=200.0)
ALL = (1 << 16) - 1


def listen(world: World, milliseconds: int = 0) -> zes.zes_event_type_flags_t:
    return zes.zesDriverEventListen(world.driver, milliseconds, [world.card])[1][0]


class TestEvents:
    def test_nothing_happens(self, world: World) -> None:
        zes.zesDeviceEventRegister(world.card, ALL)
        begin = time.monotonic()
        assert zes.zesDriverEventListen(world.driver, 20, [world.card, world.arc]) == (0, [0, 0])
        assert time.monotonic() - begin >= 0.02
        assert zes.zesDriverEventListenEx(world.driver, 0, []) == (0, [])

    def test_energy(self, world: World) -> None:
        """The threshold counts from when it was set, and is gone when it was crossed."""
        domain = zes.zesDeviceGetCardPowerDomain(world.card)
        world.card.meter.count(WORK)
        zes.zesPowerSetEnergyThreshold(domain, 0.3)
        zes.zesDeviceEventRegister(world.card, zes.ZES_EVENT_TYPE_FLAG_ENERGY_THRESHOLD_CROSSED)
        world.card.meter.count(WORK)
        assert listen(world) == 0
        assert zes.zesPowerGetEnergyThreshold(domain).enable
        world.card.meter.count(WORK)
        assert listen(world) == zes.ZES_EVENT_TYPE_FLAG_ENERGY_THRESHOLD_CROSSED
        assert listen(world) == 0
        assert not zes.zesPowerGetEnergyThreshold(domain).enable

    def test_only_what_is_registered(self, world: World) -> None:
        zes.zesPowerSetLimitsExt2(zes.zesDeviceGetCardPowerDomain(world.card), 300_000)
        zes.zesDeviceEventRegister(world.card, zes.ZES_EVENT_TYPE_FLAG_TEMP_CRITICAL)
        world.card.meter.count(WORK)
        assert listen(world) == 0
        zes.zesDeviceEventRegister(world.card, zes.ZES_EVENT_TYPE_FLAG_FREQ_THROTTLED)
        assert listen(world) == 0, "what was before does not count"
        world.card.meter.count(WORK)
        assert zes.zesDriverEventListenEx(world.driver, 1000, [world.arc, world.card]) == (
            1,
            [0, zes.ZES_EVENT_TYPE_FLAG_FREQ_THROTTLED],
        )

    def test_a_thread_waits_for_an_event(self, world: World) -> None:
        zes.zesDeviceEventRegister(world.card, zes.ZES_EVENT_TYPE_FLAG_DEVICE_ATTACH)
        found: list[object] = []
        forever = (1 << 32) - 1
        thread = threading.Thread(target=lambda: found.append(listen(world, forever)))
        thread.start()
        zes.zesDeviceReset(world.card, True)
        thread.join(10)
        assert found == [zes.ZES_EVENT_TYPE_FLAG_DEVICE_ATTACH]

    def test_temperatures(self, world: World) -> None:
        sensor = zes.zesDeviceEnumTemperatureSensors(world.card)[1]
        low = zes.zesTemperatureGetState(sensor) + 3
        config = zes.zes_temp_config_t(
            threshold1=zes.zes_temp_threshold_t(True, False, low), threshold2=zes.zes_temp_threshold_t(True, False, 104)
        )
        zes.zesTemperatureSetConfig(sensor, config)
        assert zes.zesTemperatureGetConfig(sensor) == config
        zes.zesDeviceEventRegister(world.card, ALL)
        assert listen(world) == 0
        world.card.meter.count(HOT)
        assert listen(world) == zes.ZES_EVENT_TYPE_FLAG_TEMP_THRESHOLD1
        for wrong in (zes.zes_temp_threshold_t(True, True, 50), zes.zes_temp_threshold_t(True, False, 106)):
            with fails("INVALID_ARGUMENT"):
                zes.zesTemperatureSetConfig(sensor, zes.zes_temp_config_t(threshold1=wrong))

    def test_a_device_of_another_driver(self, world: World) -> None:
        zes.zesInit()
        with fails("INVALID_ARGUMENT", "another driver"):
            zes.zesDriverEventListen(zes.zesDriverGet()[0], 0, [world.card])


class TestErrors:
    def fault(self, world: World) -> None:
        """A kernel that faults, which costs the process its device."""
        context = ze.zeContextCreate(world.driver, ze.ze_context_desc_t())
        data = kernels.binary(kernels.EMPTY)
        module = ze.zeModuleCreate(context, world.card, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, data))[0]
        kernel = ze.zeKernelCreate(module, ze.ze_kernel_desc_t("empty"))

        def faulty(*_: object) -> None:
            raise kernels.fault("empty")

        world.card.simulator.behaviours["empty"] = faulty
        commands = ze.zeCommandListCreateImmediate(context, world.card, SYNCHRONOUS)
        with fails("DEVICE_LOST"):
            ze.zeCommandListAppendLaunchKernel(commands, kernel, ze.ze_group_count_t(1))

    def test_faults_are_counted_and_need_a_reset(self, world: World) -> None:
        correctable, uncorrectable = zes.zesDeviceEnumRasErrorSets(world.card)[:2]
        assert zes.zesRasGetProperties(uncorrectable).type == zes.ZES_RAS_ERROR_TYPE_UNCORRECTABLE
        zes.zesRasSetConfig(uncorrectable, zes.zes_ras_config_t(0, zes.zes_ras_state_t((0, 1, 0, 0, 0, 0, 0))))
        assert zes.zesRasGetConfig(uncorrectable).detailedThresholds.category[1] == 1
        zes.zesDeviceEventRegister(world.card, ALL)
        self.fault(world)
        assert zes.zesDeviceGetState(world.card).reset == zes.ZES_RESET_REASON_FLAG_WEDGED
        assert listen(world) == zes.ZES_EVENT_TYPE_FLAG_DEVICE_RESET_REQUIRED
        assert ze.zeDeviceGetStatus(world.card) == ze.ZE_RESULT_ERROR_DEVICE_LOST
        zes.zesDeviceResetExt(world.card, zes.zes_reset_properties_t(True, zes.ZES_RESET_TYPE_WARM))
        assert ze.zeDeviceGetStatus(world.card) == ze.ZE_RESULT_SUCCESS
        assert zes.zesDeviceGetState(world.card).reset == 0
        assert zes.zesRasGetState(uncorrectable, False).category == (1, 1, 0, 0, 0, 0, 0)
        self.fault(world)
        assert zes.ZES_EVENT_TYPE_FLAG_RAS_UNCORRECTABLE_ERRORS in listen(world)
        counts = {each.category: each.errorCounter for each in zes.zesRasGetStateExp(uncorrectable)}
        assert counts[zes.ZES_RAS_ERROR_CATEGORY_EXP_PROGRAMMING_ERRORS] == 2
        assert sum(each.errorCounter for each in zes.zesRasGetStateExp(correctable)) == 0
        zes.zesRasClearStateExp(uncorrectable, zes.ZES_RAS_ERROR_CATEGORY_EXP_PROGRAMMING_ERRORS)
        categories = zes.zesRasGetSupportedCategoriesExp(uncorrectable)
        states = zes.zesRasGetStateExp2(uncorrectable, categories)
        assert [state.errorCounter for state in states] == [1, 0, 0, 0, 0, 0, 0]
        assert zes.zesRasGetState(uncorrectable, True).category[0] == 1
        assert sum(zes.zesRasGetState(uncorrectable, False).category) == 0
        with fails("INVALID_ARGUMENT", "not counted"):
            zes.zesRasClearStateExp(uncorrectable, zes.ZES_RAS_ERROR_CATEGORY_EXP_L3FABRIC_ERRORS)

    def test_thresholds_by_category(self, world: World) -> None:
        errors = zes.zesDeviceEnumRasErrorSets(world.card)[1]
        zes.zesRasSetConfigExp(errors, [zes.zes_ras_config_exp_t(3, 9)])
        zes.zesRasSetConfigExp(errors, [zes.zes_ras_config_exp_t(4, 8)])
        assert [each.threshold for each in zes.zesRasGetConfigExp(errors)] == [0, 0, 0, 9, 8, 0, 0]

    @pytest.mark.sampled(every=4)
    def test_a_reset_costs_other_processes_their_device(self, world: World) -> None:
        """Their next launch fails, and the process goes on."""
        code = (
            "from runtime import Device\nfrom tests.unit.runtime.zes.test_events import EMPTY\n"
            "d = Device('pvc')\nk = d.compile(EMPTY)['empty']\nk[1]()\nprint(flush=True)\ninput()\n"
            "try:\n k[1]()\nexcept Exception as error:\n print(error)\n"
        )
        with subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as other:
            assert other.stdout is not None
            other.stdout.readline()
            zes.zesDeviceReset(world.card, True)
            assert "the card was reset" in other.communicate("\n")[0]


EMPTY = """
gpu.module @kernels {
  gpu.func @empty() kernel attributes {VectorComputeFunctionINTEL} {
    gpu.return
  }
}
"""


class TestSeed:
    """Tests of functions that have another form in specification 0.91."""

    def test_a_device_has_one_scheduler(self, world: World) -> None:
        sysman = zet.zetSysmanGet(world.card, zet.zet_sysman_version_t.ZET_SYSMAN_VERSION_CURRENT)
        assert len(zet.zetSysmanSchedulerGetSupportedModes(sysman)) == 4
        zet.zetSysmanSchedulerSetTimeoutMode(sysman, zet.zet_sched_timeout_properties_t(77))
        assert zet.zetSysmanSchedulerGetCurrentMode(sysman) == zet.zet_sched_mode_t.ZET_SCHED_MODE_TIMEOUT
        found = [zes.zesSchedulerGetTimeoutModeProperties(each, False) for each in zes.zesDeviceEnumSchedulers(sysman)]
        assert [each.watchdogTimeout for each in found] == [77, 77]
        with fails("INVALID_ARGUMENT", "sub-device"):
            zet.zetSysmanGet(world.card.tiles[0], 0x5B)

    def test_profiles_are_factors(self, world: World) -> None:
        profiles = zet.zetSysmanPerformanceProfileGetSupported(world.card)
        for profile in profiles:
            zet.zetSysmanPerformanceProfileSet(world.card, profile)
            assert zet.zetSysmanPerformanceProfileGet(world.card) == profile
        assert zes.zesPerformanceFactorGetConfig(zes.zesDeviceEnumPerformanceFactorDomains(world.card)[1]) == 0

    def test_forms_of_structures(self, world: World) -> None:
        world.hold(4096)
        memory = zet.zetSysmanMemoryGet(world.card)[0]
        assert zet.zetSysmanMemoryGetState(memory).allocatedSize == 4096
        assert zet.zetSysmanPciGetState(world.card).status == zet.zet_pci_link_status_t.ZET_PCI_LINK_STATUS_GREEN
        gpu = zet.zetSysmanFrequencyGet(world.card)[0]
        assert zet.zetSysmanFrequencyGetProperties(gpu).step == 50
        assert len(zet.zetSysmanEngineGet(world.card)) == 6
        errors = zet.zetSysmanRasGet(world.card)[1]
        zes.zesDeviceReset(world.card, True)
        total, details = zet.zetSysmanRasGetState(errors, False)
        assert (total, details.numResets) == (1, 1)
        assert zet.zetSysmanDeviceGetRepairStatus(world.card) == zet.zet_repair_status_t.ZET_REPAIR_STATUS_UNSUPPORTED
        assert not zet.zetSysmanDeviceWasRepaired(world.card)
        firmware = zet.zetSysmanFirmwareGet(world.card)[0]
        assert zet.zetSysmanFirmwareGetChecksum(firmware) == 0
        zet.zetSysmanFirmwareFlash(firmware, b"$FPT", 4)
        assert (
            f"{zet.zetSysmanFirmwareGetChecksum(firmware):08x}" in zet.zetSysmanFirmwareGetProperties(firmware).version
        )

    def test_events_stay_until_they_are_cleared(self, world: World) -> None:
        events, kinds = zet.zetSysmanEventGet(world.card), zet.zet_sysman_event_type_t
        wanted = kinds.ZET_SYSMAN_EVENT_TYPE_DEVICE_RESET | kinds.ZET_SYSMAN_EVENT_TYPE_PCI_LINK_HEALTH
        zet.zetSysmanEventSetConfig(events, zet.zet_event_config_t(wanted))
        assert zet.zetSysmanEventGetConfig(events).registered == wanted
        assert zet.zetSysmanEventListen(world.driver, 0, [events]) == 0
        zes.zesDeviceReset(world.card, True)
        zes.zesDevicePciLinkSpeedUpdateExt(world.card, True)
        for _ in range(2):
            assert zet.zetSysmanEventListen(world.driver, 1000, [events]) == wanted
        assert zet.zetSysmanEventGetState(events, False) == wanted
        assert zet.zetSysmanEventGetState(events, True) == wanted
        assert zet.zetSysmanEventListen(world.driver, 0, [events]) == 0


def test_tracers_and_validation_see_the_functions(world: World) -> None:
    seen: list[str] = []
    zet.zelEnableTracingLayer()
    try:
        tracer = zet.zelTracerCreate(zet.zel_tracer_desc_t("mine"))
        callback = zet.zelTracerZesDeviceGetPropertiesRegisterCallback
        callback(tracer, zet.ZEL_REGISTER_EPILOGUE, lambda params, result, *_: seen.append(result.name))
        table = zet.zet_core_callbacks_t()
        table.ZetSysman.pfnPowerGetCb = lambda *_: seen.append("power")
        zet.zelTracerSetEnabled(tracer, True)
        zes.zesDeviceGetProperties(world.card)
        with pytest.raises(ze.ZeError):
            zes.zesDeviceGetProperties(None)
        zet.zelTracerSetEnabled(tracer, False)
        zet.zelTracerSetPrologues(tracer, table)
        zet.zelTracerSetEnabled(tracer, True)
        zet.zetSysmanPowerGet(world.card)
        zet.zelTracerSetEnabled(tracer, False)
        zet.zelTracerDestroy(tracer)
    finally:
        zet.zelDisableTracingLayer()
    assert seen == ["ZE_RESULT_SUCCESS", "ZE_RESULT_ERROR_INVALID_NULL_HANDLE", "power"]
    before = installation._asked
    layers.install(layers.Layers(checks=frozenset({ValidationCheck.PARAMETERS})))
    try:
        with fails("INVALID_ENUMERATION", "zesDeviceResetExt, pProperties.resetType", "test_events.py"):
            zes.zesDeviceResetExt(world.card, zes.zes_reset_properties_t(True, 7))
    finally:
        layers.install(before)
