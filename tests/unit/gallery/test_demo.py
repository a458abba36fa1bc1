"""The demo's kernels run from their ZEBINs, and its table says that they are right."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from tests.paths import EXAMPLES, ROOT
from tools.xegpu_opt import main


def test_the_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (names,) = re.findall(r"for name in (.*); do", (ROOT / "scripts" / "demo").read_text())
    (options,) = re.findall(
        r'xegpu-opt "examples/\$name.mlir" -p \'(.*)\' -t zebin -o', (ROOT / "scripts" / "demo").read_text()
    )
    binaries = [str(tmp_path / f"{name}.zebin") for name in names.split()]
    for name, binary in zip(names.split(), binaries, strict=True):
        assert main([str(EXAMPLES / f"{name}.mlir"), "-p", options, "-t", "zebin", "-o", binary]) == 0
    monkeypatch.setenv("COLUMNS", "120")
    assert runpy.run_path(str(EXAMPLES / "run_examples.py"))["main"](binaries) == 0
    assert capsys.readouterr().out.count(" ok ") == len(binaries)
