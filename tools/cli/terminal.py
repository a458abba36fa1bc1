"""Colors on terminals."""

from __future__ import annotations

import os
from enum import Enum
from typing import TextIO

COLOR_CHOICES = ("auto", "always", "never")


def is_colored(choice: str, stream: TextIO) -> bool:
    """Returns whether text for a stream has colors: `auto` means on terminals that have them.

    A variable NO_COLOR that is not empty turns them off (https://no-color.org).
    """
    if choice != "auto":
        return choice == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class Style(Enum):
    """A style of text, with its parameters of the control sequence SGR (ECMA-48, 8.3.117)."""

    HEADING = "1"
    TITLE = "1;36"
    ERROR = "1;31"
    WARNING = "33"
    REMARK = "2"
    ADDED = "32"
    REMOVED = "31"


def styled(text: str, style: Style) -> str:
    """Returns the text in a style."""
    return f"\x1b[{style.value}m{text}\x1b[0m"
