"""Completion in shells, by argcomplete's protocol."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.unit.tools.cli.commands import command_line


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("xegpu-opt --output", ["--output", "--output-format"]),
        ("xegpu-opt --target ", ["arc", "pvc"]),
        ("xegpu-opt -p cse,xetile-b", ["cse,xetile-blocking", "cse,xetile-blockop-fallback"]),
        ("xegpu-run --engine i", ["interpreter "]),
        ("xegpu-run --check uninitialized,r", ["uninitialized,races", "uninitialized,registers"]),
        ("xe-asm --off", ["--offsets "]),
        ("zebin-dump --section-h", ["--section-headers "]),
        ("zebin-edit --in", ["--in-place "]),
        ("ze-info --j", ["--json "]),
        ("mux-compile --emit ", ["llvm", "mux", "zebin"]),
    ],
)
def test_completions(line: str, found: list[str], tmp_path: Path) -> None:
    output = tmp_path / "completions"
    request = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(output),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
    }
    subprocess.run(command_line(line.split()[0]), env=os.environ | request, check=False, cwd=ROOT, timeout=60)
    assert sorted(output.read_text().split("\n")) == found
