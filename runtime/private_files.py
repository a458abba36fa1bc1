"""Files that the user alone can write, which is what makes them fit to be run or believed by later processes."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path

UNFINISHED = ".part"
"""The end of the names of files that are being written. A process that is killed leaves its own behind."""


class NotPrivate(OSError):
    """Somebody else could write a file or a directory."""


def is_private(facts: os.stat_result) -> bool:
    """Returns whether nobody but the user can write to a file or directory. Systems without owners are trusted."""
    if not hasattr(os, "geteuid"):
        return True
    return facts.st_uid == os.geteuid() and not facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def private_directory(path: Path) -> Path:
    """Returns a directory, which is made if it is not there.

    Raises:
        NotPrivate: It is a link or no directory, or others can write it.
        OSError: It cannot be made.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    facts = path.lstat()
    if not stat.S_ISDIR(facts.st_mode) or not is_private(facts):
        raise NotPrivate(f"{path} is not a directory that the user alone can write")
    return path


def open_private(path: Path) -> io.FileIO | None:
    """Opens a file for reading; returns None if it, or its directory, could have been written by others.

    Raises:
        OSError: It cannot be opened, or is a link.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    # The function `open` is gone when the interpreter ends, and finalizers of applications may launch kernels then.
    file = io.FileIO(os.open(path, flags))
    facts = os.fstat(file.fileno())
    if stat.S_ISREG(facts.st_mode) and is_private(facts) and is_private(path.parent.stat()):
        return file
    file.close()
    return None


def write_private(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Replaces a file in a private directory, which is made if it is not there; readers see all of it or nothing.

    Raises:
        OSError: It cannot be written; what was there stays.
    """
    directory = private_directory(path.parent)
    unfinished = directory / f"{path.name}.{os.getpid()}.{id(data):x}{UNFINISHED}"
    try:
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), mode)
        with io.BufferedWriter(io.FileIO(handle, "wb")) as file:
            file.write(data)
        os.replace(unfinished, path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
