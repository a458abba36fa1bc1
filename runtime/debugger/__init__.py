"""Debugging of running kernels: traces, and a debugger.

Both observe the interpreter: `Device("pvc", engine="interpreter", observers=[Debugger()])`.
"""

from __future__ import annotations

from runtime.debugger.debugger import Debugger, LaunchAbandoned
from runtime.debugger.errors import DebugError
from runtime.debugger.expressions import Expression, ExpressionScope
from runtime.debugger.shell import Shell
from runtime.debugger.stops import Stop, StoppedThread, StopReason
from runtime.debugger.trace.filter import Interval, TraceFilter
from runtime.debugger.trace.tracer import InstructionTracer

__all__ = [
    "DebugError",
    "Debugger",
    "Expression",
    "ExpressionScope",
    "InstructionTracer",
    "Interval",
    "LaunchAbandoned",
    "Shell",
    "Stop",
    "StopReason",
    "StoppedThread",
    "TraceFilter",
]
