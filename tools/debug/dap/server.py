"""The server: answers the requests of an editor, and tells it what happens."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, BinaryIO

from runtime.debugger import DebugError, Stop, StopReason
from tools.cli import CommandError
from tools.debug.dap import fields, views
from tools.debug.dap.messages import BadMessage, Json, MessageChannel
from tools.debug.programs import attached, end_program, start_program
from tools.debug.remote import RemoteDebugger

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

_REASONS = {
    StopReason.BREAKPOINT: "breakpoint",
    StopReason.STEP: "step",
    StopReason.INTERRUPT: "pause",
    StopReason.FAULT: "exception",
    StopReason.ENTRY: "entry",
}


def serve(reader: BinaryIO, writer: BinaryIO) -> bool:
    """Serves one editor until it goes; returns whether its messages were valid."""
    channel = MessageChannel(reader, writer)
    server = DapServer(channel)
    try:
        while (message := channel.read()) is not None:
            if message.get("type") == "request" and not server.handle(message):
                return True
    except BadMessage:
        return False
    finally:
        server.close()
    return True


class DapServer:
    """A debugging session of an editor. While the program runs, a thread waits for it to stop."""

    def __init__(self, channel: MessageChannel) -> None:
        self._channel = channel
        self._debugger: RemoteDebugger | None = None
        self._program: subprocess.Popen[bytes] | None = None
        self._runner: threading.Thread | None = None
        self._outputs: list[threading.Thread] = []
        self._is_running = self._is_paused_quietly = False
        self._first: Stop | None = None
        self._breakpoints: dict[str, list[int]] = {}
        """The numbers of the breakpoints of each source."""

    def handle(self, request: Json) -> bool:
        """Answers a request; returns whether others may follow."""
        command = request.get("command")
        handler = _HANDLERS.get(command) if isinstance(command, str) else None
        if handler is None:
            self._channel.respond(request, error=f"'{command}' is not supported")
            return True
        try:
            after = handler(self, request, fields.member(request, "arguments"))
        except (DebugError, CommandError) as error:
            self._channel.respond(request, error=str(error))
            return True
        if after is not None:
            after()
        return command != "disconnect"

    def close(self) -> None:
        """Ends the session: the program goes on, or ends if it was started here."""
        debugger = self._debugger
        if debugger is not None:
            self._pause_quietly()
            debugger.close()
        if self._program is not None:
            end_program(self._program)

    # Beginning and end

    def _initialize(self, request: Json, arguments: Json) -> None:
        self._channel.respond(request, _CAPABILITIES)

    def _launch(self, request: Json, arguments: Json) -> None:
        if self._debugger is not None:
            raise DebugError("the session has begun")
        words = [fields.text(arguments, "program"), *fields.texts(arguments, "args")]
        environment = {name: str(value) for name, value in fields.member(arguments, "env").items()}
        folder = fields.text(arguments, "cwd", ".")
        self._program = start_program(words, environment, folder, captures=True)
        for name, stream in (("stdout", self._program.stdout), ("stderr", self._program.stderr)):
            assert stream is not None
            thread = threading.Thread(target=self._forward, args=(name, stream), daemon=True)
            self._outputs.append(thread)
            thread.start()
        self._attach_to(request, arguments, self._program.pid)

    def _attach(self, request: Json, arguments: Json) -> None:
        self._attach_to(request, arguments, fields.number(arguments, "processId"))

    def _attach_to(self, request: Json, arguments: Json, process: int) -> None:
        if self._debugger is not None:
            raise DebugError("the session has begun")
        device = fields.number(arguments, "device") if "device" in arguments else None
        self._debugger = attached(process, device, self._program)
        if self._program is not None:
            self._debugger.wait_for_module()
        else:
            self._first = self._debugger.catch()
        self._channel.respond(request)
        self._channel.event("initialized")

    def _configuration_done(self, request: Json, arguments: Json) -> None:
        debugger = self._stopped()
        self._channel.respond(request)
        first, self._first = self._first, None
        if first is not None:
            self._tell(first)
        else:
            self._run(debugger.resume)

    def _disconnect(self, request: Json, arguments: Json) -> None:
        if self._program is not None and arguments.get("terminateDebuggee") is False:
            self._program = None
        self.close()
        self._channel.respond(request)

    def _terminate(self, request: Json, arguments: Json) -> None:
        if self._program is None:
            raise DebugError("the program was not started here: disconnect from it")
        end_program(self._program)
        self._channel.respond(request)

    def _forward(self, category: str, stream: IO[bytes]) -> None:
        """Tells the editor what the program writes."""
        with stream:
            while data := stream.readline(65536):
                self._channel.event("output", {"category": category, "output": data.decode("utf-8", "replace")})

    # Running

    def _run(self, go: Callable[[], Stop]) -> None:
        self._is_running = True
        self._runner = threading.Thread(target=self._running, args=(go,), daemon=True)
        self._runner.start()

    def _running(self, go: Callable[[], Stop]) -> None:
        try:
            stop = go()
        except DebugError as error:
            self._channel.event("output", {"category": "stderr", "output": f"{error}\n"})
            stop = Stop(StopReason.END)
        self._is_running = False
        if not (self._is_paused_quietly and stop.reason is StopReason.INTERRUPT):
            self._is_paused_quietly = False
            self._tell(stop)

    def _tell(self, stop: Stop) -> None:
        if stop.reason is StopReason.END:
            status = 0
            if self._program is not None:
                status = self._program.wait()
                for thread in self._outputs:
                    thread.join()
            self._channel.event("exited", {"exitCode": status})
            self._channel.event("terminated")
            return
        body: dict[str, object] = {
            "reason": _REASONS[stop.reason],
            "threadId": stop.thread + 1,
            "allThreadsStopped": True,
        }
        if stop.note or stop.problem:
            body["text"] = stop.note or stop.problem
        self._channel.event("stopped", body)

    def _stopped(self) -> RemoteDebugger:
        """Returns the debugger of a program that does not run."""
        if self._debugger is None:
            raise DebugError("there is no program: launch or attach")
        if self._is_running:
            raise DebugError("the program runs: pause it")
        return self._debugger

    def _pause_quietly(self) -> bool:
        """Stops a program that runs, without telling the editor; returns whether it must be resumed."""
        runner, debugger = self._runner, self._debugger
        if runner is None or debugger is None or not self._is_running:
            return False
        self._is_paused_quietly = True
        debugger.interrupt()
        runner.join()
        is_paused, self._is_paused_quietly = self._is_paused_quietly, False
        return is_paused

    def _continue(self, request: Json, arguments: Json) -> Callable[[], None]:
        debugger = self._stopped()
        self._channel.respond(request, {"allThreadsContinued": True})
        return lambda: self._run(debugger.resume)

    def _next(self, request: Json, arguments: Json) -> Callable[[], None]:
        return self._step(request, arguments, over_calls=True)

    def _step_in(self, request: Json, arguments: Json) -> Callable[[], None]:
        return self._step(request, arguments, over_calls=False)

    def _step(self, request: Json, arguments: Json, *, over_calls: bool) -> Callable[[], None]:
        debugger = self._stopped()
        is_small = arguments.get("granularity") == "instruction"
        debugger.kernel  # noqa: B018 - refuses a step of nothing
        self._channel.respond(request)
        step = debugger.step_instruction if is_small else debugger.step_line
        return lambda: self._run(lambda: step(over_calls=over_calls))

    def _step_out(self, request: Json, arguments: Json) -> Callable[[], None]:
        debugger = self._stopped()
        if len(debugger.backtrace()) == 1:
            raise DebugError("the thread is in no subroutine")
        self._channel.respond(request)
        return lambda: self._run(debugger.finish)

    def _pause(self, request: Json, arguments: Json) -> None:
        if self._debugger is None:
            raise DebugError("there is no program: launch or attach")
        self._channel.respond(request)
        self._debugger.interrupt()

    # Breakpoints

    def _set_breakpoints(self, request: Json, arguments: Json) -> Callable[[], None] | None:
        """Replaces the breakpoints of a source, for which a program that runs is stopped shortly."""
        if self._debugger is None:
            raise DebugError("there is no program: launch or attach")
        source = fields.member(arguments, "source")
        path = fields.text(source, "path", fields.text(source, "name", ""))
        wanted = fields.objects(arguments, "breakpoints")
        goes_on = self._pause_quietly()
        debugger = self._stopped()
        for number in self._breakpoints.pop(path, []):
            if number in debugger.breakpoints:
                debugger.delete_breakpoint(number)
        numbers = self._breakpoints[path] = []
        self._channel.respond(
            request, {"breakpoints": [_set_breakpoint(debugger, path, point, numbers) for point in wanted]}
        )
        return (lambda: self._run(debugger.resume)) if goes_on else None

    def _set_exception_breakpoints(self, request: Json, arguments: Json) -> None:
        self._channel.respond(request)  # faults always stop

    # State

    def _threads(self, request: Json, arguments: Json) -> None:
        is_known = self._debugger is not None and not self._is_running
        found = views.threads(self._stopped()) if is_known else [{"id": 1, "name": "kernel"}]
        self._channel.respond(request, {"threads": found})

    def _stack_trace(self, request: Json, arguments: Json) -> None:
        frames = views.stack(self._stopped(), fields.number(arguments, "threadId"))
        self._channel.respond(request, {"stackFrames": frames, "totalFrames": len(frames)})

    def _scopes(self, request: Json, arguments: Json) -> None:
        self._channel.respond(request, {"scopes": views.scopes(fields.number(arguments, "frameId"))})

    def _variables(self, request: Json, arguments: Json) -> None:
        found = views.variables(self._stopped(), fields.number(arguments, "variablesReference"))
        self._channel.respond(request, {"variables": found})

    def _set_variable(self, request: Json, arguments: Json) -> None:
        self._channel.respond(request, views.set_variable(self._stopped(), arguments))

    def _evaluate(self, request: Json, arguments: Json) -> None:
        self._channel.respond(request, views.evaluate(self._stopped(), arguments))

    def _read_memory(self, request: Json, arguments: Json) -> None:
        self._channel.respond(request, views.read_memory(self._stopped(), arguments))

    def _write_memory(self, request: Json, arguments: Json) -> None:
        self._channel.respond(request, views.write_memory(self._stopped(), arguments))

    def _disassemble(self, request: Json, arguments: Json) -> None:
        self._channel.respond(request, {"instructions": views.disassemble(self._stopped(), arguments)})


def _set_breakpoint(debugger: RemoteDebugger, path: str, point: Json, numbers: list[int]) -> Json:
    """Sets a breakpoint at a line, and returns the editor's description of it."""
    try:
        line = fields.number(point, "line")
        # Line tables have the names that the compiler was given, editors have whole paths.
        made = debugger.add_breakpoint(f"{Path(path).name}:{line}", fields.text(point, "condition", ""))
    except DebugError as error:
        return {"verified": False, "message": str(error)}
    numbers.append(made.number)
    return {"id": made.number, "verified": bool(debugger.instructions_of(made)), "line": line}


_Handler = Callable[[DapServer, Json, Json], Callable[[], None] | None]

_HANDLERS: Mapping[str, _Handler] = {
    "initialize": DapServer._initialize,
    "launch": DapServer._launch,
    "attach": DapServer._attach,
    "configurationDone": DapServer._configuration_done,
    "disconnect": DapServer._disconnect,
    "terminate": DapServer._terminate,
    "continue": DapServer._continue,
    "next": DapServer._next,
    "stepIn": DapServer._step_in,
    "stepOut": DapServer._step_out,
    "pause": DapServer._pause,
    "setBreakpoints": DapServer._set_breakpoints,
    "setExceptionBreakpoints": DapServer._set_exception_breakpoints,
    "threads": DapServer._threads,
    "stackTrace": DapServer._stack_trace,
    "scopes": DapServer._scopes,
    "variables": DapServer._variables,
    "setVariable": DapServer._set_variable,
    "evaluate": DapServer._evaluate,
    "readMemory": DapServer._read_memory,
    "writeMemory": DapServer._write_memory,
    "disassemble": DapServer._disassemble,
}
"""The requests, and the functions that answer them; a function that one returns is called after the answer."""
