"""Worlds of each test's own."""

from __future__ import annotations

from tests.unit.runtime.zet.metrics.conftest import machine, world

__all__ = ["machine", "world"]
