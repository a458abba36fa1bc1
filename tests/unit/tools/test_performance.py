"""The page on performance shows the recorded ratios, and the check finds those that have become worse."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import replace
from types import ModuleType

import pytest

from tests.paths import DOCS, ROOT

pytestmark = pytest.mark.docs


@pytest.fixture(scope="module")
def report() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmarks_report", ROOT / "benchmarks" / "report.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(__import__("sys").modules, "benchmarks_report", module)  # data classes look for it
        spec.loader.exec_module(module)
    return module


def test_the_page_shows_what_is_recorded(report: ModuleType) -> None:
    assert (DOCS / "performance.md").read_text() == report.page(*report.load()), "run: benchmarks/report.py --page"


def test_each_goal_is_measured(report: ModuleType) -> None:
    measured = {(ratio.workload, ratio.peer) for ratio in report.load()[1] if ratio.cores == 1}
    assert set(report.GOALS) <= measured


def test_what_has_become_worse_is_found(report: ModuleType) -> None:
    """A little slower is no regression, nor is what only a quiet machine can measure."""
    clocks = {"a": report.PROCESSOR, "b": report.PROCESSOR, "c": report.PROCESSOR, "d": report.WALL}
    old = [report.Ratio(name, "numpy", 1, clock, 1.0, "command") for name, clock in clocks.items()]
    new = [replace(old[0], ratio=0.81), replace(old[1], ratio=0.79)]
    assert report.regressions(old, new) == [
        "b against numpy: 0.79, recorded 1.00",
        "c against numpy: not measured, recorded 1.00",
    ]
    assert report.regressions(old, [*old[:3], replace(old[3], ratio=0.7)]) == ["d against numpy: 0.70, recorded 1.00"]
    assert report.regressions(old, old) == []


def test_the_benchmarks_that_pages_name_exist() -> None:
    pages = [ROOT / "README.md", *DOCS.rglob("*.md")]
    named = {path for page in pages for path in re.findall(r"\bbenchmarks/[\w/]+\.\w+", page.read_text())}
    assert len(named) > 10
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
