"""The programs of `examples/programs` pass their own checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.xegpu_run import main

PROGRAMS = sorted((Path(__file__).parents[3] / "examples" / "programs").glob("*.mlir"))


@pytest.mark.parametrize("target", ["pvc", "arc"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program(program: Path, target: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A file whose name ends in `.pvc` or `.arc` is for that GPU alone."""
    for_one = program.suffixes[0].removeprefix(".")
    if for_one in ("pvc", "arc"):
        target = for_one
    status = main([str(program), "--filecheck", "-q", "--target", target])
    assert (status, capsys.readouterr().err) == (0, "")
