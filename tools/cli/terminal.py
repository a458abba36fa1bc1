"""Colors on terminals."""

from __future__ import annotations

import os
from typing import TextIO

COLOR_CHOICES = ("auto", "always", "never")


def is_colored(choice: str, stream: TextIO) -> bool:
    """Returns whether text for a stream has colors: `auto` means on terminals that have them.

    A variable NO_COLOR that is not empty turns them off (https://no-color.org).
    """
    if choice != "auto":
        return choice == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
