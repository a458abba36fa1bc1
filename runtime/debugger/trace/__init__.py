"""Traces of executed instructions."""

from runtime.debugger.trace.tracer import DEFAULT_LIMIT as DEFAULT_LIMIT
