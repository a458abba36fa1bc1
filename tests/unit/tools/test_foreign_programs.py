"""`xegpu-run` on whole programs in the styles of other projects, as they are: LLVM 22, LLVM after it, and IMEX."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.unit.tools.test_xegpu_run import outcome

PROGRAMS = sorted((ROOT / "tests/programs").rglob("*.mlir"))


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_programs_print_what_they_expect(capsys: pytest.CaptureFixture[str], path: Path) -> None:
    status, _, errors = outcome(capsys, str(path), "--filecheck=CHECK", "--quiet")
    assert status == 0, errors
