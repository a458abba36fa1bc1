"""The text of source files, for listings that show code next to what it was compiled from."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_MAX_FILE = 64 << 20
"""Bytes of a source file beyond which its text is not shown."""


@cache
def source_lines(file: str) -> tuple[str, ...]:
    """Lines of a file, none if it is not there, as is usual when a binary comes from another machine."""
    try:
        path = Path(file)
        if not path.is_file() or path.stat().st_size > _MAX_FILE:
            return ()
        return tuple(path.read_text(errors="replace").splitlines())
    except (OSError, ValueError):
        return ()


def printable(text: str) -> str:
    """What a file says must not command a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
