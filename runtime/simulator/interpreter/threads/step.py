"""Steps: the decoded form of instructions."""

from __future__ import annotations

from collections.abc import Callable

Step = Callable[[], int | None]
"""Executes one instruction on the thread it was made for; returns the index of the next one if it jumps."""

END = -1
"""The result of a step that ends the thread."""

WAIT = -2
"""The result of a step that has to be repeated when other threads have run."""

YIELD = -3
"""The outcome of a thread that has spun for a quantum; no step returns it."""
