"""The server: answers the requests of an editor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import BinaryIO

from runtime.debugger import DebugError
from tools.cli import CommandError
from tools.debug.dap import control, fields, views
from tools.debug.dap.messages import BadMessage, Json, MessageChannel
from tools.debug.dap.session import DapResponse, DapSession
from tools.debug.remote.state import RemoteState


def serve(reader: BinaryIO, writer: BinaryIO) -> bool:
    """Serves one editor until it goes; returns whether its messages were valid."""
    channel = MessageChannel(reader, writer)
    session = DapSession(channel)
    try:
        while (message := channel.read()) is not None:
            if message.get("type") == "request" and not _handle(session, message):
                return True
    except BadMessage:
        return False
    finally:
        session.close()
    return True


def _handle(session: DapSession, request: Json) -> bool:
    """Answers a request; returns whether others may follow."""
    command = request.get("command")
    handler = _HANDLERS.get(command) if isinstance(command, str) else None
    if handler is None:
        session.channel.respond(request, error=f"'{command}' is not supported")
        return True
    try:
        answer = handler(session, fields.member(request, "arguments"))
    except (DebugError, CommandError) as error:
        session.channel.respond(request, error=str(error))
        return True
    session.channel.respond(request, answer.body)
    if answer.after is not None:
        answer.after()
    return command != "disconnect"


_Handler = Callable[[DapSession, Json], DapResponse]


def _shown(view: Callable[[RemoteState, Json], Json]) -> _Handler:
    """Returns the handler of a request that shows or changes the state of a stopped program."""
    return lambda session, arguments: DapResponse(view(session.stopped().state, arguments))


_HANDLERS: Mapping[str, _Handler] = {
    "initialize": control.initialize,
    "launch": control.launch,
    "attach": control.attach,
    "configurationDone": control.configuration_done,
    "disconnect": control.disconnect,
    "terminate": control.terminate,
    "continue": control.resume,
    "next": control.step_over,
    "stepIn": control.step_in,
    "stepOut": control.step_out,
    "pause": control.pause,
    "setBreakpoints": control.set_breakpoints,
    "setExceptionBreakpoints": control.set_exception_breakpoints,
    "threads": views.threads,
    "stackTrace": _shown(views.stack),
    "scopes": views.scopes,
    "variables": _shown(views.variables),
    "setVariable": _shown(views.set_variable),
    "evaluate": _shown(views.evaluate),
    "readMemory": _shown(views.read_memory),
    "writeMemory": _shown(views.write_memory),
    "disassemble": _shown(views.disassemble),
}
"""The requests, and the functions that answer them."""
