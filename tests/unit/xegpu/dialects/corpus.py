"""The MLIR files that tests read: whole programs, and what the FileCheck tests hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.paths import ROOT
from tools.opt.inputs import split
from xegpu.diagnostics import SourceBuffer

PROGRAMS = [*sorted((ROOT / "tests/corpus").rglob("*.mlir")), *sorted((ROOT / "examples").rglob("*.mlir"))]
"""Kernels and host programs as users write them."""

_NOT_VALID = ("XEGPU_INVALID", "--verify-diagnostics", "not xegpu-opt")

SNIPPETS = [
    path
    for path in sorted((ROOT / "tests/lit/dialects").rglob("*.mlir"))
    if not any(mark in path.read_text() for mark in _NOT_VALID)
]
"""FileCheck tests whose input is valid."""


def name(path: Path) -> str:
    """Returns the name of the test of a file."""
    return str(path.relative_to(ROOT).with_suffix(""))


def pieces(path: Path) -> Iterator[str]:
    """The modules of a file."""
    for piece in split(SourceBuffer(str(path), path.read_text())):
        if any((text := line.strip()) and not text.startswith("//") for line in piece.text.split("\n")):
            yield piece.text
