"""Profiles and traces of what a program in C launches."""

from runtime.driver.analysis.launches import profiler as profiler, trace_filter as trace_filter, tracer as tracer
