"""What goes wrong in a debugger because of what it was asked for."""

from __future__ import annotations


class DebugError(Exception):
    """Something that cannot be done or shown; the text says what and why."""
