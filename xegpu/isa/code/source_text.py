"""The text of source files, for listings that show code next to what it was compiled from."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_MAX_FILE = 64 << 20
"""Bytes of a source file beyond which its text is not shown."""


@cache
def source_lines(file: str) -> tuple[str, ...]:
    """Returns the lines of a file, none if it does not exist, as is usual for binaries from another machine."""
    try:
        path = Path(file)
        if not path.is_file() or path.stat().st_size > _MAX_FILE:
            return ()
        return tuple(path.read_text(errors="replace").splitlines())
    except (OSError, ValueError):
        return ()


def printable(text: str) -> str:
    """Returns the text with control characters escaped, so that a file cannot send commands to a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
