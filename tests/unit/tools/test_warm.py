"""The warm commands of the tests behave as those that users start."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.warm import warm_commands


@pytest.fixture(scope="module")
def commands() -> Iterator[Path]:
    with warm_commands() as folder:
        yield folder


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    "words",
    [
        ["xegpu-opt", "examples/vector_add.mlir"],
        ["xegpu-opt", "missing.mlir"],
        ["xegpu-opt", "--no-such-option"],
        ["zebin-dump", "tests/data/zebin/vadd.pvc.zebin", "--sections"],
        ["zebin-dump", "README.md"],
        ["filecheck", "tests/lit/dialects/xe/alu.mlir"],
    ],
    ids=" ".join,
)
def test_status_and_output(words: list[str], commands: Path) -> None:
    warm, cold = (
        subprocess.run(
            [folder / words[0], *words[1:]], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        for folder in (commands, Path(sys.executable).parent)
    )
    assert (warm.returncode, warm.stdout, warm.stderr) == (cold.returncode, cold.stdout, cold.stderr)


def test_streams_and_folder(commands: Path, tmp_path: Path) -> None:
    (tmp_path / "k.mlir").write_bytes((ROOT / "examples/vector_add.mlir").read_bytes())
    piped = f"{commands}/xegpu-opt < k.mlir | {commands}/xegpu-opt - | head -n 1"
    done = subprocess.run(["sh", "-c", piped], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "module {\n"


def test_a_command_ends_with_its_client(commands: Path, tmp_path: Path) -> None:
    fifo = tmp_path / "never.mlir"
    os.mkfifo(fifo)
    client = subprocess.Popen([commands / "xegpu-opt", fifo])
    writer = os.open(fifo, os.O_WRONLY)  # returns when the command reads
    client.kill()
    client.wait()
    with pytest.raises(BrokenPipeError):
        _write_for_ever(writer)
    os.close(writer)


def _write_for_ever(stream: int) -> None:
    while True:
        os.write(stream, b"\n")
        time.sleep(0.01)
