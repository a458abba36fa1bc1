"""Device memory for checks."""

from __future__ import annotations

from collections.abc import Collection

from runtime.simulator.checks.table import Check
from runtime.simulator.memory import Memory

RED_ZONE = 256
"""Bytes in front of and behind each allocation."""

QUARANTINE = 64 << 20
"""Bytes of freed allocations that are not used again."""


def checking_memory(checks: Collection[Check], limit: int | None = None) -> Memory:
    """Memory of up to `limit` bytes, as the checks need it."""
    guards = Check.MEMORY in checks
    return Memory(
        limit,
        red_zone=RED_ZONE if guards else 0,
        quarantine=QUARANTINE if guards else 0,
        tracks_values=Check.UNINITIALIZED in checks,
    )
