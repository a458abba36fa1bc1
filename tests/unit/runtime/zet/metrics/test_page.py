"""docs/metrics.md is what its generator prints."""

from __future__ import annotations

import re

import pytest

from runtime.zet.metrics.system.counters import COUNTERS
from runtime.zet.metrics.system.formula import names_in
from runtime.zet.metrics.system.stalls import SAMPLES
from runtime.zet.metrics.system.table import CONSTANTS, GROUPS, HEADER, METRICS, STREAMED
from tests.paths import ROOT
from tests.unit.runtime.zet.metrics.page import page

pytestmark = pytest.mark.docs


def test_page_is_up_to_date() -> None:
    committed = (ROOT / "docs" / "metrics.md").read_text()
    assert committed == page(), "run: python -m tests.unit.runtime.zet.metrics.page > docs/metrics.md"


def test_formulas_use_what_there_is_and_all_of_it() -> None:
    used = {name for row in METRICS.values() for text in (row.formula, row.most) if text for name in names_in(text)}
    assert used == {*COUNTERS, *HEADER, *CONSTANTS, *SAMPLES}


def test_every_metric_is_in_a_group() -> None:
    assert {name for group in GROUPS.values() for name in group.metrics} | set(STREAMED) == set(METRICS)


def test_the_program_on_the_page_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It measures nothing, as its launches are left out."""
    monkeypatch.setenv("ZET_ENABLE_METRICS", "0")  # which the program sets
    (program,) = re.findall(r"^```python\n(.*?)^```$", page(), re.MULTILINE | re.DOTALL)
    exec(compile(program, "metrics.md", "exec"), {})
    assert "'XVE_INST_EXECUTED_ALL': 0" in capsys.readouterr().out
