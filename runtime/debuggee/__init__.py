"""The side of a debugged program: lets a debugger in another process stop, step and change its kernels.

A program that runs with `ZET_ENABLE_PROGRAM_DEBUGGING=1` listens at a socket in the user's runtime directory. Its
kernels run in the interpreter, which the debugger observes. Nothing here knows Level Zero: `runtime.zet.debug` has the
functions with which a debugger speaks to it, in the messages of `protocol`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xegpu.on_demand import public_names

if TYPE_CHECKING:
    from runtime.debuggee.code import LoadedCode, text_layout, with_breakpoint
    from runtime.debuggee.places import ALL_THREADS, ThreadPlace
    from runtime.debuggee.protocol import (
        CHUNK_BYTES,
        PACKET_BYTES,
        PROTOCOL_VERSION,
        Answer,
        AnswerStatus,
        BadPacket,
        DebugSpace,
        Notice,
        NoticeKind,
        Request,
        RequestKind,
        received,
        socket_name,
    )
    from runtime.debuggee.sets import (
        BREAKPOINT_SUPPRESS,
        INSTRUCTION_BASE,
        SCRATCH_BASE,
        ExceptionStatus,
        RegisterSet,
        RegisterSetShape,
        device_sets,
    )

import importlib
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # programs that are not debugged do not wait for it
    from runtime.debuggee.program import DebuggedProgram as DebuggedProgram

__all__ = [
    "ALL_THREADS",
    "BREAKPOINT_SUPPRESS",
    "CHUNK_BYTES",
    "INSTRUCTION_BASE",
    "PACKET_BYTES",
    "PROTOCOL_VERSION",
    "SCRATCH_BASE",
    "VARIABLES",
    "WAIT_VARIABLE",
    "Answer",
    "AnswerStatus",
    "BadPacket",
    "DebugSpace",
    "ExceptionStatus",
    "LoadedCode",
    "Notice",
    "NoticeKind",
    "RegisterSet",
    "RegisterSetShape",
    "Request",
    "RequestKind",
    "ThreadPlace",
    "debugged_program",
    "device_sets",
    "is_debuggable",
    "received",
    "socket_name",
    "text_layout",
    "wait_for_debugger",
    "with_breakpoint",
]

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
    if not is_debuggable():
        return None
    found: DebuggedProgram = importlib.import_module("runtime.debuggee.server").served_program()
    return found


def wait_for_debugger(program: DebuggedProgram) -> None:
    """Lets debuggers come, and waits for one as long as the environment says; once in the life of a process."""
    importlib.import_module("runtime.debuggee.server").wait_for_debugger(program)


__getattr__ = public_names(
    __name__,
    {
        ".code": "LoadedCode text_layout with_breakpoint",
        ".places": "ALL_THREADS ThreadPlace",
        ".protocol": "CHUNK_BYTES PACKET_BYTES PROTOCOL_VERSION Answer AnswerStatus BadPacket DebugSpace Notice "
        "NoticeKind Request RequestKind received socket_name",
        ".sets": "BREAKPOINT_SUPPRESS INSTRUCTION_BASE SCRATCH_BASE ExceptionStatus RegisterSet RegisterSetShape "
        "device_sets",
    },
)
