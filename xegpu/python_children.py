"""Python in processes of its own, whose modules a file of the working directory cannot replace."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_SAFE_PATH = "PYTHONSAFEPATH"
"""The environment variable by which Python leaves the working directory out of its search path, as `-P` does."""

_lock = Lock()
_asked: list[str | None] = []
"""What the variable was before each of those asked who have not left yet."""


def module_command(module: str) -> list[str]:
    """Returns the words that begin a command which runs a module."""
    return [sys.executable, "-P", "-m", module]


@contextmanager
def safe_path() -> Iterator[None]:
    """Lets the processes that `multiprocessing` starts in the meantime leave the working directory out of their path.

    They are started with `python -c`, which would look there first, and no argument of theirs can be chosen.
    """
    with _lock:
        _asked.append(os.environ.get(_SAFE_PATH))
        os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        with _lock:
            before = _asked.pop()
            if before is not None:
                os.environ[_SAFE_PATH] = before
            elif not _asked:
                del os.environ[_SAFE_PATH]
