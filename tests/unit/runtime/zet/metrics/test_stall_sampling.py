"""Samples of threads by instruction: their number, their addresses, and what threads wait for."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import ze, zet
from runtime.zet.metrics.system.stalls import cycles_of
from tests.unit.runtime.ze.expect import fails
from tests.unit.runtime.ze.kernels import binary
from tests.unit.runtime.zet.metrics.world import MOST_OF, TIME, VALUES_OF, World, kernel_of, values

ALL = 0xFFFFFFFF
LOOP = kernel_of(
    """
    (W) mov (1|M0) r2:d 0:d
loop:
    load.ugm.d32x64t.a64.uc.uc (1|M0) r10:4 flat[r1]:1
    add (16|M0) r14:f r10:f r10:f
    mad (16|M0) r14:f r14:f r14:f r14:f
    (W) add (1|M0) r2:d r2:d 1:d
    (W) cmp (1|M0) (lt)f0.0 null:d r2:d 100:d
    (f0.0) jmpi (1|M0) loop
    eot
"""
)
NAMES = ("Active", "ControlStall", "PipeStall", "SendStall", "DistStall", "SbidStall", "SyncStall", "InstrFetchStall")


def sampled(machine: World, period: int, groups: int = 4) -> tuple[object, list[dict[str, float]]]:
    """The executed kernel, and the values of its instructions."""
    streamer = machine.new_streamer(period, name="EuStallSampling")
    heard: list[object] = []
    hear = streamer.hear
    streamer.hear = lambda activity: (heard.append(activity), hear(activity))
    machine.launch(machine.immediate, LOOP, groups)
    result, raw = zet.zetMetricStreamerReadData(streamer, ALL)
    assert result is ze.ze_result_t.ZE_RESULT_SUCCESS
    found = values(streamer.group, raw)
    zet.zetMetricStreamerClose(streamer)
    (activity,) = heard
    return activity, found


@pytest.mark.parametrize("period", [80, 400, 8000])
def test_every_cycle_is_sampled(machine: World, period: int) -> None:
    activity, found = sampled(machine, period)
    cycles = round(period * activity.done.clock_mhz / 1000)
    executable, counts = activity.profile.executable, activity.profile.statistics.counts
    spent = counts.executed.astype(np.int64)[:, None] * cycles_of(executable)
    assert spent.sum() == executable.costs.thread_cycles(counts)
    assert (cycles_of(executable) >= 0).all()
    assert sum(row[name] for row in found for name in NAMES) == spent.sum() // cycles
    addresses = [row["IP"] for row in found]
    assert addresses == sorted(set(addresses))
    first = min(addresses) & ~0xFF
    places = [executable.program.index_of(int(address) - first) for address in addresses]
    assert None not in places
    for place, row in zip(places, found, strict=True):
        for name, exact in zip(NAMES, spent[place], strict=False):
            assert abs(row[name] - exact / cycles) < 1


def test_what_threads_wait_for(machine: World) -> None:
    _, found = sampled(machine, 80)
    worst = max(found, key=lambda row: row["SbidStall"])
    assert int(worst["IP"]) & 0xFF == 0x30  # the first use of what is loaded
    assert sum(row["SbidStall"] for row in found) > sum(row["DistStall"] for row in found) > 0
    assert sum(row["OtherStall"] + row["SyncStall"] for row in found) == 0


def test_reports_of_one_instruction_are_added_up(machine: World) -> None:
    streamer = machine.new_streamer(80, name="EuStallSampling")
    desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, binary(LOOP))
    module = ze.zeModuleCreate(machine.context, machine.device, desc)[0]
    kernel = ze.zeKernelCreate(module, ze.ze_kernel_desc_t("k"))
    ze.zeKernelSetArgumentValue(kernel, 0, 8, machine.buffer)
    ze.zeKernelSetGroupSize(kernel, 16, 1, 1)
    raw = []
    for _ in range(3):
        ze.zeCommandListAppendLaunchKernel(machine.immediate, kernel, ze.ze_group_count_t(1))
        raw.append(zet.zetMetricStreamerReadData(streamer, ALL)[1])
    each = [values(streamer.group, data) for data in raw]
    together = values(streamer.group, b"".join(raw))
    assert [row["IP"] for row in together] == sorted({row["IP"] for rows in each for row in rows})
    for row in together:
        assert row["Active"] == sum(one["Active"] for rows in each for one in rows if one["IP"] == row["IP"])
    assert values(streamer.group, b"".join(raw), MOST_OF) == together
    exported = zet.zetMetricGroupGetExportDataExp(streamer.group, b"".join(raw))
    how = zet.zet_metric_calculate_exp_desc_t()
    again = zet.zetMetricGroupCalculateMetricExportDataExp(machine.driver, VALUES_OF, exported, how)
    assert again == zet.zetMetricGroupCalculateMultipleMetricValuesExp(streamer.group, VALUES_OF, b"".join(raw))
    assert {int(row["IP"]) & ~0xFF for row in together} == {module.code_address("k")}


def test_modules_have_addresses_of_their_own(machine: World) -> None:
    streamer = machine.new_streamer(80, name="EuStallSampling")
    for _ in range(2):
        machine.launch(machine.immediate, LOOP)
    found = values(streamer.group, zet.zetMetricStreamerReadData(streamer, ALL)[1])
    assert len({int(row["IP"]) & ~0xFF for row in found}) == 2


def test_as_many_as_are_wanted_and_then_the_rest(machine: World) -> None:
    streamer = machine.new_streamer(80, name="EuStallSampling")
    assert zet.zetMetricStreamerReadData(streamer, ALL) == (ze.ze_result_t.ZE_RESULT_NOT_READY, b"")
    machine.launch(machine.immediate, LOOP)
    available, size = streamer.available, streamer.sample_bytes
    assert available > 3
    parts = [
        zet.zetMetricStreamerReadData(streamer, 1)[1],
        zet.zetMetricStreamerReadData(streamer, ALL, 2 * size + 1)[1],
    ]
    parts.append(zet.zetMetricStreamerReadData(streamer, ALL)[1])
    assert [len(part) // size for part in parts] == [1, 2, available - 3]
    assert len({row["IP"] for row in values(streamer.group, b"".join(parts))}) == available
    assert streamer.available == 0


def test_the_oldest_are_lost(machine: World, monkeypatch: pytest.MonkeyPatch) -> None:
    streamer = machine.new_streamer(80, name="EuStallSampling")
    monkeypatch.setattr("runtime.zet.metrics.system.streams.BUFFER_BYTES", 4 * streamer.sample_bytes)
    for _ in range(3):
        machine.launch(machine.immediate, LOOP)
    assert streamer.available == 4
    result, raw = zet.zetMetricStreamerReadData(streamer, ALL)
    assert result is ze.ze_result_t.ZE_RESULT_WARNING_DROPPED_DATA
    assert len(raw) == 4 * streamer.sample_bytes
    assert zet.zetMetricStreamerReadData(streamer, ALL)[0] is ze.ze_result_t.ZE_RESULT_NOT_READY


def test_other_groups_are_measured_beside_it(machine: World) -> None:
    stalls, basic = machine.group("EuStallSampling", TIME), machine.group("ComputeBasic", TIME)
    zet.zetContextActivateMetricGroups(machine.context, machine.device, [stalls, basic])
    desc = zet.zet_metric_streamer_desc_t(1, 1000)
    streamers = [
        zet.zetMetricStreamerOpen(machine.context, machine.device, group, desc)[1] for group in (stalls, basic)
    ]
    machine.launch(machine.immediate, LOOP)
    for streamer in streamers:
        assert zet.zetMetricStreamerReadData(streamer, ALL)[1]
    with fails("UNSUPPORTED_FEATURE"):
        zet.zetCommandListAppendMarkerExp(machine.immediate, stalls, 1)


def test_the_event_is_signaled(machine: World) -> None:
    event = machine.new_event()
    streamer = machine.new_streamer(80, every=2, event=event, name="EuStallSampling")
    machine.launch(machine.immediate, LOOP)
    ze.zeEventHostSynchronize(event, 20 * 10**9)
    assert streamer.available >= 2
