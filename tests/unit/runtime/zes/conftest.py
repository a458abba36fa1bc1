"""A world of each test's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.runtime.zes.world import World


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> World:
    return World(monkeypatch, str(tmp_path))
