"""The driver of `xegpu-debug`: attaches to a program, and executes commands."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import IO

from runtime import ZeError, ze
from runtime.debuggee import VARIABLES, WAIT_VARIABLE
from runtime.debugger import DebugError, Shell, Stop
from runtime.ze.driver import Device, simulated_driver, system_cards
from tools.cli import CommandError, ExitStatus, UsageError, reason
from tools.debug.command import AttachOptions
from tools.debug.remote import RemoteDebugger

_WAIT_SECONDS = 60
"""The time that a program waits for its debugger."""

_LOOK_SECONDS = 0.02

_END_SECONDS = 5.0
"""The time that a program has to end when it is told so."""


def run(options: AttachOptions) -> int:
    """Executes the command line. Returns 0, or 1 if a program that was started here has failed.

    Raises:
        CommandError: The program cannot be debugged.
    """
    with _program(options) as program, _commands(options.script) as commands:
        process = options.process if program is None else program.pid
        assert process is not None
        debugger = attached(process, options.device, program)
        is_terminal = commands is None
        shell = Shell(debugger, _nothing, commands, is_script=not is_terminal)
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
    environment = {**os.environ, VARIABLES[0]: "1", WAIT_VARIABLE: str(_WAIT_SECONDS)}
    try:
        # Its own group, so that Ctrl-C stops its kernels and does not end it.
        program = subprocess.Popen(options.program, env=environment, stdin=subprocess.DEVNULL, process_group=0)
    except OSError as error:
        raise CommandError(f"{options.program[0]}: {reason(error)}") from None
    try:
        yield program
    finally:
        _end(program)


def _end(program: subprocess.Popen[bytes]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        if program.poll() is None:
            program.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(_END_SECONDS)


def attached(process: int, device: int | None, program: subprocess.Popen[bytes] | None) -> RemoteDebugger:
    """Returns a debugger that is attached to a process.

    Args:
        process: The process.
        device: The number of the card; None for the first that the process uses.
        program: The process, if it was started here and perhaps has not come so far.

    Raises:
        CommandError: It cannot be debugged.
    """
    cards = _cards()
    if device is not None and device >= len(cards):
        raise UsageError(f"there is no card {device}, the system has {len(cards)}")
    wanted = cards if device is None else [cards[device]]
    while True:
        problems = []
        for card in wanted:
            try:
                return RemoteDebugger(card, process)
            except ZeError as error:
                problems.append(error)
        if program is None:
            raise CommandError(problems[-1].text)
        status = program.poll()
        if status is not None:
            raise CommandError(f"the program has ended with status {status} before it has used a card")
        time.sleep(_LOOK_SECONDS)


def _cards() -> list[Device]:
    """Returns the cards of the system, as a debugger that is none of their users."""
    for variable in (*VARIABLES, WAIT_VARIABLE):
        os.environ.pop(variable, None)
    try:
        return ze.zeDeviceGet(simulated_driver(system_cards()))
    except (ValueError, ZeError) as error:
        raise CommandError(str(error)) from None
