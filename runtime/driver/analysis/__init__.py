"""Profiles and traces of what a program in C launches."""

from __future__ import annotations

from runtime.driver.analysis.launches import profiler, trace_filter, tracer

__all__ = ["profiler", "trace_filter", "tracer"]
