"""Streams: samples, counts that are neither lost nor doubled, markers, notification, overflow; data for others."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from runtime import ze, zet
from runtime.zet.metrics.system.calculation import metric_values
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.zet.metrics.world import EVENTS, TIME, VALUES_OF, World, kernel_of, values
from xegpu.isa import CompiledKernel

ADD = kernel_of("add (16|M0) r24:f r24:f r24:f\neot")
ALL = 0xFFFFFFFF
SUCCESS, NOT_READY, DROPPED = (
    ze.ze_result_t.ZE_RESULT_SUCCESS,
    ze.ze_result_t.ZE_RESULT_NOT_READY,
    ze.ze_result_t.ZE_RESULT_WARNING_DROPPED_DATA,
)


class Columns:
    """The values of reports of the first tile: an array for each metric."""

    def __init__(self, streamer: zet.zet_metric_streamer_handle_t, raw: bytes) -> None:
        form = streamer.group.form
        reports = np.frombuffer(raw, form.report)
        self.count = len(reports) // 2
        columns = metric_values(form, reports[reports["tile"] == 0], VALUES_OF)
        self._columns = dict(zip((row.name for row in form.metrics), columns, strict=True))

    def __getitem__(self, name: str) -> np.ndarray:
        return self._columns[name]


def read(streamer: zet.zet_metric_streamer_handle_t, most: int = ALL) -> Columns:
    return Columns(streamer, zet.zetMetricStreamerReadData(streamer, most)[1])


def warm(machine: World, *made: CompiledKernel) -> None:
    """Kernels are compiled before a stream is opened: the time that it takes would be in the samples."""
    machine.activated()
    query = machine.new_query()
    zet.zetCommandListAppendMetricQueryBegin(machine.immediate, query)
    for each in made:
        machine.launch(machine.immediate, each)
    zet.zetCommandListAppendMetricQueryEnd(machine.immediate, query)


class TestSamples:
    def test_period_and_number_are_rounded(self, world: World) -> None:
        group = world.activated(sampling=TIME)
        asked = zet.zet_metric_streamer_desc_t(ALL, 1001)
        desc, streamer = zet.zetMetricStreamerOpen(world.context, world.device, group, asked)
        assert (desc.samplingPeriod, desc.notifyEveryNReports) == (1040, streamer.capacity)
        zet.zetMetricStreamerClose(streamer)
        desc, streamer = zet.zetMetricTracerOpen(world.device, group, zet.zet_metric_streamer_desc_t())
        assert (desc.samplingPeriod, desc.notifyEveryNReports) == (80, 1)

    def test_nothing_yet(self, world: World) -> None:
        streamer = world.new_streamer(period=ALL)
        assert zet.zetMetricStreamerReadData(streamer, ALL) == (NOT_READY, b"")

    def test_samples_follow_each_other(self, world: World) -> None:
        streamer = world.new_streamer(period=8000)
        time.sleep(1e-3)
        first, rest = read(streamer, 3), read(streamer)
        assert first.count == 3
        begins = np.concatenate([first["QueryBeginTime"], rest["QueryBeginTime"]])
        assert set(np.diff(begins)) == {8000} == set(rest["GpuTime"])
        assert set(rest["AvgGpuCoreFrequencyMHz"]) == {1600}
        assert set(rest["GPU_BUSY"]) == {0}

    def test_as_many_as_fit(self, world: World) -> None:
        streamer = world.new_streamer(period=8000)
        time.sleep(1e-3)
        size = streamer.sample_bytes
        assert size == 2 * streamer.group.form.report.itemsize
        for room, count in ((0, 0), (size - 1, 0), (size, 1), (3 * size + 1, 3)):
            _, raw = zet.zetMetricStreamerReadData(streamer, ALL, room)
            assert len(raw) == count * size

    @pytest.mark.parametrize("period", [80, 1000, 100_000])
    def test_every_instruction_is_in_one_sample(self, machine: World, period: int) -> None:
        """Whatever the period, and however often it is read: only idle samples are left out."""
        warm(machine, ADD)
        streamer = machine.new_streamer(period)
        found = []
        for groups in (1, 300, 7):
            machine.launch(machine.immediate, ADD, groups)
            found.append(read(streamer, 50))
        time.sleep(period * 2e-9)
        found.append(read(streamer))
        assert sum(each["XVE_INST_EXECUTED_ALL"].sum() for each in found) == 2 * 308
        assert sum(each["XVE_COMPUTE_THREAD_COUNT"].sum() for each in found) == 308
        assert max(each[name].max() for each in found for name in ("GPU_BUSY", "XVE_ACTIVE") if each.count) <= 100

    def test_samples_within_a_kernel(self, machine: World) -> None:
        """A kernel of many microseconds is in the samples of just that time, evenly."""
        event = machine.new_event(signaled=False)
        loop = kernel_of(
            "mov (1|M0) r3.0:d 3000:d\nagain:\n(W) add (1|M0) r3.0:d r3.0:d -1:d\n"
            "(W) cmp (1|M0) (gt)f0.0 null:d r3.0:d 0:d\n(W&f0.0) jmpi (1|M0) again\neot"
        )
        warm(machine, loop)
        streamer = machine.new_streamer(period=80)
        machine.launch(machine.immediate, loop, event=event)
        time.sleep(1e-3)
        found, stamp = read(streamer), ze.zeEventQueryKernelTimestamp(event)
        busy = found["GPU_BUSY"] > 99
        ticks = stamp.context.kernelEnd - stamp.context.kernelStart
        assert ticks > 100 and abs(busy.sum() - ticks) <= 2
        counts = found["XVE_INST_EXECUTED_ALL"][busy][1:-1]
        assert counts.max() - counts.min() <= 1

    def test_overflow(self, machine: World) -> None:
        """Idle samples are lost first, then the oldest; the next reading has no gap."""
        warm(machine, ADD)
        machine.patch.setattr("runtime.zet.metrics.system.streams.BUFFER_BYTES", 10_000)
        streamer = machine.new_streamer(period=1000)
        machine.launch(machine.immediate, ADD, 5)
        time.sleep(1e-2)
        result, raw = zet.zetMetricStreamerReadData(streamer, ALL)
        found = Columns(streamer, raw)
        assert (result, found.count) == (SUCCESS, streamer.capacity)
        assert found["XVE_INST_EXECUTED_ALL"].sum() == 10
        for _ in range(streamer.capacity + 3):
            machine.launch(machine.immediate, ADD)
        time.sleep(1e-4)
        result, raw = zet.zetMetricStreamerReadData(streamer, ALL)
        found = Columns(streamer, raw)
        assert (result, found.count) == (DROPPED, streamer.capacity)
        assert 0 < found["XVE_INST_EXECUTED_ALL"].sum() < 2 * (streamer.capacity + 3)

    def test_copies(self, machine: World) -> None:
        streamer = machine.new_streamer(name="MemoryProfile")
        ze.zeCommandListAppendMemoryFill(machine.immediate, machine.buffer, b"x", 1, 1 << 16)
        time.sleep(1e-4)
        found = read(streamer)
        assert found["GPU_MEMORY_BYTE_WRITE"].sum() == 1 << 16
        assert found["GPU_MEMORY_UTILIZATION"].max() <= 100

    def test_threads_read_at_once(self, machine: World) -> None:
        warm(machine, ADD)
        streamer, found, stop = machine.new_streamer(period=8000), [], threading.Event()

        def reads() -> None:
            while not stop.is_set():
                found.append(read(streamer, 20))

        threads = [threading.Thread(target=reads) for _ in range(3)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            machine.launch(machine.immediate, ADD, 2)
        stop.set()
        for thread in threads:
            thread.join()
        time.sleep(1e-4)
        found.append(read(streamer))
        assert sum(each["XVE_INST_EXECUTED_ALL"].sum() for each in found) == 20 * 4
        begins = np.concatenate([each["QueryBeginTime"] for each in found])
        assert len(set(begins)) == len(begins)


class TestMarkers:
    def test_samples_have_the_latest_marker(self, world: World) -> None:
        streamer = world.new_streamer(period=8000)
        for value in (3, 9):
            time.sleep(1e-4)
            zet.zetCommandListAppendMetricStreamerMarker(world.immediate, streamer, value)
        time.sleep(1e-4)
        markers = read(streamer)["StreamMarker"]
        assert list(markers) == sorted(markers) and set(markers) == {0, 3, 9}
        zet.zetCommandListAppendMetricTracerMarker(world.immediate, streamer, 4)
        time.sleep(1e-4)
        assert set(read(streamer)["StreamMarker"][-3:]) == {4}

    def test_of_a_group(self, world: World) -> None:
        """All streams of its domain have the marker, of the card and of its tiles."""
        core = world.new_streamer(period=8000)
        zet.zetCommandListAppendMarkerExp(world.immediate, world.group(sampling=TIME, device=world.device.tiles[0]), 8)
        zet.zetCommandListAppendMarkerExp(world.immediate, world.group("MemoryProfile", TIME), 9)
        time.sleep(1e-4)
        assert read(core)["StreamMarker"][-1] == 8

    def test_of_another_card(self, world: World) -> None:
        commands = ze.zeCommandListCreate(world.context, world.arc, ze.ze_command_list_desc_t())
        with fails("INVALID_ARGUMENT", "card"):
            zet.zetCommandListAppendMetricStreamerMarker(commands, world.new_streamer(), 1)
        with fails("INVALID_ARGUMENT", "card"):
            zet.zetCommandListAppendMarkerExp(commands, world.group(sampling=TIME), 1)


class TestNotification:
    def test_whenever_there_are_enough(self, world: World) -> None:
        event = world.new_event(signaled=False)
        streamer = world.new_streamer(period=100_000, every=10, event=event)
        for _ in range(2):
            assert ze.zeEventHostSynchronize(event, 10**10) is SUCCESS
            assert read(streamer).count >= 10
            ze.zeEventHostReset(event)
        zet.zetMetricStreamerClose(streamer)
        time.sleep(2e-3)
        assert not event.signaled

    def test_not_before(self, world: World) -> None:
        event = world.new_event(signaled=False)
        world.new_streamer(period=10**9, every=10, event=event)
        assert ze.zeEventHostSynchronize(event, 10**7) is NOT_READY

    def test_a_counter_based_event(self, world: World) -> None:
        event = ze.zeEventCounterBasedCreate(world.context, world.device, ze.ze_event_counter_based_desc_t())
        with fails("INVALID_SYNCHRONIZATION_OBJECT", "counter-based"):
            world.new_streamer(event=event)


class TestStates:
    def test_closed_streams_cost_nothing(self, world: World) -> None:
        streamer = world.new_streamer()
        assert len(world.device.processor.listeners) == 1
        with fails("NOT_AVAILABLE", "collects"):
            zet.zetContextActivateMetricGroups(world.context, world.device)
        zet.zetMetricTracerClose(streamer)
        assert world.device.processor.listeners == ()
        zet.zetContextActivateMetricGroups(world.context, world.device)
        with fails("INVALID_ARGUMENT", "destroyed"):
            zet.zetMetricTracerReadData(streamer, ALL)

    def test_streams_of_two_domains(self, machine: World) -> None:
        load = kernel_of("load.ugm.d32x64t.a64 (1|M0) r10:4 flat[r1]:1\neot")
        warm(machine, load)
        machine.activated("ComputeBasic", "MemoryProfile", sampling=TIME)
        desc = zet.zet_metric_streamer_desc_t(1, 1000)
        streams = [
            zet.zetMetricStreamerOpen(machine.context, machine.device, machine.group(name, TIME), desc)[1]
            for name in ("ComputeBasic", "MemoryProfile")
        ]
        machine.launch(machine.immediate, kernel_of("load.ugm.d32x64t.a64 (1|M0) r10:4 flat[r1]:1\neot"))
        time.sleep(1e-4)
        sums = [read(stream)["GPU_MEMORY_BYTE_READ"].sum() for stream in streams]
        assert sums == [256, 256]


class TestExtensions:
    def test_enabling_a_device(self, world: World) -> None:
        world.patch.delenv("ZET_ENABLE_METRICS")
        assert zet.zetMetricGroupGet(world.device) == []
        zet.zetDeviceEnableMetricsExp(world.device)
        assert zet.zetMetricGroupGet(world.device) and not zet.zetMetricGroupGet(world.arc)
        zet.zetDeviceDisableMetricsExp(world.device)
        assert zet.zetMetricGroupGet(world.device) == []

    def test_passes(self, world: World) -> None:
        """A pass has a group of each domain."""
        names = ("ComputeBasic", "InstructionMix", "MemoryProfile")
        groups = [world.group(name) for name in names]
        ordered, counts = zet.zetDeviceGetConcurrentMetricGroupsExp(world.device, groups)
        assert counts == [2, 1]
        assert [group.form.row.name for group in ordered] == ["ComputeBasic", "MemoryProfile", "InstructionMix"]
        zet.zetContextActivateMetricGroups(world.context, world.device, ordered[:2])
        with fails("INVALID_ARGUMENT"):
            zet.zetDeviceGetConcurrentMetricGroupsExp(world.device, [world.group(device=world.arc)])

    def test_timestamps_are_sampled_together(self, world: World) -> None:
        group, before = world.group(), time.monotonic_ns()
        host, metric = zet.zetMetricGroupGetGlobalTimestampsExp(group, True)
        ticks, again = zet.zetMetricGroupGetGlobalTimestampsExp(group, False)
        assert before <= host <= time.monotonic_ns() and metric < again
        assert ticks == again // 80 & (1 << 36) - 1

    def test_exported_data(self, machine: World) -> None:
        query = machine.new_query()
        zet.zetCommandListAppendMetricQueryBegin(machine.immediate, query)
        machine.launch(machine.immediate, ADD, 5)
        zet.zetCommandListAppendMetricQueryEnd(machine.immediate, query)
        group, raw = query.pool.group, zet.zetMetricQueryGetData(query)
        data = zet.zetMetricGroupGetExportDataExp(group, raw)
        other = World(machine.patch).driver
        none, one = zet.zet_metric_calculate_exp_desc_t(), zet.zet_metric_calculate_exp_desc_t(1)
        found = zet.zetMetricGroupCalculateMetricExportDataExp(other, VALUES_OF, data, none)
        assert found == zet.zetMetricGroupCalculateMultipleMetricValuesExp(group, VALUES_OF, raw)
        assert zet.zetMetricGroupCalculateMetricExportDataExp(other, VALUES_OF, data, one) == ([0, 0], [])


def test_reports_are_those_of_the_query(machine: World) -> None:
    """The sums of a stream are what a query of the same work counts."""
    query = machine.new_query(machine.activated("MemoryProfile", sampling=EVENTS))
    zet.zetCommandListAppendMetricQueryBegin(machine.immediate, query)
    core = machine.group("InstructionMix", TIME)
    zet.zetContextActivateMetricGroups(machine.context, machine.device, [query.pool.group, core])
    _, streamer = zet.zetMetricStreamerOpen(
        machine.context, machine.device, core, zet.zet_metric_streamer_desc_t(1, 1000)
    )
    machine.launch(machine.immediate, kernel_of("load.ugm.d32x64t.a64 (1|M0) r10:4 flat[r1]:1\neot"), 9)
    zet.zetCommandListAppendMetricQueryEnd(machine.immediate, query)
    time.sleep(1e-4)
    assert read(streamer)["XVE_INST_EXECUTED_SEND_ALL"].sum() == 9
    assert values(query.pool.group, zet.zetMetricQueryGetData(query))[0]["GPU_MEMORY_BYTE_READ"] == 9 * 256
