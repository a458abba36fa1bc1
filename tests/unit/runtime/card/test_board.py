"""Boards of cards: how long their files are open."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from runtime.card import board_of


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_boards_of_other_directories_are_closed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A board is the same object as long as the runtime directory is the same, and nobody keeps the one before."""
    monkeypatch.setenv("XEGPU_RUNTIME_DIR", str(tmp_path / "first"))
    assert board_of("card") is board_of("card")
    gc.collect()
    before = open_files()
    for number in range(20):
        monkeypatch.setenv("XEGPU_RUNTIME_DIR", str(tmp_path / str(number)))
        board_of("card").enter()
    gc.collect()
    assert open_files() <= before


def test_a_board_in_use_stays_open(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XEGPU_RUNTIME_DIR", str(tmp_path / "first"))
    settings = board_of("card").settings
    monkeypatch.setenv("XEGPU_RUNTIME_DIR", str(tmp_path / "second"))
    board_of("card")
    gc.collect()
    settings.set(name=3)
    monkeypatch.setenv("XEGPU_RUNTIME_DIR", str(tmp_path / "first"))
    assert board_of("card").settings.number("name", 0) == 3
