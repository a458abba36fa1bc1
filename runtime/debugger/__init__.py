"""Look into kernels while they run: traces, and a debugger. Both watch the interpreter (`Device(..., observers=[...])`)."""

from __future__ import annotations

from runtime.debugger.trace import Tracer
from runtime.debugger.trace_filter import Interval, TraceFilter

__all__ = ["Interval", "TraceFilter", "Tracer"]
