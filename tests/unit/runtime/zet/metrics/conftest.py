"""Worlds of each test's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.unit.runtime.zet.metrics.world import World


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A world whose simulator has a script."""
    made = World(monkeypatch)
    yield made
    made.end()


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A world that executes kernels."""
    made = World.executing(monkeypatch)
    yield made
    made.end()
