"""Supervision of a running launch: limits, progress and cancellation."""

from __future__ import annotations

from runtime.simulator.supervision.limits import parse_bytes

__all__ = [
    "parse_bytes",
]
