"""Errors of `xegpu-run`."""

from __future__ import annotations


class RunError(Exception):
    """An error in the input, an argument or the launch. `str()` is the message for the user, with location."""

    def __init__(self, text: str, place: str = "xegpu-run") -> None:
        super().__init__(f"{place}: error: {text}")


class UsageError(RunError):
    """An error in the command line."""


class ReportedError(RunError):
    """Errors whose messages are complete already, with locations."""

    def __init__(self, text: str) -> None:
        Exception.__init__(self, text)
