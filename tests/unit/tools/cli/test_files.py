"""Files that commands write have all of their new contents or all of their old ones."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

import pytest

from tests.paths import EXAMPLES, ROOT
from tools.cli import CommandError, replaced, write_bytes


@pytest.mark.sampled(every=3)
def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """A limit on the size of files stands for a disk without room."""
    output = tmp_path / "k.zebin"
    output.write_bytes(b"old")
    words = ["--target", "pvc", "-t", "zebin", "-o", str(output)]
    done = subprocess.run(
        [sys.executable, "-m", "tools.xegpu_opt", str(EXAMPLES / "gemm.mlir"), *words],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert done.returncode == 1
    assert done.stderr == f"{output}: error: cannot be written: File too large\n"
    assert output.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [output]


def write_and_fail(stream: IO[bytes]) -> None:
    stream.write(b"new")
    raise KeyboardInterrupt("half way")


def test_an_error_half_way_leaves_the_old_file(tmp_path: Path) -> None:
    output = tmp_path / "f"
    output.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt, match="half way"), replaced(str(output)) as stream:
        write_and_fail(stream)
    assert output.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [output]


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    output, link = tmp_path / "f", tmp_path / "link"
    output.write_bytes(b"old")
    output.chmod(0o640)
    link.symlink_to(output)
    write_bytes(str(link), b"new")
    assert link.is_symlink()
    assert output.read_bytes() == b"new"
    assert stat.S_IMODE(output.stat().st_mode) == 0o640


def test_new_files_have_the_permissions_of_new_files(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_bytes(str(tmp_path / "f"), b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == 0o640


def test_devices_and_pipes_are_written_in_place(tmp_path: Path) -> None:
    write_bytes("/dev/null", b"new")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    write_bytes(str(pipe), b"new")
    reader.join()
    assert found == [b"new"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("name", ["missing/f", "", "a\0b", "x" * 300])
def test_what_cannot_be_written_is_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(CommandError, match="cannot be written: "):
        write_bytes(f"{tmp_path}/{name}", b"new")
