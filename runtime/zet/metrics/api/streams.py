"""Streams of metrics that are sampled by time, and their markers (specification: Metric)."""

from __future__ import annotations

from runtime.ze.declaration import api, seed_form, seed_name
from runtime.ze.driver import (
    CommandList,
    Context,
    CounterEvent,
    Device,
    Driver,
    Event,
    default_context,
    live,
    required,
    unsigned,
)
from runtime.ze.spec import ZeError, ze_result_t
from runtime.zet.chapters import ToolsChapter
from runtime.zet.metrics.spec import zet_metric_streamer_desc_t
from runtime.zet.metrics.system.groups import TIME_BASED, MetricGroup, require_active
from runtime.zet.metrics.system.stall_streams import StallStreamer
from runtime.zet.metrics.system.streams import MetricStreamer


def _open(
    context: Context,
    device: Device,
    hMetricGroup: MetricGroup,
    desc: zet_metric_streamer_desc_t,
    hNotificationEvent: Event | None,
) -> tuple[zet_metric_streamer_desc_t, MetricStreamer]:
    group = live(hMetricGroup, MetricGroup)
    required(desc, "desc")
    period, every = (
        unsigned(desc.samplingPeriod, "samplingPeriod"),
        unsigned(desc.notifyEveryNReports, "notifyEveryNReports"),
    )
    event = None if hNotificationEvent is None else live(hNotificationEvent, Event)
    if event is not None and (isinstance(event, CounterEvent) or not context.takes_from(event.pool.context)):
        why = "is counter-based" if isinstance(event, CounterEvent) else "belongs to another context"
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT, f"{event!r} {why}")
    if group.form.sampling is not TIME_BASED:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{group!r} is not sampled by time")
    require_active(group, device)
    if group in group.unit.users.values():
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_NOT_AVAILABLE, f"a stream of {group!r} is open")
    kind = StallStreamer if group.form.row.is_by_instruction else MetricStreamer
    streamer = kind(context, group, every, period, event)
    return zet_metric_streamer_desc_t(streamer.notify_every, streamer.period_ns), streamer


@api(
    ToolsChapter.METRIC,
    "DEVICE_LOST NOT_AVAILABLE INVALID_SYNCHRONIZATION_OBJECT",
    pointers="desc",
    seed="zetMetricTracerOpen",
)
def zetMetricStreamerOpen(
    hContext: Context,
    hDevice: Device,
    hMetricGroup: MetricGroup,
    desc: zet_metric_streamer_desc_t,
    hNotificationEvent: Event | None = None,
) -> tuple[zet_metric_streamer_desc_t, MetricStreamer]:
    """Opens a stream of an active group that is sampled by time; returns the values in use with it.

    Samples are taken from the time of the device, whose clock goes on as that of the host does: between launches, and
    as long as the simulator needs longer than the device would, it is idle. The period becomes a multiple of a tick.
    The event is signaled whenever that many samples can be read.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a group of another device, one that is not active, and one sampled by events;
            `NOT_AVAILABLE` if a stream of the group is open; `INVALID_SYNCHRONIZATION_OBJECT` for a counter-based event
            or one of another context.
    """
    context = live(hContext, Context)
    return _open(context, context.device(hDevice), hMetricGroup, desc, hNotificationEvent)


@seed_form(zetMetricStreamerOpen)
def zetMetricTracerOpen(
    hDevice: Device,
    hMetricGroup: MetricGroup,
    desc: zet_metric_streamer_desc_t,
    hNotificationEvent: Event | None = None,
) -> tuple[zet_metric_streamer_desc_t, MetricStreamer]:
    """Opens a stream of an active group that is sampled by time; returns the values in use with it."""
    device = live(hDevice, Device)
    device.processor.require_available()
    assert isinstance(device.driver, Driver)
    return _open(default_context(device.driver), device, hMetricGroup, desc, hNotificationEvent)


