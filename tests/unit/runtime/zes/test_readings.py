"""Readings: they follow the work that is simulated, the memory that is allocated, and the processes that do both."""

from __future__ import annotations

import gc
import itertools
import os
import subprocess
import sys
import threading
import time
from dataclasses import astuple

import numpy as np
import pytest

from runtime import Device, ze, zes, zet
from runtime.card import DeviceWork, TileCount
from tests.unit.runtime.ze.conftest import SYNCHRONOUS
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.zes.world import World

WORK = DeviceWork(is_copy=False, kernels=1, core_cycles=1.6e6, joules=0.15, read=1000, written=24)
MEMORY, HOST = ze.ze_device_mem_alloc_desc_t(), ze.ze_host_mem_alloc_desc_t()


class TestDevices:
    def test_entry(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        """By `zesInit`, and by devices of the core API if the environment says so."""
        zes.zesInit()
        (driver,) = zes.zesDriverGet()
        card, arc = zes.zesDeviceGet(driver)
        assert zes.zesDeviceGetProperties(card).numSubdevices == 2
        assert zes.zesDeviceGetProperties(arc).numSubdevices == 0
        assert zes.zesDeviceGetProperties(world.card).modelName == zes.zesDeviceGetProperties(card).modelName
        monkeypatch.delenv("ZES_ENABLE_SYSMAN")
        assert zes.zesDeviceGetProperties(card).core.name == world.card.properties.name
        with fails("UNINITIALIZED", "ZES_ENABLE_SYSMAN"):
            zes.zesDeviceGetProperties(world.card)
        assert zet.zetSysmanGet(world.card, 0x5B) is world.card
        assert zes.zesDeviceGetProperties(world.card).vendorName

    def test_all_cards_whatever_the_mask(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ZE_AFFINITY_MASK", "0.1")
        monkeypatch.setenv("XEGPU_DEVICE", "pvc,pvc,arc")
        monkeypatch.setattr("runtime.zes.system.access._drivers", {})
        zes.zesInit()
        cards = zes.zesDeviceGet(zes.zesDriverGet()[0])
        assert [card.target.name for card in cards] == ["pvc", "pvc", "arc"]
        assert len({zes.zesDeviceGetProperties(card).serialNumber for card in cards}) == 3
        assert len({astuple(zes.zesDevicePciGetProperties(card).address) for card in cards}) == 3

    def test_uuids(self, world: World) -> None:
        tile = world.card.tiles[1]
        uuid = zes.zes_uuid_t(tile.properties.uuid)
        assert zes.zesDriverGetDeviceByUuidExp(world.driver, uuid) == (world.card, True, 1)
        assert [each.uuid for each in zes.zesDeviceGetSubDevicePropertiesExp(world.card)][1] == uuid
        extended = zes.zesDeviceGetProperties(world.card, (zes.zes_device_ext_properties_t,)).pNext[0]
        assert extended.uuid.id == world.card.properties.uuid
        with fails("INVALID_ARGUMENT", "UUID"):
            zes.zesDriverGetDeviceByUuidExp(world.driver, zes.zes_uuid_t(bytes(16)))

    def test_extensions(self, world: World) -> None:
        names = [each.name for each in zes.zesDriverGetExtensionProperties(world.driver)]
        assert "ZES_extension_power_limits" in names
        assert (
            zes.zesDriverGetExtensionFunctionAddress(world.driver, "zesPowerGetLimitsExt") is zes.zesPowerGetLimitsExt
        )
        with fails("INVALID_ARGUMENT", "no function"):
            zes.zesDriverGetExtensionFunctionAddress(world.driver, "zesMakeTea")

    def test_windows(self, world: World) -> None:
        bars = zes.zesDevicePciGetBars(world.card)
        assert [bar.size for bar in bars] == [16 << 20, 128 << 30]
        newer = zes.zesDevicePciGetBars(world.card, (zes.zes_pci_bar_properties_1_2_t,))
        assert [bar.resizableBarEnabled for bar in newer] == [False, True]
        assert len({bar.base for card in (world.card, world.arc) for bar in zes.zesDevicePciGetBars(card)}) == 4


class TestWork:
    def test_energy_and_time_grow_with_work(self, world: World) -> None:
        card, first, second = zes.zesDeviceEnumPowerDomains(world.card)
        everything, compute, copy = zes.zesDeviceEnumEngineGroups(world.card)[:3]
        assert zes.zesPowerGetEnergyCounter(card).energy == 0
        found = []
        for _ in range(3):
            done = world.card.meter.count(WORK)
            world.card.tiles[1].meter.count(WORK)
            found.append(zes.zesPowerGetEnergyCounter(card).energy)
        assert found == [pytest.approx(2e6 * n * done.joules, abs=2) for n in (1, 2, 3)]
        assert zes.zesPowerGetEnergyCounter(first).energy == zes.zesPowerGetEnergyCounter(second).energy
        assert zes.zesEngineGetActivity(compute).activeTime == 3000
        assert zes.zesEngineGetActivity(copy).activeTime == 0
        assert zes.zesEngineGetActivityExt(everything)[0].activeTime == 3000
        assert zes.zesEngineGetProperties(compute).type == zes.ZES_ENGINE_GROUP_COMPUTE_ALL
        assert zes.zesPowerGetUsage(first)[1] == pytest.approx(1000 * done.joules / done.seconds, abs=1)
        memory = zes.zesDeviceEnumMemoryModules(world.card)[0]
        traffic = zes.zesMemoryGetBandwidth(memory)
        assert (traffic.readCounter, traffic.writeCounter) == (3000, 72)
        assert traffic.maxBandwidth == world.card.target.timing.memory_bandwidth

    def test_time_stamps_grow(self, world: World) -> None:
        engine = zes.zesDeviceEnumEngineGroups(world.card)[0]
        first = zes.zesEngineGetActivity(engine).timestamp
        time.sleep(0.001)
        assert zes.zesEngineGetActivity(engine).timestamp - first >= 1000

    def test_a_tile_that_works_is_hotter(self, world: World) -> None:
        sensors = zes.zesDeviceEnumTemperatureSensors(world.card)
        idle = [zes.zesTemperatureGetState(sensor) for sensor in sensors]
        for _ in range(10):
            world.card.meter.count(DeviceWork(is_copy=False, core_cycles=1.6e9, joules=200.0))
        now = [zes.zesTemperatureGetState(sensor) for sensor in sensors]
        assert [b > a + 10 for a, b in zip(idle, now, strict=True)] == [True] * 3 + [False] * 3
        properties = zes.zesTemperatureGetProperties(sensors[0])
        assert (properties.type, properties.maxTemperature) == (zes.ZES_TEMP_SENSORS_GLOBAL, 105)

    def test_copies(self, world: World) -> None:
        """Bytes from and to the host cross the link, others do not."""
        context = ze.zeContextCreate(world.driver, ze.ze_context_desc_t())
        device = ze.zeMemAllocDevice(context, MEMORY, 4096, 64, world.card)
        host = ze.zeMemAllocHost(context, HOST, 4096, 64)
        copies = ze.zeCommandListCreateImmediate(
            context, world.card, ze.ze_command_queue_desc_t(1, mode=ze.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS)
        )
        ze.zeCommandListAppendMemoryCopy(copies, device, np.zeros(1000, np.uint8), 1000)
        ze.zeCommandListAppendMemoryCopy(copies, host, device, 300)
        ze.zeCommandListAppendMemoryCopy(copies, device, device + 2048, 64)
        ze.zeCommandListAppendMemoryFill(copies, device, b"x", 1, 128)
        stats = zes.zesDevicePciGetStats(world.card)
        assert (stats.rxCounter, stats.txCounter, stats.packetCounter, stats.replayCounter) == (1000, 300, 6, 0)
        traffic = zes.zesMemoryGetBandwidth(zes.zesDeviceEnumMemoryModules(world.card)[0])
        assert (traffic.readCounter, traffic.writeCounter) == (300 + 64, 1000 + 64 + 128)
        copy = zes.zesDeviceEnumEngineGroups(world.card)[2]
        assert zes.system.access.board(world.card).tile_count(0, TileCount.COPY_NS) > 0
        assert zes.zesEngineGetProperties(copy).type == zes.ZES_ENGINE_GROUP_COPY_ALL
        commands = ze.zeCommandListCreateImmediate(context, world.card, SYNCHRONOUS)
        ze.zeCommandListAppendMemoryFill(commands, device, b"y", 1, 4096)
        state = zes.zesDeviceProcessesGetState(world.card)[0]
        flags = zes.zes_engine_type_flags_t
        assert state.engines == flags.ZES_ENGINE_TYPE_FLAG_COMPUTE | flags.ZES_ENGINE_TYPE_FLAG_DMA

    def test_threads_lose_nothing_under_load(self, world: World) -> None:
        """Energy and time never decrease while eight threads work, and are what all of them have done."""
        domain = zes.zesDeviceGetCardPowerDomain(world.card)
        engine = zes.zesDeviceEnumEngineGroups(world.card)[1]
        threads = [
            threading.Thread(target=lambda: [world.card.meter.count(WORK) for _ in range(200)]) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        seen = [(0, 0)]
        while any(thread.is_alive() for thread in threads):
            seen.append((zes.zesPowerGetEnergyCounter(domain).energy, zes.zesEngineGetActivity(engine).activeTime))
        assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in itertools.pairwise(seen))
        assert zes.zesEngineGetActivity(engine).activeTime == 1600 * 1000


class TestMemory:
    def test_free_memory_follows_allocations(self, world: World) -> None:
        modules = zes.zesDeviceEnumMemoryModules(world.card)
        properties = zes.zesMemoryGetProperties(modules[1])
        assert (properties.type, properties.physicalSize, properties.numChannels) == (0, 64 << 30, 32)
        assert zes.zesMemoryGetProperties(zes.zesDeviceEnumMemoryModules(world.arc)[0]).type == zes.ZES_MEM_TYPE_GDDR6

        def used() -> list[int]:
            return [state.size - state.free for state in map(zes.zesMemoryGetState, modules)]

        context = ze.zeContextCreate(world.driver, ze.ze_context_desc_t())
        on_card = ze.zeMemAllocDevice(context, MEMORY, 1 << 20, 64, world.card)
        on_tile = ze.zeMemAllocDevice(context, MEMORY, 4096, 64, world.card.tiles[1])
        ze.zeMemAllocHost(context, HOST, 4096, 64)
        assert used() == [1 << 20, 4096]
        (state,) = zes.zesDeviceProcessesGetState(world.card)
        assert (state.processId, state.memSize) == (os.getpid(), (1 << 20) + 4096)
        ze.zeMemFree(context, on_card)
        assert used() == [0, 4096]
        ze.zeMemFree(context, on_tile)
        assert used() == [0, 0]
        assert zes.zesMemoryGetState(modules[0]).health == zes.ZES_MEM_HEALTH_OK

    def test_memory_of_a_driver_that_is_gone_is_free(self, world: World) -> None:
        module = zes.zesDeviceEnumMemoryModules(world.arc)[0]
        with Device("arc") as device:
            held = device.empty((1 << 20,), np.uint8)
            assert zes.zesMemoryGetState(module).size - zes.zesMemoryGetState(module).free >= 1 << 20
            del held
        del device
        gc.collect()
        assert zes.zesMemoryGetState(module).free == zes.zesMemoryGetState(module).size


class TestProcesses:
    CODE = (
        "import numpy as np\nfrom runtime import Device\nd = Device('pvc')\n"
        "b = d.array(np.ones(1 << 20, np.uint8))\n"
        "print(flush=True)\ninput()"
    )

    def test_two_processes_see_the_same(self, world: World) -> None:
        with subprocess.Popen(
            [sys.executable, "-c", self.CODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as other:
            assert other.stdout is not None
            other.stdout.readline()
            found = {each.processId: each for each in zes.zesDeviceProcessesGetState(world.card)}
            assert found[other.pid].memSize == 1 << 20
            stats = zes.zesDevicePciGetStats(world.card)
            assert stats.rxCounter == 1 << 20
            with fails("HANDLE_OBJECT_IN_USE", str(other.pid)):
                zes.zesDeviceReset(world.card, False)
            other.kill()
        assert zes.zesDeviceProcessesGetState(world.card) == []
        assert zes.zesDevicePciGetStats(world.card).rxCounter == 1 << 20
        zes.zesDeviceReset(world.card, False)
