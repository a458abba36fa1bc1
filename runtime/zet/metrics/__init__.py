"""Metrics of simulated devices (specification: Tools programming guide, Metrics)."""

# ruff: noqa: F403 - what the specification and the chapters declare

from __future__ import annotations

from runtime.zet.metrics.api import *
from runtime.zet.metrics.api.unsupported import MetricDecoder, MetricProgrammable, MetricTracerExp
from runtime.zet.metrics.recording import (
    MetricRecording as MetricRecording,
    RecordedWork as RecordedWork,
    group_names as group_names,
    values_of as values_of,
)
from runtime.zet.metrics.spec import *
from runtime.zet.metrics.system.groups import GroupForm as GroupForm, Metric, MetricGroup
from runtime.zet.metrics.system.queries import MetricQuery, MetricQueryPool
from runtime.zet.metrics.system.streams import MetricStreamer
from runtime.zet.metrics.system.table import MetricRow as MetricRow

zet_metric_decoder_exp_handle_t = MetricDecoder
zet_metric_group_handle_t = MetricGroup
zet_metric_handle_t = Metric
zet_metric_programmable_exp_handle_t = MetricProgrammable
zet_metric_query_handle_t = MetricQuery
zet_metric_query_pool_handle_t = MetricQueryPool
zet_metric_streamer_handle_t = zet_metric_tracer_handle_t = MetricStreamer
zet_metric_tracer_exp_handle_t = MetricTracerExp

globals()["__all__"] = sorted(name for name in globals() if name.startswith("zet"))
