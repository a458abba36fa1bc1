"""Every result that the table of functions lists is produced: by a call with valid arguments but for one thing."""

from __future__ import annotations

import inspect
import time

import pytest

from runtime import ze, zet
from runtime.ze.declaration import functions
from tests.unit.runtime.ze.provocations import (
    Arguments,
    Change,
    Changes,
    implementation,
    null_handle,
    outcome,
    sets,
    short,
    stale_handle,
)
from tests.unit.runtime.zet.metrics.world import TIME, World, one_report

FUNCTIONS = {
    name: function
    for name, function in functions(zet.ToolsChapter).items()
    if function.chapter is zet.ToolsChapter.METRIC
}
REFUSE = frozenset(
    name
    for name, function in FUNCTIONS.items()
    if function.note and ze.ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE in function.results
)
"""The functions that refuse every call."""
NAMES = [name for found in FUNCTIONS.values() for name in found.callables]

CHANGES: Changes[World] = Changes()
provokes = CHANGES.provokes


def lost_device(world: World, arguments: Arguments) -> None:
    world.lose()


ALIKE: dict[str, Change[World]] = {
    "INVALID_NULL_HANDLE": null_handle,
    "INVALID_ARGUMENT": stale_handle,
    "DEVICE_LOST": lost_device,
}


_CALCULATIONS = ("zetMetricGroupCalculateMetricValues", "zetMetricGroupCalculateMultipleMetricValuesExp")
_LISTS = ("zetCommandListAppendMetricQueryBegin", "zetCommandListAppendMetricQueryEnd")


def _of_another(world: World) -> bytes:
    """Bytes of the size of a report of one group, made by another."""
    group = world.group("MemoryProfile")
    return bytes(group.form.report.itemsize)


provokes("INVALID_ENUMERATION", *_CALCULATIONS, "zetMetricGroupCalculateMetricExportDataExp")(sets(type=2))
provokes("UNKNOWN", "zetMetricGroupGetExportDataExp")(
    sets(hMetricGroup=lambda w: w.group("MemoryProfile"), pRawData=_of_another)
)
provokes("UNSUPPORTED_FEATURE", "zetCommandListAppendMarkerExp")(sets(hMetricGroup=lambda w: w.group()))
provokes("UNSUPPORTED_FEATURE", "zetCommandListAppendMetricStreamerMarker")(
    sets(hMetricStreamer=World.new_stall_streamer)
)
_READS, _OPENS = (
    ("zetMetricStreamerReadData", "zetMetricTracerReadData"),
    ("zetMetricStreamerOpen", "zetMetricTracerOpen"),
)
provokes("NOT_READY", *_READS)(sets(maxReportCount=0))


@provokes("UNKNOWN", "zetMetricGroupCalculateMetricExportDataExp")
def _(world: World, arguments: Arguments) -> None:
    """The data of another version, whose group has other counters."""
    tag = f'"tag": {world.group().form.tag}'.encode()
    arguments["pExportData"] = arguments["pExportData"].replace(tag, b'"tag": 1')


@provokes("WARNING_DROPPED_DATA", *_READS)
def _(world: World, arguments: Arguments) -> None:
    world.patch.setattr("runtime.zet.metrics.system.streams.BUFFER_BYTES", 1000)
    for _ in range(3):
        ze.zeCommandListAppendMemoryFill(world.immediate, world.memory, b"x", 1, 64)
        time.sleep(1e-4)


@provokes("NOT_AVAILABLE", *_OPENS)
def _(world: World, arguments: Arguments) -> None:
    """The group has a stream."""
    zet.zetMetricStreamerOpen(world.context, world.device, arguments["hMetricGroup"], arguments["desc"])


@provokes("INVALID_SYNCHRONIZATION_OBJECT", *_OPENS)
def _(world: World, arguments: Arguments) -> None:
    pool = world.new_pool(context=world.foreign_context())
    arguments["hNotificationEvent"] = ze.zeEventCreate(pool, ze.ze_event_desc_t(0))


@provokes("HANDLE_OBJECT_IN_USE", "zetDeviceDisableMetricsExp")
def _(world: World, arguments: Arguments) -> None:
    world.activated()


