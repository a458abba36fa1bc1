"""Programmable metrics, groups of one's own, and tracers of metrics: a simulated device has none of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NoReturn

from runtime.ze.declaration import api, function_called
from runtime.ze.driver import Context, Device, Event, Handle, live, required
from runtime.ze.spec import ZeError, ze_result_t
from runtime.zet.chapters import ToolsChapter
from runtime.zet.metrics.spec import (
    zet_metric_programmable_param_value_exp_t,
    zet_metric_tracer_exp_desc_t,
)
from runtime.zet.metrics.system.groups import Metric, MetricGroup

_FIXED = (
    "Metrics are those of the table, and there is no network of counters to program; early releases of a PVC's driver "
    "answer the same."
)
_NO_TRACER = "No group is sampled by a tracer: those of a PVC are sampled by events and by time."


class MetricProgrammable(Handle):
    """A metric with parameters, of which no device has any."""

    noun: ClassVar[str] = "programmable metric"


class MetricTracerExp(Handle):
    """A tracer of metrics, of which there is none."""

    noun: ClassVar[str] = "metric tracer"


class MetricDecoder(Handle):
    """A decoder of the data of a tracer, of which there is none."""

    noun: ClassVar[str] = "metric decoder"


def _refuse(name: str) -> NoReturn:
    text = f"{name}: {function_called(name).note}"
    raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, text)


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 9), note=_FIXED)
def zetMetricProgrammableGetExp(hDevice: Device) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no programmable metrics."""
    live(hDevice, Device)
    _refuse("zetMetricProgrammableGetExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 9), note=_FIXED)
def zetMetricProgrammableGetPropertiesExp(hMetricProgrammable: MetricProgrammable) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no programmable metrics."""
    live(hMetricProgrammable, MetricProgrammable)
    _refuse("zetMetricProgrammableGetPropertiesExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 9), note=_FIXED)
def zetMetricProgrammableGetParamInfoExp(hMetricProgrammable: MetricProgrammable) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no programmable metrics."""
    live(hMetricProgrammable, MetricProgrammable)
    _refuse("zetMetricProgrammableGetParamInfoExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 9), note=_FIXED)
def zetMetricProgrammableGetParamValueInfoExp(
    hMetricProgrammable: MetricProgrammable, parameterOrdinal: int
) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no programmable metrics."""
    live(hMetricProgrammable, MetricProgrammable)
    _refuse("zetMetricProgrammableGetParamValueInfoExp")


@api(
    ToolsChapter.METRIC,
    "UNSUPPORTED_FEATURE",
    pointers="pParameterValues pName pDescription",
    since=(1, 9),
    note=_FIXED,
)
def zetMetricCreateFromProgrammableExp(
    hMetricProgrammable: MetricProgrammable,
    pParameterValues: Sequence[zet_metric_programmable_param_value_exp_t],
    pName: str,
    pDescription: str,
) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no programmable metrics."""
    live(hMetricProgrammable, MetricProgrammable)
    required(pParameterValues, "pParameterValues")
    required(pName, "pName")
    required(pDescription, "pDescription")
    _refuse("zetMetricCreateFromProgrammableExp")


@api(
    ToolsChapter.METRIC,
    "UNSUPPORTED_FEATURE",
    pointers="pParameterValues pName pDescription",
    since=(1, 11),
    note=_FIXED,
)
def zetMetricCreateFromProgrammableExp2(
    hMetricProgrammable: MetricProgrammable,
    pParameterValues: Sequence[zet_metric_programmable_param_value_exp_t],
    pName: str,
    pDescription: str,
) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no programmable metrics."""
    live(hMetricProgrammable, MetricProgrammable)
    required(pParameterValues, "pParameterValues")
    required(pName, "pName")
    required(pDescription, "pDescription")
    _refuse("zetMetricCreateFromProgrammableExp2")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 9), note=_FIXED)
def zetMetricDestroyExp(hMetric: Metric) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no programmable metrics."""
    live(hMetric, Metric)
    _refuse("zetMetricDestroyExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", pointers="pName pDescription", since=(1, 9), note=_FIXED)
def zetMetricGroupCreateExp(hDevice: Device, pName: str, pDescription: str, samplingType: int) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no programmable metrics."""
    live(hDevice, Device)
    required(pName, "pName")
    required(pDescription, "pDescription")
    _refuse("zetMetricGroupCreateExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 9), note=_FIXED)
def zetMetricGroupAddMetricExp(hMetricGroup: MetricGroup, hMetric: Metric) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no programmable metrics."""
    live(hMetricGroup, MetricGroup)
    live(hMetric, Metric)
    _refuse("zetMetricGroupAddMetricExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 9), note=_FIXED)
def zetMetricGroupRemoveMetricExp(hMetricGroup: MetricGroup, hMetric: Metric) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no programmable metrics."""
    live(hMetricGroup, MetricGroup)
    live(hMetric, Metric)
    _refuse("zetMetricGroupRemoveMetricExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 9), note=_FIXED)
def zetMetricGroupCloseExp(hMetricGroup: MetricGroup) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no programmable metrics."""
    live(hMetricGroup, MetricGroup)
    _refuse("zetMetricGroupCloseExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 9), note=_FIXED)
def zetMetricGroupDestroyExp(hMetricGroup: MetricGroup) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no programmable metrics."""
    live(hMetricGroup, MetricGroup)
    _refuse("zetMetricGroupDestroyExp")


@api(
    ToolsChapter.METRIC,
    "UNSUPPORTED_FEATURE",
    pointers="phMetrics pMetricGroupNamePrefix pDescription",
    since=(1, 10),
    note=_FIXED,
)
def zetDeviceCreateMetricGroupsFromMetricsExp(
    hDevice: Device, phMetrics: Sequence[Metric], pMetricGroupNamePrefix: str, pDescription: str
) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no programmable metrics."""
    live(hDevice, Device)
    required(phMetrics, "phMetrics")
    required(pMetricGroupNamePrefix, "pMetricGroupNamePrefix")
    required(pDescription, "pDescription")
    _refuse("zetDeviceCreateMetricGroupsFromMetricsExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", pointers="phMetricGroups desc", since=(1, 10), note=_NO_TRACER)
def zetMetricTracerCreateExp(
    hContext: Context,
    hDevice: Device,
    phMetricGroups: Sequence[MetricGroup],
    desc: zet_metric_tracer_exp_desc_t,
    hNotificationEvent: Event | None = None,
) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no tracers of metrics."""
    live(hContext, Context)
    live(hDevice, Device)
    if hNotificationEvent is not None:
        live(hNotificationEvent, Event)
    required(phMetricGroups, "phMetricGroups")
    required(desc, "desc")
    _refuse("zetMetricTracerCreateExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 10), note=_NO_TRACER)
def zetMetricTracerDestroyExp(hMetricTracer: MetricTracerExp) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no tracers of metrics."""
    live(hMetricTracer, MetricTracerExp)
    _refuse("zetMetricTracerDestroyExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 10), note=_NO_TRACER)
def zetMetricTracerEnableExp(hMetricTracer: MetricTracerExp, synchronous: bool) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no tracers of metrics."""
    live(hMetricTracer, MetricTracerExp)
    _refuse("zetMetricTracerEnableExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 10), note=_NO_TRACER)
def zetMetricTracerDisableExp(hMetricTracer: MetricTracerExp, synchronous: bool) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no tracers of metrics."""
    live(hMetricTracer, MetricTracerExp)
    _refuse("zetMetricTracerDisableExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 10), note=_NO_TRACER)
def zetMetricTracerReadDataExp(hMetricTracer: MetricTracerExp) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no tracers of metrics."""
    live(hMetricTracer, MetricTracerExp)
    _refuse("zetMetricTracerReadDataExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 10), note=_NO_TRACER)
def zetMetricDecoderCreateExp(hMetricTracer: MetricTracerExp) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no tracers of metrics."""
    live(hMetricTracer, MetricTracerExp)
    _refuse("zetMetricDecoderCreateExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 10), note=_NO_TRACER)
def zetMetricDecoderDestroyExp(phMetricDecoder: MetricDecoder) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no tracers of metrics."""
    live(phMetricDecoder, MetricDecoder)
    _refuse("zetMetricDecoderDestroyExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", since=(1, 10), note=_NO_TRACER)
def zetMetricDecoderGetDecodableMetricsExp(hMetricDecoder: MetricDecoder) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no tracers of metrics."""
    live(hMetricDecoder, MetricDecoder)
    _refuse("zetMetricDecoderGetDecodableMetricsExp")


@api(ToolsChapter.METRIC, "UNSUPPORTED_FEATURE", pointers="pRawData phMetrics", since=(1, 10), note=_NO_TRACER)
def zetMetricTracerDecodeExp(phMetricDecoder: MetricDecoder, pRawData: bytes, phMetrics: Sequence[Metric]) -> NoReturn:
    """Raises `UNSUPPORTED_FEATURE`: there are no tracers of metrics."""
    live(phMetricDecoder, MetricDecoder)
    required(pRawData, "pRawData")
    required(phMetrics, "phMetrics")
    _refuse("zetMetricTracerDecodeExp")
