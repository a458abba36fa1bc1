"""Where in the application a call was made."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

_OURS = str(Path(__file__).parents[2])
"""The folder of the runtime, whose own frames are not the application's."""


@dataclass(frozen=True, slots=True)
class Site:
    """A line of the application, in the function of that name."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} in {self.function}"


def calling_site() -> Site:
    """The innermost frame outside of the runtime; its outermost one if there is none outside."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename.startswith(_OURS) and frame.f_back is not None:
        frame = frame.f_back
    return Site(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_qualname)