provokes("UNKNOWN", *_CALCULATIONS)(sets(hMetricGroup=lambda w: w.group("MemoryProfile"), pRawData=_of_another))
provokes("INVALID_ENUMERATION", "zetMetricQueryPoolCreate")(sets(desc=zet.zet_metric_query_pool_desc_t(2, 1)))
provokes("INVALID_SIZE", "zetMetricQueryPoolCreate")(sets(desc=zet.zet_metric_query_pool_desc_t(0, 0)))
provokes("INVALID_COMMAND_LIST_TYPE", *_LISTS)(sets(hCommandList=lambda w: w.new_list(1)))
provokes("NOT_READY", "zetMetricQueryGetData")(sets(hMetricQuery=lambda w: w.new_query()))


@provokes("NOT_AVAILABLE", "zetContextActivateMetricGroups", "zetDeviceActivateMetricGroups")
def _(world: World, arguments: Arguments) -> None:
    """The same domain is in use by a tile of the card."""
    world.activated(device=world.device.tiles[1])


@provokes("HANDLE_OBJECT_IN_USE", "zetMetricQueryPoolDestroy")
def _(world: World, arguments: Arguments) -> None:
    zet.zetMetricQueryCreate(arguments["hMetricQueryPool"], 1)


@provokes("HANDLE_OBJECT_IN_USE", "zetMetricQueryDestroy")
def _(world: World, arguments: Arguments) -> None:
    zet.zetCommandListAppendMetricQueryBegin(world.immediate, arguments["hMetricQuery"])


@provokes("INVALID_SYNCHRONIZATION_OBJECT", "zetCommandListAppendMetricQueryEnd")
def _(world: World, arguments: Arguments) -> None:
    pool = world.new_pool(context=world.foreign_context())
    arguments["phWaitEvents"] = [ze.zeEventCreate(pool, ze.ze_event_desc_t(0))]


PAIRS = [(found.name, short(result)) for found in FUNCTIONS.values() for result in found.results]


@pytest.mark.parametrize(("name", "result"), [pair for pair in PAIRS if pair[1] != "INVALID_NULL_POINTER"])
def test_results(world: World, name: str, result: str) -> None:
    arguments = world.arguments(name)
    change = CHANGES.get((name, result)) or ALIKE.get(result)
    if change is None:
        assert result == "UNSUPPORTED_FEATURE" and name in REFUSE
    else:
        change(world, arguments)
    assert outcome(name, arguments) == result


@pytest.mark.parametrize("name", NAMES)
def test_valid_arguments(world: World, name: str) -> None:
    arguments = world.arguments(name)
    time.sleep(1e-5)  # a period of a stream
    assert outcome(name, arguments) == ("UNSUPPORTED_FEATURE" if name in REFUSE else "SUCCESS")


@pytest.mark.parametrize(("name", "pointer"), [(f.name, p) for f in FUNCTIONS.values() for p in f.pointers])
def test_null_pointers(world: World, name: str, pointer: str) -> None:
    arguments = world.arguments(name)
    arguments[pointer] = None
    with pytest.raises(ze.ZeError, match=f"INVALID_NULL_POINTER.*{pointer}"):
        implementation(name)(**arguments)


@pytest.mark.parametrize("name", NAMES)
def test_nonsense_is_refused(world: World, name: str) -> None:
    """Whatever a parameter is set to, a call ends well or with a `ZeError`."""
    valid = world.arguments(name)
    for parameter in valid:
        for nonsense in (object(), -1, "x", float("nan"), None, [], (), 1 << 70, b"xyz", world.arc):
            outcome(name, {**valid, parameter: nonsense})


@pytest.mark.parametrize("name", NAMES)
def test_structures_of_another_version_are_refused(world: World, name: str) -> None:
    """The class of a structure is its version: one of another function is none."""
    arguments = world.arguments(name)
    if "desc" in arguments:
        assert outcome(name, {**arguments, "desc": ze.ze_context_desc_t()}) == "INVALID_ARGUMENT"


