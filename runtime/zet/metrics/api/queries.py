"""Queries of metrics, and the commands that begin and end them (specification: Metric)."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.ze.declaration import AT_LEAST_ONE, api
from runtime.ze.driver import CommandList, Context, Device, Event, do_nothing, enumerator, live, required, unsigned
from runtime.ze.spec import ZeError, ze_result_t
from runtime.zet.chapters import ToolsChapter
from runtime.zet.metrics.spec import zet_metric_query_pool_desc_t, zet_metric_query_pool_type_t
from runtime.zet.metrics.system.groups import EVENT_BASED, MetricGroup, require_active
from runtime.zet.metrics.system.queries import MetricQuery, MetricQueryPool


def _create_pool(
    context: Context, device: Device, hMetricGroup: MetricGroup, desc: zet_metric_query_pool_desc_t
) -> MetricQueryPool:
    group = live(hMetricGroup, MetricGroup)
    required(desc, "desc")
    type = enumerator(desc.type or desc.flags, zet_metric_query_pool_type_t)
    if desc.count < 1:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"a pool of {desc.count} queries")
    count = unsigned(desc.count, "desc.count")
    if group.form.sampling is not EVENT_BASED:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{group!r} is not sampled by events")
    require_active(group, device)
    return MetricQueryPool(context, group, type, count)


@api(
    ToolsChapter.METRIC,
    "DEVICE_LOST INVALID_ENUMERATION INVALID_SIZE",
    pointers="desc",
    rules={"desc.count": AT_LEAST_ONE},
)
def zetMetricQueryPoolCreate(
    hContext: Context, hDevice: Device, hMetricGroup: MetricGroup, desc: zet_metric_query_pool_desc_t
) -> MetricQueryPool:
    """Creates a pool of `desc.count` queries of an active group that is sampled by events.

    Between the begin and the end of a query of type `EXECUTION`, launches and copies are skipped.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a group of another device, one that is not active, and one sampled by time;
            `INVALID_SIZE` for no queries.
    """
    context = live(hContext, Context)
    return _create_pool(context, context.device(hDevice), hMetricGroup, desc)


@api(ToolsChapter.METRIC, "HANDLE_OBJECT_IN_USE")
def zetMetricQueryPoolDestroy(hMetricQueryPool: MetricQueryPool) -> None:
    """Destroys a pool.

    Raises:
        ZeError: `HANDLE_OBJECT_IN_USE` while it has queries.
    """
    pool = live(hMetricQueryPool, MetricQueryPool)
    pool.require_unused()
    pool.retire()


@api(ToolsChapter.METRIC)
def zetMetricQueryCreate(hMetricQueryPool: MetricQueryPool, index: int) -> MetricQuery:
    """Creates the query at an index of a pool.

    Raises:
        ZeError: `INVALID_ARGUMENT` for an index that the pool does not have.
    """
    pool = live(hMetricQueryPool, MetricQueryPool)
    if unsigned(index, "index") >= pool.count:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"index {index} of a pool of {pool.count} queries")
    return MetricQuery(pool, index)


@api(ToolsChapter.METRIC, "HANDLE_OBJECT_IN_USE")
def zetMetricQueryDestroy(hMetricQuery: MetricQuery) -> None:
    """Destroys a query.

    Raises:
        ZeError: `HANDLE_OBJECT_IN_USE` for one that has begun and not ended.
    """
    query = live(hMetricQuery, MetricQuery)
    query.require_unused()
    query.retire()


@api(ToolsChapter.METRIC)
def zetMetricQueryReset(hMetricQuery: MetricQuery) -> None:
    """Puts a query into its first state: it has no data."""
    live(hMetricQuery, MetricQuery).reset()


def _query_of(command_list: CommandList, hMetricQuery: MetricQuery) -> MetricQuery:
    """Returns a query that commands of a list may begin and end.

    Raises:
        ZeError: `INVALID_COMMAND_LIST_TYPE` if the list only copies, `INVALID_ARGUMENT` if query and list differ in
            context or card.
    """
    query = live(hMetricQuery, MetricQuery)
    command_list.require_compute()
    pool, device = query.pool, query.pool.group.unit.device
    if not command_list.context.takes_from(pool.context) or command_list.device.card is not device.card:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{query!r} and {command_list!r} differ in context or card"
        )
    return query


@api(ToolsChapter.METRIC, "INVALID_COMMAND_LIST_TYPE")
def zetCommandListAppendMetricQueryBegin(hCommandList: CommandList, hMetricQuery: MetricQuery) -> None:
    """Appends the begin of a query: what executes on its device from there on counts, in whichever queue.

    Raises:
        ZeError: `INVALID_COMMAND_LIST_TYPE` if the list only copies, `INVALID_ARGUMENT` if query and list differ in
            context or card.
    """
    command_list = live(hCommandList, CommandList)
    command_list.append(_query_of(command_list, hMetricQuery).begin)


@api(ToolsChapter.METRIC, "INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT")
def zetCommandListAppendMetricQueryEnd(
    hCommandList: CommandList,
    hMetricQuery: MetricQuery,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends the end of a query, behind which its data can be read. One that has not begun has none.

    Raises:
        ZeError: as for `zetCommandListAppendMetricQueryBegin`.
    """
    command_list = live(hCommandList, CommandList)
    command_list.append(_query_of(command_list, hMetricQuery).end, hSignalEvent, phWaitEvents)


@api(ToolsChapter.METRIC)
def zetCommandListAppendMetricMemoryBarrier(hCommandList: CommandList) -> None:
    """Appends a barrier for data of metrics: they are visible when the command that makes them is done."""
    live(hCommandList, CommandList).append(do_nothing)


@api(ToolsChapter.METRIC, "NOT_READY")
def zetMetricQueryGetData(hMetricQuery: MetricQuery) -> bytes:
    """Returns the raw data of a query: a report for each tile of its device.

    Raises:
        ZeError: `ZE_RESULT_NOT_READY` before its end.
    """
    query = live(hMetricQuery, MetricQuery)
    data = query.data
    if data is None:
        raise ZeError(ze_result_t.ZE_RESULT_NOT_READY, f"{query!r} has not ended")
    return data
