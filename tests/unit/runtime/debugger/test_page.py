"""docs/debugging.md: the sessions are those of real runs."""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

from runtime import Device
from runtime.debugger import Debugger
from tests.paths import DOCS
from tests.unit.tools.cli.commands import MAINS

pytestmark = pytest.mark.docs

PAGE = DOCS / "debugging.md"
PROMPT = "(xegpu) "
VARYING = re.compile(r"0x[0-9a-f]+|#\d+ *|\br\d+(?:\.\d+)?")
"""Addresses, and what depends on the code that the compiler makes."""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (program,) = blocks("mlir")
    (tmp_path / "difference.mlir").write_text(program)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XEGPU_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    return tmp_path


def comparable(lines: list[str]) -> list[str]:
    return [VARYING.sub("?", line) for line in lines]


@pytest.mark.parametrize("session", blocks("console"), ids=lambda text: text.splitlines()[0][-40:])
def test_session(
    directory: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, session: str
) -> None:
    command, *expected = session.splitlines()
    typed = [line.removeprefix(PROMPT) for line in expected if line.startswith(PROMPT)]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
    _, name, *arguments = shlex.split(command)
    MAINS[name](arguments)
    output, errors = capsys.readouterr()
    found = comparable((output + errors).splitlines())
    while "..." in expected:  # lines that are left out
        gap = expected.index("...")
        assert found[:gap] == comparable(expected[:gap])
        expected = expected[gap + 1 :]
        found = found[len(found) - len(expected) :]
    assert found == comparable(expected)


def test_the_python_example(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = (directory / "difference.mlir").read_text()
    (directory / "difference.zebin").write_bytes(Device("pvc").compile(program, "difference.mlir").binary)
    (example,) = blocks("python")
    names = {"source": np.arange(64, dtype=np.float32), "result": np.zeros(64, np.float32)}
    exec(compile(example, str(PAGE), "exec"), names)
    assert isinstance(names["debugger"], Debugger)
    assert capsys.readouterr().out.splitlines() == [
        "StopReason.BREAKPOINT (3, 0, 0) difference.mlir:12:14",
        str(tuple(range(48, 64))),
    ]
