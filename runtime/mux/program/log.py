"""The log of a module: what its compiler says, and how many errors there were."""

from __future__ import annotations

from collections.abc import Callable

from xegpu.records import dataclass

NotifyCallback = Callable[[str, bytes], object]
"""Takes messages for the user, with data that belong to them (specification: `NotifyCallbackFn`)."""


@dataclass
class BuildLog:
    """The messages of a module (specification: the references `num_errors` and `log` of `createModule`)."""

    num_errors: int = 0
    text: str = ""

    def add(self, message: str) -> None:
        """Appends a message as lines of their own."""
        self.text += message.rstrip("\n") + "\n"

    def clear(self) -> None:
        """Forgets everything."""
        self.num_errors = 0
        self.text = ""
