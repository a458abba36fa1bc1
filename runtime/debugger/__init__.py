"""Debugging of running kernels: traces, and a debugger.

Both observe the interpreter: `Device("pvc", engine="interpreter", observers=[Debugger()])`.
"""

from __future__ import annotations

from runtime.debugger import registers
from runtime.debugger.breakpoints import Breakpoint, Breakpoints, instructions_at
from runtime.debugger.commands.shell import Shell
from runtime.debugger.control import KernelDebugger
from runtime.debugger.debugger import Debugger, LaunchAbandoned
from runtime.debugger.errors import DebugError
from runtime.debugger.expressions import Expression, ExpressionScope
from runtime.debugger.listing import KernelListing
from runtime.debugger.spaces import SPACES, DebugMemory
from runtime.debugger.stops import Stop, StoppedThread, StopReason
from runtime.debugger.trace.filter import Interval, TraceFilter
from runtime.debugger.trace.tracer import InstructionTracer
from runtime.debugger.unwinding import call_stack

__all__ = [
    "SPACES",
    "Breakpoint",
    "Breakpoints",
    "DebugError",
    "DebugMemory",
    "Debugger",
    "Expression",
    "ExpressionScope",
    "InstructionTracer",
    "Interval",
    "KernelDebugger",
    "KernelListing",
    "LaunchAbandoned",
    "Shell",
    "Stop",
    "StopReason",
    "StoppedThread",
    "TraceFilter",
    "call_stack",
    "instructions_at",
    "registers",
]
