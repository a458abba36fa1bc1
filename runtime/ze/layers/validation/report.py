"""Reports on standard error, for problems that no call can report."""

from __future__ import annotations

import sys
from collections.abc import Sequence

_MOST = 100
"""The largest number of lines of one report."""


def report(headline: str, lines: Sequence[str]) -> None:
    """Writes a headline and, below it, the first of the lines."""
    shown = [f"  {line}" for line in lines[:_MOST]]
    if len(lines) > _MOST:
        shown.append(f"  ... and {len(lines) - _MOST} more")
    print("\n".join((f"Level Zero validation: {headline}", *shown)), file=sys.stderr)