@api(ToolsChapter.METRIC, seed="zetMetricTracerClose")
def zetMetricStreamerClose(hMetricStreamer: MetricStreamer) -> None:
    """Closes a stream; what was not read is lost."""
    live(hMetricStreamer, MetricStreamer).retire()


@api(
    ToolsChapter.METRIC,
    "NOT_READY WARNING_DROPPED_DATA",
    seed="zetMetricTracerReadData",
    note="The result is the first value that is returned, so neither raises an exception.",
)
def zetMetricStreamerReadData(
    hMetricStreamer: MetricStreamer, maxReportCount: int, pRawDataSize: int | None = None
) -> tuple[ze_result_t, bytes]:
    """Returns the reports of at most `maxReportCount` samples, and no more than fit in `pRawDataSize` bytes.

    A sample has a report for each tile; one of a group by instruction is an instruction of a launch. The buffer has
    8 MiB: samples in which nothing was done are lost first, and then the oldest.

    Returns:
        `ZE_RESULT_SUCCESS`, `ZE_RESULT_NOT_READY` if there are no reports, or `ZE_RESULT_WARNING_DROPPED_DATA` if
        reports before these were lost; and the raw data.
    """
    streamer = live(hMetricStreamer, MetricStreamer)
    most = unsigned(maxReportCount, "maxReportCount")
    if pRawDataSize is not None:
        most = min(most, unsigned(pRawDataSize, "pRawDataSize", 64) // streamer.sample_bytes)
    data, is_dropped = streamer.read(most)
    if is_dropped:
        return ze_result_t.ZE_RESULT_WARNING_DROPPED_DATA, data
    return ze_result_t.ZE_RESULT_SUCCESS if data else ze_result_t.ZE_RESULT_NOT_READY, data


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", seed="zetCommandListAppendMetricTracerMarker")
def zetCommandListAppendMetricStreamerMarker(
    hCommandList: CommandList, hMetricStreamer: MetricStreamer, value: int
) -> None:
    """Appends a marker: the reports of a stream from there on have the value, until the next one.

    Raises:
        ZeError: `INVALID_ARGUMENT` if stream and list differ in context or card, `UNSUPPORTED_FEATURE` for a group by
            instruction.
    """
    command_list, streamer = live(hCommandList, CommandList), live(hMetricStreamer, MetricStreamer)
    number = unsigned(value, "value")
    _require_markers(streamer.group)
    card = streamer.group.unit.device.card
    if not command_list.context.takes_from(streamer.context) or command_list.device.card is not card:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{streamer!r} and {command_list!r} differ in context or card",
        )
    command_list.append(lambda: streamer.mark(number))


zetMetricTracerClose = seed_name(zetMetricStreamerClose)
zetMetricTracerReadData = seed_name(zetMetricStreamerReadData)
zetCommandListAppendMetricTracerMarker = seed_name(zetCommandListAppendMetricStreamerMarker)


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 13))
def zetCommandListAppendMarkerExp(hCommandList: CommandList, hMetricGroup: MetricGroup, value: int) -> None:
    """Appends a marker for all streams that are open then in the domain of a group, on any device with its tiles.

    Raises:
        ZeError: `UNSUPPORTED_FEATURE` for a group that is not sampled by time, or by instruction, `INVALID_ARGUMENT` if
            group and list differ in card.
    """
    command_list, group = live(hCommandList, CommandList), live(hMetricGroup, MetricGroup)
    number = unsigned(value, "value")
    if command_list.device.card is not group.unit.device.card:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{group!r} and {command_list!r} differ in card")
    _require_markers(group)
    command_list.append(lambda: _mark_all(group, number))


def _require_markers(group: MetricGroup) -> None:
    if group.form.sampling is not TIME_BASED or group.form.row.is_by_instruction:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, f"{group!r} has no reports with markers")


def _mark_all(group: MetricGroup, value: int) -> None:
    for unit in group.unit.sharing():
        for user in tuple(unit.users):
            if isinstance(user, MetricStreamer) and user.group.form.row.domain == group.form.row.domain:
                user.mark(value)
