"""Device memory for checks."""

from __future__ import annotations

from collections.abc import Collection

from runtime.simulator.checks.table import Check
from runtime.simulator.memory import Memory

RED_ZONE = 256
"""Bytes before and after each allocation that belong to none."""

QUARANTINE = 64 << 20
"""Bytes of freed allocations that are not reused."""


def checking_memory(checks: Collection[Check], limit: int | None = None) -> Memory:
    """Returns memory of up to `limit` bytes, with the features that the checks need."""
    guards = Check.MEMORY in checks
    return Memory(
        limit,
        red_zone=RED_ZONE if guards else 0,
        quarantine=QUARANTINE if guards else 0,
        tracks_values=Check.UNINITIALIZED in checks,
    )
