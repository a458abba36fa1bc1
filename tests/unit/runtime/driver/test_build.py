"""Libraries are kept in a folder of the user, and taken from there only if nobody else can have written them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from runtime.driver.library.build import DriverBuildError, LibraryKind, build


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty cache. A compiler that takes no time writes 16 bytes."""
    compiler = tmp_path / "cc"
    compiler.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\nprintf "library of tests" > "$2"\n')
    compiler.chmod(0o700)
    monkeypatch.setenv("CC", str(compiler))
    monkeypatch.setenv("XEGPU_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_library_is_compiled_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = build(LibraryKind.DRIVER)
    assert made.read_bytes() == b"library of tests"
    monkeypatch.setattr(sys.modules[build.__module__], "_compile", None)
    assert build(LibraryKind.DRIVER) == made


@pytest.mark.parametrize("mode", [0o666, 0o620])
def test_a_file_that_others_could_write_is_replaced(cache: Path, mode: int) -> None:
    made = build(LibraryKind.DRIVER)
    made.write_bytes(b"of somebody else")
    made.chmod(mode)
    assert build(LibraryKind.DRIVER).read_bytes() == b"library of tests"


@pytest.mark.parametrize("depth", [0, 1])
def test_a_folder_that_others_could_write_is_refused(cache: Path, depth: int) -> None:
    made = build(LibraryKind.DRIVER)
    made.parents[depth].chmod(0o777)
    with pytest.raises(DriverBuildError, match="not a directory that the user alone can write"):
        build(LibraryKind.DRIVER)


def test_a_link_is_refused(cache: Path, tmp_path: Path) -> None:
    made = build(LibraryKind.DRIVER)
    made.unlink()
    made.symlink_to("/etc/hostname")
    with pytest.raises(DriverBuildError, match="not to be trusted"):
        build(LibraryKind.DRIVER)


def test_a_full_disk_leaves_nothing_behind(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(DriverBuildError, match=r"cannot be written: .*No space left"):
        build(LibraryKind.DRIVER)
    assert not [path for path in cache.rglob("*") if path.is_file()]


def test_a_user_without_a_home(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    assert build(LibraryKind.DRIVER).exists()
    monkeypatch.delenv("XEGPU_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    with pytest.raises(DriverBuildError, match="name one by XEGPU_CACHE_DIR, or a file with `build --output`"):
        build(LibraryKind.DRIVER)
    assert build(LibraryKind.DRIVER, cache / "mine.so").read_bytes() == b"library of tests"
