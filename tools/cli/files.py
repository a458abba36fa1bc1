"""Files and standard streams, which `-` stands for."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tools.cli.errors import CommandError, UsageError

STANDARD_STREAM = "-"


def display_name(file: str, stream: str = "<stdin>") -> str:
    """Returns the name of a file in messages, with control characters escaped; `stream` stands for `-`."""
    if file == STANDARD_STREAM:
        return stream
    return file if file.isprintable() else file.encode("unicode_escape", "backslashreplace").decode("ascii")


def reason(error: OSError | ValueError) -> str:
    """Returns the text of an error without its number and file."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def read_bytes(file: str, limit: int) -> bytes:
    """Returns the contents of a file or of standard input.

    Raises:
        CommandError: If it cannot be read, or is larger than `limit` bytes.
    """
    name = display_name(file)
    try:
        if file == STANDARD_STREAM:
            data = sys.stdin.buffer.read(limit + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(limit + 1)
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot be read: {reason(error)}", name) from None
    if len(data) > limit:
        raise CommandError(f"larger than {limit >> 20} MiB", name)
    return data


def write_bytes(file: str, data: bytes) -> None:
    """Writes a file, completely or not at all, or standard output.

    Raises:
        CommandError: If it cannot be written.
        BrokenPipeError: If standard output is a pipe that its reader has closed.
    """
    try:
        if file == STANDARD_STREAM:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            with replaced(file) as stream:
                stream.write(data)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot be written: {reason(error)}", display_name(file, "<stdout>")) from None


@contextmanager
def replaced(file: str) -> Iterator[IO[bytes]]:
    """Opens a file for writing, which has its new contents at the end of `with`, and its old ones if that raises.

    Devices, pipes, and files in a folder that takes no others are written in place.

    Raises:
        CommandError: The file cannot be written.
        BrokenPipeError: It is a pipe that its reader has closed.
    """
    try:
        path = Path(file).resolve()
        is_plain = path.is_file() or not path.exists()
        if not is_plain or not os.access(path.parent, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
            with path.open("wb") as stream:
                yield stream
            return
        unfinished = path.with_name(f".{path.name[:100]}.{os.getpid()}.part")
        try:
            with unfinished.open("xb") as stream:
                yield stream
            if path.exists():
                unfinished.chmod(path.stat().st_mode)
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot be written: {reason(error)}", display_name(file)) from None


def refuse_terminal(file: str) -> None:
    """Raises `UsageError` if binary output would go to a terminal."""
    if file == STANDARD_STREAM and sys.stdout.isatty():
        raise UsageError("the output is binary and standard output is a terminal: name a file with -o, or redirect it")
