"""The driver of `xegpu-debug`: attaches to a program, and executes commands or serves an editor."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import IO

from runtime.debugger import DebugError, Shell, Stop
from tools.cli import CommandError, ExitStatus, reason
from tools.debug.command import AttachOptions
from tools.debug.dap import serve
from tools.debug.remote.debugger import RemoteDebugger
from tools.debug.remote.programs import attached, end_program, start_program


def run(options: AttachOptions) -> int:
    """Executes the command line. Returns 0, or 1 if a program that was started here has failed.

    Raises:
        CommandError: The program cannot be debugged.
    """
    if options.dap:
        if not serve(sys.stdin.buffer, sys.stdout.buffer):
            raise CommandError("what came from the editor is no message of the Debug Adapter Protocol")
        return ExitStatus.SUCCESS
    with _program(options) as program, _commands(options.script) as commands:
        process = options.process if program is None else program.pid
        assert process is not None
        debugger = attached(process, options.device, program)
        shell = Shell(debugger, _nothing, commands, is_script=commands is not None)
        try:
            _begin(shell, debugger, options.breakpoints, is_new=program is not None)
            shell.cmdloop()
        except DebugError as error:
            raise CommandError(str(error)) from None
        finally:
            debugger.close()
        if program is not None and (debugger.has_ended or debugger.was_detached):
            return ExitStatus.FAILURE if program.wait() else ExitStatus.SUCCESS
    return ExitStatus.SUCCESS


def _begin(shell: Shell, debugger: RemoteDebugger, places: Sequence[str], *, is_new: bool) -> None:
    """Brings the program to where commands begin: a breakpoint, or its first module, or where it is."""
    stop: Stop | None = None
    if is_new:
        if not debugger.wait_for_module():
            raise CommandError("the program has ended before it has loaded a kernel")
        for place in places:
            shell.add_breakpoint(place)
        stop = debugger.resume() if places else None
    else:
        stop = debugger.catch()
        for place in places:
            shell.add_breakpoint(place)
    if stop is not None:
        shell.show(stop)
    elif is_new:
        print("The program has loaded its first module and waits: set breakpoints, then continue.", flush=True)
    else:
        print("No kernel is running: set breakpoints, then continue.", flush=True)


def _nothing() -> None:
    """Stands for the launch, which the program does itself."""


@contextlib.contextmanager
def _commands(script: str | None) -> Iterator[IO[str] | None]:
    """Yields where commands are read: None for the terminal."""
    if script is not None:
        try:
            with open(script, encoding="utf-8", errors="replace") as file:
                yield io.StringIO(file.read())
        except OSError as error:
            raise CommandError(f"{script}: {reason(error)}") from None
    else:
        yield None if sys.stdin.isatty() else sys.stdin


@contextlib.contextmanager
def _program(options: AttachOptions) -> Iterator[subprocess.Popen[bytes] | None]:
    """Yields the program that is started, if one is; it does not outlive this."""
    if options.process is not None:
        yield None
        return
    program = start_program(options.program, {})
    try:
        yield program
    finally:
        end_program(program)
