"""The session of an editor: the program, its debugger, and what the editor is told while kernels run."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO

from runtime.debugger import DebugError, Stop, StopReason
from tools.debug.dap.messages import Json, MessageChannel
from tools.debug.remote.debugger import RemoteDebugger
from tools.debug.remote.programs import attached, end_program

_REASONS = {
    StopReason.BREAKPOINT: "breakpoint",
    StopReason.STEP: "step",
    StopReason.INTERRUPT: "pause",
    StopReason.FAULT: "exception",
    StopReason.ENTRY: "entry",
}


@dataclass(frozen=True)
class DapResponse:
    """The body of a response, and what follows when it has been sent."""

    body: Json | None = None
    after: Callable[[], None] | None = None


class DapSession:
    """A debugging session of an editor. While the program runs, a thread waits for it to stop.

    Attributes:
        channel: The connection with the editor.
        program: The program, if the session has started it and ends it.
        breakpoints: The numbers of the breakpoints of each source.
        is_running: True while kernels run.
    """

    def __init__(self, channel: MessageChannel) -> None:
        self.channel = channel
        self.program: subprocess.Popen[bytes] | None = None
        self.breakpoints: dict[str, list[int]] = {}
        self.is_running = False
        self._debugger: RemoteDebugger | None = None
        self._runner: threading.Thread | None = None
        self._outputs: list[threading.Thread] = []
        self._is_paused_quietly = False
        self._first: Stop | None = None

    @property
    def debugger(self) -> RemoteDebugger:
        """The debugger, of a program that runs, too."""
        if self._debugger is None:
            raise DebugError("there is no program: launch or attach")
        return self._debugger

    @property
    def is_stopped(self) -> bool:
        """True if a kernel is stopped."""
        return self._debugger is not None and not self.is_running and self._debugger.state.is_stopped

    def stopped(self) -> RemoteDebugger:
        """Returns the debugger of a program that does not run."""
        debugger = self.debugger
        if self.is_running:
            raise DebugError("the program runs: pause it")
        return debugger

    def require_new(self) -> None:
        """Raises `DebugError` if the session has a program."""
        if self._debugger is not None:
            raise DebugError("the session has begun")

    def attach(self, process: int, device: int | None) -> None:
        """Attaches to a process, which waits then for `begin`."""
        self._debugger = attached(process, device, self.program)
        if self.program is not None:
            self._debugger.wait_for_module()
        else:
            self._first = self._debugger.catch()

    def begin(self) -> None:
        """Lets the program go on to its first stop, or tells where it is."""
        first, self._first = self._first, None
        if first is not None:
            self._tell(first)
        else:
            self.run(self.debugger.resume)

    def close(self) -> None:
        """Ends the session: the program goes on, or ends if it was started here."""
        debugger = self._debugger
        if debugger is not None:
            self.pause_quietly()
            debugger.close()
        if self.program is not None:
            end_program(self.program)

    def forward(self, category: str, stream: IO[bytes]) -> None:
        """Begins to tell the editor what the program writes."""
        thread = threading.Thread(target=self._forward, args=(category, stream), daemon=True)
        self._outputs.append(thread)
        thread.start()

    def _forward(self, category: str, stream: IO[bytes]) -> None:
        with stream:
            while data := stream.readline(65536):
                self.channel.event("output", {"category": category, "output": data.decode("utf-8", "replace")})

    def run(self, go: Callable[[], Stop]) -> None:
        """Lets the program run, and tells the editor where it stops."""
        self.is_running = True
        self._runner = threading.Thread(target=self._running, args=(go,), daemon=True)
        self._runner.start()

    def _running(self, go: Callable[[], Stop]) -> None:
        try:
            stop = go()
        except DebugError as error:
            self.channel.event("output", {"category": "stderr", "output": f"{error}\n"})
            stop = Stop(StopReason.END)
        self.is_running = False
        if not (self._is_paused_quietly and stop.reason is StopReason.INTERRUPT):
            self._is_paused_quietly = False
            self._tell(stop)

    def _tell(self, stop: Stop) -> None:
        if stop.reason is StopReason.END:
            status = 0
            if self.program is not None:
                status = self.program.wait()
                for thread in self._outputs:
                    thread.join()
            self.channel.event("exited", {"exitCode": status})
            self.channel.event("terminated")
            return
        body: dict[str, object] = {
            "reason": _REASONS[stop.reason],
            "threadId": stop.thread + 1,
            "allThreadsStopped": True,
        }
        if stop.note or stop.problem:
            body["text"] = stop.note or stop.problem
        self.channel.event("stopped", body)

    def pause_quietly(self) -> bool:
        """Stops a program that runs, without telling the editor; returns whether it must be resumed."""
        runner, debugger = self._runner, self._debugger
        if runner is None or debugger is None or not self.is_running:
            return False
        self._is_paused_quietly = True
        debugger.interrupt()
        runner.join()
        is_paused, self._is_paused_quietly = self._is_paused_quietly, False
        return is_paused
