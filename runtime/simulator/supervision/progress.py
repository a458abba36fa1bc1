"""The setting that turns progress bars on or off."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from runtime.simulator.supervision.watch import Progress, ProgressMaker
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # rich takes a tenth of a second, and only launches that take seconds need it
    import runtime.simulator.supervision.progress_bar as progress_bar

VARIABLE = "XEGPU_PROGRESS"
"""`always`, `never`, or `auto` (the default): when standard error is a terminal."""


def show_progress(kernel: str, groups: int) -> Progress | None:
    """Returns a progress bar on standard error, None if another launch has one there."""
    return progress_bar.progress_bar(kernel, groups)


def default_progress(environment: Mapping[str, str] = os.environ) -> ProgressMaker | None:
    """Returns the progress display that the environment asks for. Raises `ValueError` for an unknown word."""
    wish = environment.get(VARIABLE) or "auto"
    if wish not in ("auto", "always", "never"):
        raise ValueError(f"{VARIABLE}={wish} in the environment is none of auto, always, never")
    return show_progress if wish == "always" or (wish == "auto" and sys.stderr.isatty()) else None
