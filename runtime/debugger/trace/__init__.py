"""Traces of executed instructions."""

from __future__ import annotations

from runtime.debugger.trace.tracer import DEFAULT_LIMIT

__all__ = [
    "DEFAULT_LIMIT",
]
