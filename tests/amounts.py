"""Tells how many random examples tests draw."""

from __future__ import annotations

import os

ALL = "XEGPU_TEST_ALL"
"""The environment variable that is set in the processes of `pytest --all`."""


def examples(count: int) -> int:
    """Returns the number of examples of a test that draws `count` with `--all`: a plain run draws a sixth."""
    return count if ALL in os.environ else max(count // 6, 1)
