"""The line of the application from which a call was made."""

from __future__ import annotations

import sys
from pathlib import Path

from xegpu.on_demand import dataclass

_API = str(Path(__file__).parents[2])
"""The folder of the API, whose own frames are no callers."""

_RUNTIME = str(Path(__file__).parents[3])
"""The folder of the runtime, whose frames are not the application's."""


@dataclass(frozen=True, slots=True)
class CallSite:
    """A line of the application, in the function of that name; a program in C has no lines here.

    `is_managed` is True for a call that the Python API makes, which manages what it creates.
    """

    file: str
    line: int
    function: str
    is_managed: bool = False

    def __str__(self) -> str:
        return f"{self.file}:{self.line} in {self.function}" if self.line else self.file


def calling_site() -> CallSite:
    """Returns the innermost frame outside the runtime; the outermost one if all are inside."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename.startswith(_API) and frame.f_back is not None:
        frame = frame.f_back
    is_managed = frame.f_code.co_filename.startswith(_RUNTIME)
    while frame.f_code.co_filename.startswith(_RUNTIME) and frame.f_back is not None:
        frame = frame.f_back
    if frame.f_code.co_filename.startswith("<ze"):  # the callable behind a function of C
        return CallSite("a program in C", 0, frame.f_code.co_qualname)
    return CallSite(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_qualname, is_managed)
