"""Errors that end a command."""

from __future__ import annotations


class CommandError(Exception):
    """An error in the input or in the work of a command, which ends it with status 1.

    Args:
        text: The message, one line.
        location: The file, or the position in it, that the message is about; without one, it is about the command.
    """

    def __init__(self, text: str, location: str | None = None) -> None:
        super().__init__(text)
        self._location = location

    def message(self, command: str) -> str:
        """Returns the text for the user: `LOCATION: error: TEXT`."""
        return f"{self._location or command}: error: {self}"


class UsageError(CommandError):
    """An error in the command line, which ends the command with status 2."""


class ReportedError(CommandError):
    """Errors whose lines are complete already, with locations."""

    def message(self, command: str) -> str:
        return str(self)
