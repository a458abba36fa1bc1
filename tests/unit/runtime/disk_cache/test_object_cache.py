"""Entries on disk: found again by other processes, and from nobody else's hand."""

from __future__ import annotations

import multiprocessing
import os
import time
from pathlib import Path

import pytest

from runtime.disk_cache.object_cache import ObjectCache, cache_from_environment

MEGABYTE = 1 << 20
KEY = "0" * 64


@pytest.fixture
def kept(tmp_path: Path) -> ObjectCache:
    return ObjectCache(tmp_path / "jit", MEGABYTE)


def entry(directory: Path) -> Path:
    (path,) = (directory / "jit").iterdir()
    return path


def test_what_is_stored_is_found(kept: ObjectCache, tmp_path: Path) -> None:
    kept.store(KEY, b"code")
    assert kept.load(KEY) == b"code"
    assert ObjectCache(tmp_path / "jit", MEGABYTE).load(KEY) == b"code"
    assert kept.load(KEY.replace("0", "1")) is None


def test_storing_again_replaces(kept: ObjectCache) -> None:
    kept.store(KEY, b"code")
    kept.store(KEY, b"other")
    assert kept.load(KEY) == b"other"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owner here")
def test_only_the_user_may_read_and_write(kept: ObjectCache, tmp_path: Path) -> None:
    kept.store(KEY, b"code")
    assert entry(tmp_path).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "jit").stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owner here")
@pytest.mark.parametrize("what", ["file", "directory"])
def test_what_others_may_write_is_not_executed(kept: ObjectCache, tmp_path: Path, what: str) -> None:
    kept.store(KEY, b"code")
    path = entry(tmp_path) if what == "file" else tmp_path / "jit"
    path.chmod(path.stat().st_mode | 0o020)
    assert kept.load(KEY) is None


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owner here")
def test_links_are_not_followed(kept: ObjectCache, tmp_path: Path) -> None:
    kept.store(KEY, b"code")
    path = entry(tmp_path)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert kept.load(KEY) is None


def damaged(content: bytes) -> dict[str, bytes]:
    """An entry after what disks, editors and crashes do."""
    return {
        "empty": b"",
        "cut off": content[:-1],
        "longer": content + b"\0",
        "zeros": bytes(len(content)),
        "a bit flipped": content[:-1] + bytes([content[-1] ^ 1]),
        "another format": b"\x7fELF" + content[4:],
        "header only": content[:20],
    }


@pytest.mark.parametrize("damage", damaged(b"."))
def test_damaged_entries_are_missing_and_replaced(kept: ObjectCache, tmp_path: Path, damage: str) -> None:
    kept.store(KEY, b"code" * 100)
    path = entry(tmp_path)
    path.write_bytes(damaged(path.read_bytes())[damage])
    assert kept.load(KEY) is None
    kept.store(KEY, b"again")
    assert kept.load(KEY) == b"again"


def test_a_directory_in_place_of_an_entry(kept: ObjectCache, tmp_path: Path) -> None:
    kept.store(KEY, b"code")
    path = entry(tmp_path)
    path.unlink()
    path.mkdir()
    assert kept.load(KEY) is None
    kept.store(KEY, b"code")
    assert [p.name for p in (tmp_path / "jit").iterdir()] == [path.name]


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    kept = ObjectCache(tmp_path / "file" / "jit", MEGABYTE)
    kept.store(KEY, b"code")
    assert kept.load(KEY) is None


def test_the_size_is_bounded_and_the_oldest_go_first(tmp_path: Path) -> None:
    kept = ObjectCache(tmp_path / "jit", MEGABYTE)
    now = time.time()
    for number in range(60):
        kept.store(f"{number:064}", bytes(50_000))
        for path in (tmp_path / "jit").glob(f"{number:064}*"):
            os.utime(path, (now - 1000 + number, now - 1000 + number))
        assert kept.load("0" * 64) is not None  # in use all the time
    sizes = [path.stat().st_size for path in (tmp_path / "jit").iterdir()]
    assert sum(sizes) <= MEGABYTE + MEGABYTE // 8
    assert len(sizes) >= 10
    assert kept.load(f"{1:064}") is None
    assert kept.load(f"{59:064}") is not None


def test_what_does_not_fit_is_not_kept(kept: ObjectCache, tmp_path: Path) -> None:
    kept.store(KEY, bytes(MEGABYTE))
    assert not (tmp_path / "jit").exists()


def test_unfinished_files_are_removed_in_time(tmp_path: Path) -> None:
    directory = tmp_path / "jit"
    directory.mkdir(mode=0o700)
    for name, age in (("old.part", 4000), ("new.part", 0)):
        (directory / name).touch()
        os.utime(directory / name, (time.time() - age, time.time() - age))
    ObjectCache(directory, MEGABYTE).store(KEY, b"code")
    assert {path.name for path in directory.glob("*.part")} == {"new.part"}


def _write_often(directory: Path, seed: int) -> None:
    kept = ObjectCache(directory, 200_000)
    for number in range(100):
        key = f"{(number + seed) % 10:064}"
        found = kept.load(key)
        assert found is None or found == key.encode() * 300
        kept.store(key, key.encode() * 300)


def test_many_processes_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write_often, args=(tmp_path / "jit", seed)) for seed in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0] * 3
    assert not list((tmp_path / "jit").glob("*.part"))


@pytest.mark.parametrize(
    ("environment", "directory"),
    [
        ({"XDG_CACHE_HOME": "/cache"}, "/cache/xegpu-toolkit/jit"),
        ({"HOME": "/home/me"}, "/home/me/.cache/xegpu-toolkit/jit"),
        ({"XEGPU_CACHE_DIR": "/mine"}, "/mine"),
        ({"XEGPU_CACHE_DIR": ""}, None),
        ({"XEGPU_CACHE_DIR": "relative"}, None),
        ({"XEGPU_CACHE_DIR": "/mine", "XEGPU_CACHE_MB": "0"}, None),
        ({"XEGPU_CACHE_DIR": "/mine", "XEGPU_CACHE_MB": "-1"}, None),
        ({"XEGPU_CACHE_DIR": "/mine", "XEGPU_CACHE_MB": "much"}, None),
    ],
)
def test_environment(environment: dict[str, str], directory: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", environment.get("HOME", "/nowhere"))
    kept = cache_from_environment(environment)
    assert (kept and vars(kept)["_directory"]) == (directory and Path(directory))
