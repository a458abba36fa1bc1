"""Boards of cards: how long their files are open."""

from __future__ import annotations

import errno
import fcntl
import gc
import os
import stat
from pathlib import Path

import pytest

from runtime.card import Board, CardBusy, board_of, locking
from runtime.card.card_file import keep_to_itself
from runtime.card.counters import CardCount, add


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


class TestFile:
    """A file in any state leaves a card that works, and one line on standard error if others do not see its state."""

    @pytest.fixture(autouse=True)
    def directory(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
        monkeypatch.setenv("XEGPU_RUNTIME_DIR", str(tmp_path))
        keep_to_itself.cache_clear()
        return tmp_path

    def used(self) -> Board:
        board = Board("card")
        board.settings.set(a=1.0)
        add(board.own, CardCount.PACKETS, 3)
        return board

    def test_all_blocks_are_there(self, directory: Path) -> None:
        self.used()
        (path,) = directory.iterdir()
        facts = path.stat()
        assert facts.st_blocks * 512 >= facts.st_size > 0
        assert stat.S_IMODE(facts.st_mode) == 0o600

    def test_a_file_system_without_room(
        self, directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def full(descriptor: int, offset: int, size: int) -> None:
            os.truncate(descriptor, size)
            raise OSError(errno.ENOSPC, "full")

        monkeypatch.setattr(os, "posix_fallocate", full)
        for _ in range(2):
            board = self.used()
            assert not board.is_shared
            assert board.settings.number("a", 0) == 1
        (path,) = directory.iterdir()
        assert path.stat().st_size == 0
        assert capsys.readouterr().err.count("this process alone: ") == 1
        monkeypatch.undo()
        monkeypatch.setenv("XEGPU_RUNTIME_DIR", str(directory))
        assert self.used().is_shared

    @pytest.mark.parametrize("content", [b"\0", b"x" * 100, b"\xff" * 300_000, b"XeCARD\0\1" + bytes(400_000)], ids=len)
    def test_a_file_of_something_else(
        self, directory: Path, content: bytes, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.used()
        (path,) = directory.iterdir()
        path.write_bytes(content)
        board = self.used()
        assert not board.is_shared
        assert board.card_count(CardCount.PACKETS) == 3
        assert path.read_bytes() == content
        assert "remove the file" in capsys.readouterr().err

    def test_a_hole_is_filled(self, directory: Path) -> None:
        self.used()
        (path,) = directory.iterdir()
        size = path.stat().st_size
        with path.open("r+b") as file:
            file.truncate(4096)
            file.truncate(size)
        assert self.used().is_shared
        assert path.stat().st_blocks * 512 >= size

    def test_whoever_died_while_making_it(self, directory: Path) -> None:
        self.used()
        (path,) = directory.iterdir()
        path.write_bytes(bytes(path.stat().st_size))
        assert self.used().is_shared

    def test_one_that_others_can_write(self, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.used()
        (path,) = directory.iterdir()
        path.chmod(0o666)
        assert not self.used().is_shared
        assert "alone can write" in capsys.readouterr().err

    def test_damaged_counts(self, directory: Path) -> None:
        board = self.used()
        board.own[CardCount.PACKETS] = -(1 << 63)
        assert not Board("card").is_shared
        board.own[CardCount.PACKETS] = (1 << 63) - 1
        assert not Board("card").is_shared

    def test_damaged_settings_count_for_nothing_and_a_change_mends_them(
        self, directory: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        board = self.used()
        (path,) = directory.iterdir()
        data = path.read_bytes()
        at = data.index(b'{"a"')
        for start, junk in [(at, b"["), (at - 16, b"\xff" * 8), (at - 8, b"\0" * 8)]:
            with path.open("r+b") as file:
                file.seek(start)
                file.write(junk)
            other = Board("card")
            assert other.is_shared
            assert other.settings.read() == {}
            path.write_bytes(data)
        assert capsys.readouterr().err.count("damaged where its settings are") == 1
        with path.open("r+b") as file:
            file.seek(at)
            file.write(b"[")
        Board("card").settings.set(b=2.0)
        assert board.settings.read() == Board("card").settings.read() == {"b": 2.0}

    def test_a_lock_that_somebody_keeps(
        self, directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Work goes on; settings of all cannot be changed."""
        monkeypatch.setattr(locking, "_PATIENCE_SECONDS", 0.01)
        self.used()
        (path,) = directory.iterdir()
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            board = Board("card")
            add(board.own, CardCount.PACKETS, 5)
            with pytest.raises(CardBusy):
                board.settings.set(a=2.0)
        assert "does not go on" in capsys.readouterr().err
        assert board.card_count(CardCount.PACKETS) == 3