def test_table_and_package_have_the_same_functions() -> None:
    exported = {
        name
        for name in zet.metrics.__all__
        if inspect.isroutine(getattr(zet, name)) and not inspect.isclass(getattr(zet, name))
    }
    assert exported == set(NAMES)


class TestOtherArguments:
    """Arguments that are valid by themselves, and not together."""

    def test_groups_of_one_domain(self, world: World) -> None:
        groups = [world.group(), world.group("InstructionMix")]
        arguments = {"hContext": world.context, "hDevice": world.device, "phMetricGroups": groups}
        assert outcome("zetContextActivateMetricGroups", arguments) == "INVALID_ARGUMENT"
        arguments["phMetricGroups"] = [world.group(), world.group(sampling=TIME)]
        assert outcome("zetContextActivateMetricGroups", arguments) == "INVALID_ARGUMENT"
        assert not world.group().is_active

    def test_groups_of_another_device(self, world: World) -> None:
        arguments = {"hContext": world.context, "hDevice": world.device}
        other = world.group(device=world.arc)
        assert outcome("zetContextActivateMetricGroups", {**arguments, "phMetricGroups": [other]}) == "INVALID_ARGUMENT"

    def test_groups_for_queries(self, world: World) -> None:
        desc = zet.zet_metric_query_pool_desc_t(0, 1)
        arguments = {"hContext": world.context, "hDevice": world.device, "desc": desc}
        for group in (world.group(), world.activated(sampling=TIME), world.group(device=world.arc)):
            assert outcome("zetMetricQueryPoolCreate", {**arguments, "hMetricGroup": group}) == "INVALID_ARGUMENT"

    def test_groups_for_streams(self, world: World) -> None:
        arguments = {"hDevice": world.device, "desc": zet.zet_metric_streamer_desc_t(1, 1000)}
        others = (world.group(sampling=TIME), world.activated(), world.group(sampling=TIME, device=world.arc))
        for group in others:
            assert outcome("zetMetricTracerOpen", {**arguments, "hMetricGroup": group}) == "INVALID_ARGUMENT"

    def test_data_that_were_not_exported(self, world: World) -> None:
        good = zet.zetMetricGroupGetExportDataExp(world.group(), one_report(world.group()))
        rest = {"hDriver": world.driver, "type": 0, "pCalculateDescriptor": zet.zet_metric_calculate_exp_desc_t()}
        for bad in (b"", b"xyz", good[:-1], good[:30], good.replace(b"ComputeBasic", b"ComputeTea!!"), good[1:]):
            found = outcome("zetMetricGroupCalculateMetricExportDataExp", {**rest, "pExportData": bad})
            assert found == "INVALID_ARGUMENT"

    def test_index_of_a_query(self, world: World) -> None:
        arguments = {"hMetricQueryPool": world.new_query().pool, "index": 4}
        assert outcome("zetMetricQueryCreate", arguments) == "INVALID_ARGUMENT"

    def test_a_list_of_another_card(self, world: World) -> None:
        commands = ze.zeCommandListCreate(world.context, world.arc, ze.ze_command_list_desc_t())
        for name in _LISTS:
            arguments = {"hCommandList": commands, "hMetricQuery": world.new_query()}
            assert outcome(name, arguments) == "INVALID_ARGUMENT"

    @pytest.mark.parametrize("name", _CALCULATIONS)
    def test_data_that_are_no_reports(self, world: World, name: str) -> None:
        arguments = {"hMetricGroup": world.group(), "type": 0}
        for raw in (b"", one_report(world.group())[:-1], one_report(world.group()) + b"x"):
            assert outcome(name, {**arguments, "pRawData": raw}) == "INVALID_ARGUMENT"

    def test_data_of_several_tiles(self, world: World) -> None:
        raw = one_report(world.group(), (0, 1))
        arguments = {"hMetricGroup": world.group(), "type": 0, "pRawData": raw}
        assert outcome(_CALCULATIONS[0], arguments) == "INVALID_ARGUMENT"
        assert outcome(_CALCULATIONS[1], arguments) == "SUCCESS"
