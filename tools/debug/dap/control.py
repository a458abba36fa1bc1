"""The requests that begin, resume, stop and end the program, and those that set breakpoints."""

from __future__ import annotations

from pathlib import Path

from runtime.debugger import DebugError
from tools.debug.dap import fields
from tools.debug.dap.messages import Json
from tools.debug.dap.session import DapResponse, DapSession
from tools.debug.remote.debugger import RemoteDebugger
from tools.debug.remote.programs import end_program, start_program

_CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsConditionalBreakpoints": True,
    "supportsSetVariable": True,
    "supportsEvaluateForHovers": True,
    "supportsSteppingGranularity": True,
    "supportsReadMemoryRequest": True,
    "supportsWriteMemoryRequest": True,
    "supportsDisassembleRequest": True,
    "supportsTerminateRequest": True,
    "supportTerminateDebuggee": True,
}


def initialize(session: DapSession, arguments: Json) -> DapResponse:
    """Tells what the server can do."""
    return DapResponse(_CAPABILITIES)


def launch(session: DapSession, arguments: Json) -> DapResponse:
    """Starts a program and attaches to it."""
    session.require_new()
    words = [fields.text(arguments, "program"), *fields.texts(arguments, "args")]
    environment = {name: str(value) for name, value in fields.member(arguments, "env").items()}
    program = start_program(words, environment, fields.text(arguments, "cwd", "."), captures=True)
    session.program = program
    for name, stream in (("stdout", program.stdout), ("stderr", program.stderr)):
        assert stream is not None
        session.forward(name, stream)
    return _attached(session, arguments, program.pid)


def attach(session: DapSession, arguments: Json) -> DapResponse:
    """Attaches to a program that runs."""
    return _attached(session, arguments, fields.number(arguments, "processId"))


def _attached(session: DapSession, arguments: Json, process: int) -> DapResponse:
    session.require_new()
    session.attach(process, fields.number(arguments, "device") if "device" in arguments else None)
    return DapResponse(after=lambda: session.channel.event("initialized"))


def configuration_done(session: DapSession, arguments: Json) -> DapResponse:
    """Lets the program begin, which has breakpoints now."""
    session.stopped()
    return DapResponse(after=session.begin)


def disconnect(session: DapSession, arguments: Json) -> DapResponse:
    """Ends the session, and the program unless the editor wants it to go on."""
    if session.program is not None and arguments.get("terminateDebuggee") is False:
        session.program = None
    session.close()
    return DapResponse()


def terminate(session: DapSession, arguments: Json) -> DapResponse:
    """Ends a program that was started here."""
    if session.program is None:
        raise DebugError("the program was not started here: disconnect from it")
    end_program(session.program)
    return DapResponse()


def resume(session: DapSession, arguments: Json) -> DapResponse:
    """Lets the program run."""
    debugger = session.stopped()
    return DapResponse({"allThreadsContinued": True}, lambda: session.run(debugger.resume))


def step_over(session: DapSession, arguments: Json) -> DapResponse:
    """Steps over subroutines."""
    return _step(session, arguments, over_calls=True)


def step_in(session: DapSession, arguments: Json) -> DapResponse:
    """Steps, also into subroutines."""
    return _step(session, arguments, over_calls=False)


def _step(session: DapSession, arguments: Json, *, over_calls: bool) -> DapResponse:
    debugger = session.stopped()
    is_small = arguments.get("granularity") == "instruction"
    debugger.state.kernel  # noqa: B018 - refuses a step of nothing
    step = debugger.step_instruction if is_small else debugger.step_line
    return DapResponse(after=lambda: session.run(lambda: step(over_calls=over_calls)))


def step_out(session: DapSession, arguments: Json) -> DapResponse:
    """Continues until the subroutine returns."""
    debugger = session.stopped()
    if len(debugger.state.backtrace()) == 1:
        raise DebugError("the thread is in no subroutine")
    return DapResponse(after=lambda: session.run(debugger.finish))


def pause(session: DapSession, arguments: Json) -> DapResponse:
    """Stops the program."""
    return DapResponse(after=session.debugger.interrupt)


def set_breakpoints(session: DapSession, arguments: Json) -> DapResponse:
    """Replaces the breakpoints of a source, for which a program that runs is stopped shortly."""
    session.debugger  # noqa: B018 - refuses breakpoints in nothing
    source = fields.member(arguments, "source")
    path = fields.text(source, "path", fields.text(source, "name", ""))
    wanted = fields.objects(arguments, "breakpoints")
    goes_on = session.pause_quietly()
    debugger = session.stopped()
    for number in session.breakpoints.pop(path, []):
        if number in debugger.breakpoints:
            debugger.breakpoints.remove(number)
    numbers = session.breakpoints[path] = []
    described = [_set_breakpoint(debugger, path, point, numbers) for point in wanted]
    return DapResponse({"breakpoints": described}, (lambda: session.run(debugger.resume)) if goes_on else None)


def _set_breakpoint(debugger: RemoteDebugger, path: str, point: Json, numbers: list[int]) -> Json:
    """Sets a breakpoint at a line, and returns the editor's description of it."""
    try:
        line = fields.number(point, "line")
        # Line tables have the names that the compiler was given, editors have whole paths.
        made = debugger.breakpoints.add(f"{Path(path).name}:{line}", fields.text(point, "condition", ""))
    except DebugError as error:
        return {"verified": False, "message": str(error)}
    numbers.append(made.number)
    return {"id": made.number, "verified": bool(debugger.breakpoints.instructions_of(made)), "line": line}


def set_exception_breakpoints(session: DapSession, arguments: Json) -> DapResponse:
    """Does nothing: faults always stop."""
    return DapResponse()
