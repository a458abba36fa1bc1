"""The side of a debugged program: lets a debugger in another process stop, step and change its kernels.

A program that runs with `ZET_ENABLE_PROGRAM_DEBUGGING=1` listens at a socket in the user's runtime directory. Its
kernels run in the interpreter, which the debugger observes. Nothing here knows Level Zero: `runtime.zet.debug` has the
functions with which a debugger speaks to it, in the messages of `protocol`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import runtime.debuggee.server as server
    from runtime.debuggee.code import (
        LoadedCode as LoadedCode,
        text_layout as text_layout,
        with_breakpoint as with_breakpoint,
    )
    from runtime.debuggee.places import ALL_THREADS as ALL_THREADS, ThreadPlace as ThreadPlace
    from runtime.debuggee.program import DebuggedProgram as DebuggedProgram
    from runtime.debuggee.protocol import (
        CHUNK_BYTES as CHUNK_BYTES,
        PACKET_BYTES as PACKET_BYTES,
        PROTOCOL_VERSION as PROTOCOL_VERSION,
        Answer as Answer,
        AnswerStatus as AnswerStatus,
        BadPacket as BadPacket,
        Notice as Notice,
        NoticeKind as NoticeKind,
        Request as Request,
        RequestKind as RequestKind,
        received as received,
        socket_name as socket_name,
    )
    from runtime.debuggee.sets import (
        BREAKPOINT_SUPPRESS as BREAKPOINT_SUPPRESS,
        INSTRUCTION_BASE as INSTRUCTION_BASE,
        SCRATCH_BASE as SCRATCH_BASE,
        ExceptionStatus as ExceptionStatus,
        RegisterSet as RegisterSet,
        RegisterSetShape as RegisterSetShape,
        device_sets as device_sets,
    )

VARIABLES = ("ZET_ENABLE_PROGRAM_DEBUGGING", "ZE_ENABLE_PROGRAM_DEBUGGING")
"""The environment variables that make a program debuggable, in 1.x and in 0.91."""

WAIT_VARIABLE = "XEGPU_WAIT_FOR_DEBUGGER"
"""The environment variable with the seconds that a program waits for its debugger before it makes its first driver."""


def is_debuggable(environment: Mapping[str, str] = os.environ) -> bool:
    """Returns whether an environment makes programs debuggable."""
    return any(environment.get(variable) == "1" for variable in VARIABLES)


def debugged_program() -> DebuggedProgram | None:
    """Returns this process as a program that can be debugged; None if its environment does not make it one.

    Raises:
        ValueError: There is no directory for its socket, or the environment says nonsense.
    """
    return server.served_program() if is_debuggable() else None


def wait_for_debugger(program: DebuggedProgram) -> None:
    """Lets debuggers come, and waits for one as long as the environment says; once in the life of a process."""
    server.wait_for_debugger(program)
