"""Programs that are debugged: those that are started here, and attaching to them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence

from runtime import ZeError, ze
from runtime.debuggee import VARIABLES, WAIT_VARIABLE
from runtime.ze.driver import Device, simulated_driver, system_cards
from tools.cli import CommandError, UsageError, reason
from tools.debug.remote.debugger import RemoteDebugger

_WAIT_SECONDS = 60
"""The time that a program waits for its debugger."""

_LOOK_SECONDS = 0.02

_END_SECONDS = 5.0
"""The time that a program has to end when it is told so."""


def start_program(
    words: Sequence[str], environment: Mapping[str, str], folder: str = ".", *, captures: bool = False
) -> subprocess.Popen[bytes]:
    """Starts a program that waits for its debugger.

    Args:
        words: The program and its arguments.
        environment: Variables in addition to those of this process.
        folder: The folder in which it runs.
        captures: True to read what it writes.

    Raises:
        CommandError: It cannot be started.
    """
    variables = {**os.environ, **environment, VARIABLES[0]: "1", WAIT_VARIABLE: str(_WAIT_SECONDS)}
    output = subprocess.PIPE if captures else None
    try:
        # Its own group, so that Ctrl-C stops its kernels and does not end it.
        return subprocess.Popen(
            words, env=variables, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output, process_group=0
        )
    except (OSError, ValueError) as error:
        text = reason(error) if isinstance(error, OSError) else str(error)
        raise CommandError(f"{words[0]}: {text}") from None


def end_program(program: subprocess.Popen[bytes]) -> None:
    """Ends a program, if it has not ended."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if program.poll() is None:
            program.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(_END_SECONDS)


def attached(process: int, device: int | None, program: subprocess.Popen[bytes] | None) -> RemoteDebugger:
    """Returns a debugger that is attached to a process.

    Args:
        process: The process.
        device: The number of the card; None for all that the process uses.
        program: The process, if it was started here and perhaps has not come so far.

    Raises:
        CommandError: It cannot be debugged.
    """
    cards = _cards()
    if device is not None and not 0 <= device < len(cards):
        raise UsageError(f"there is no card {device}, the system has {len(cards)}")
    wanted = cards if device is None else [cards[device]]
    while True:
        try:
            return RemoteDebugger(wanted, process)
        except ZeError as error:
            if program is None:
                raise CommandError(error.text) from None
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
