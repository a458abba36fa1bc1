"""What an instruction is decoded to."""

from __future__ import annotations

from collections.abc import Callable

Step = Callable[[], int | None]
"""Executes one instruction on the thread it was made for; returns the index of the next one if it jumps."""

END = -1
"""What a step returns that ends the thread."""

WAIT = -2
"""What a step returns that is to be done again when other threads have run."""

YIELD = -3
"""Why a thread stops that has been in a spinning loop for a while; no step returns it."""
