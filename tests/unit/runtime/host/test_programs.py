"""The programs of `examples/programs` pass their own checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.paths import EXAMPLES
from tools.xegpu_run import main

PROGRAMS = sorted((EXAMPLES / "programs").glob("*.mlir"))


def targets(program: Path) -> tuple[str, ...]:
    """A file whose name ends in `.pvc` or `.arc` is for that GPU alone."""
    suffix = program.suffixes[0].removeprefix(".")
    return (suffix,) if suffix in ("pvc", "arc") else ("pvc", "arc")


@pytest.mark.sampled(every=18)
@pytest.mark.parametrize(
    ("program", "target"),
    [pytest.param(p, target, id=f"{p.stem}-{target}") for p in PROGRAMS for target in targets(p)],
)
def test_program(program: Path, target: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = main([str(program), "--filecheck", "-q", "--target", target])
    assert (status, capsys.readouterr().err) == (0, "")
