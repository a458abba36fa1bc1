"""Execution of commands: standard streams, errors and exit statuses."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import TextIO, TypeVar

from tools.cli.errors import CommandError, UsageError
from tools.cli.files import reason

O = TypeVar("O")  # noqa: E741 - the options of a command


class ExitStatus(IntEnum):
    """The exit statuses that mean the same for every command.

    Those above 128 are the ones that shells report for commands that end by a signal: SIGINT and SIGPIPE.
    """

    SUCCESS = 0
    FAILURE = 1
    USAGE = 2
    INTERRUPTED = 128 + 2
    READER_GONE = 128 + 13


def execute(
    command: str,
    argv: Sequence[str] | None,
    parse: Callable[[Sequence[str] | None], O],
    run: Callable[[O], int],
    failure: Callable[[O], int] = lambda _: ExitStatus.FAILURE,
) -> int:
    """Runs a command and returns its exit status. Errors become messages on standard error.

    A reader that closes its pipe has seen enough: that ends the command without a message.

    Args:
        command: The name of the command, for messages.
        argv: The arguments; None for those of the process.
        parse: Parses the arguments. Exits with status 2 if they are wrong.
        run: Does the work and returns the exit status.
        failure: Returns the exit status for errors, if it is another one than 1.
    """
    _prepare_streams()
    status: int = ExitStatus.FAILURE
    try:
        try:
            options = parse(argv)
            status = failure(options)
            result = run(options)
        finally:
            sys.stdout.flush()
    except UsageError as error:
        complain(error.message(command))
        return ExitStatus.USAGE
    except CommandError as error:
        complain(error.message(command))
    except BrokenPipeError:
        _discard_output()
        return ExitStatus.READER_GONE
    except OSError as error:
        # Commands report the files that they read and write; what is left is standard output.
        complain(f"{error.filename or '<stdout>'}: error: cannot be written: {reason(error)}")
        _discard_output()
    except MemoryError:
        complain(f"{command}: error: out of memory")
    except KeyboardInterrupt:
        _discard_output()
        complain(f"{command}: interrupted")
        return ExitStatus.INTERRUPTED
    else:
        return result
    return status


def complain(text: str) -> None:
    """Prints lines on standard error, after flushing standard output."""
    sys.stdout.flush()
    print(text, file=sys.stderr)


def _prepare_streams() -> None:
    """Makes closed standard streams empty, and lets the others escape characters that their encoding lacks."""
    sys.stdin = sys.stdin or _nothing()
    sys.stdout = sys.stdout or _nothing()
    sys.stderr = sys.stderr or _nothing()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Redirects standard output, because Python reports the failure again when it closes the stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _nothing() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_RDWR), "w+", encoding="utf-8")
