"""Why `xegpu-run` cannot do what it was asked for."""

from __future__ import annotations


class RunError(Exception):
    """Something is wrong with the input, an argument or the launch. `str()` is for the user: place, `error:`, text."""

    def __init__(self, text: str, place: str = "xegpu-run") -> None:
        super().__init__(f"{place}: error: {text}")


class UsageError(RunError):
    """The command line contradicts itself or names what there is not."""


class ReportedError(RunError):
    """Errors that were already put into words, with their places."""

    def __init__(self, text: str) -> None:
        Exception.__init__(self, text)
