"""Debugging of running kernels: traces, and a debugger.

Both observe the interpreter: `Device("pvc", engine="interpreter", observers=[Debugger()])`.
"""

from runtime.debugger import registers as registers
from runtime.debugger.breakpoints import (
    Breakpoint as Breakpoint,
    Breakpoints as Breakpoints,
    KernelBreakpoints as KernelBreakpoints,
    instructions_at as instructions_at,
)
from runtime.debugger.commands.shell import Shell as Shell
from runtime.debugger.debugger import Debugger as Debugger
from runtime.debugger.errors import DebugError as DebugError
from runtime.debugger.expressions import Expression as Expression, ExpressionScope as ExpressionScope
from runtime.debugger.listing import KernelListing as KernelListing
from runtime.debugger.spaces import SPACES as SPACES
from runtime.debugger.stops import Stop as Stop, StoppedThread as StoppedThread, StopReason as StopReason
from runtime.debugger.trace.filter import TraceFilter as TraceFilter
from runtime.debugger.trace.tracer import InstructionTracer as InstructionTracer
from runtime.debugger.turns import LaunchAbandoned as LaunchAbandoned
from runtime.debugger.unwinding import call_stack as call_stack
