"""Whether long launches show how far they are."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from runtime.simulator.supervision.watch import Progress, ProgressMaker

VARIABLE = "XEGPU_PROGRESS"
"""`always`, `never`, or `auto` (the default): when standard error is a terminal."""


def show_progress(kernel: str, groups: int) -> Progress | None:
    """A bar on standard error, unless another launch has one there."""
    # Only launches that take seconds need what takes a tenth of one to import.
    from runtime.simulator.supervision.progress_bar import progress_bar

    return progress_bar(kernel, groups)


def default_progress(environment: Mapping[str, str] = os.environ) -> ProgressMaker | None:
    """What the environment asks for: bars or nothing. Raises `ValueError` for an unknown word."""
    wish = environment.get(VARIABLE) or "auto"
    if wish not in ("auto", "always", "never"):
        raise ValueError(f"{VARIABLE}={wish} in the environment is none of auto, always, never")
    return show_progress if wish == "always" or (wish == "auto" and sys.stderr.isatty()) else None
