"""Errors of the debugger's user."""

from __future__ import annotations


class DebugError(Exception):
    """A request that cannot be fulfilled; the text says what and why."""
