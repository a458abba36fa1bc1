"""The page on performance shows the recorded ratios, and the check finds those that have become worse."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import replace
from types import ModuleType

import pytest

from tests.paths import DOCS, ROOT

PEERS = ("numpy.add", "PoCL", "Oclgrind", "one core")

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


def test_a_second_core_has_a_goal_of_its_own(report: ModuleType) -> None:
    """It is that of each workload; what two cores reach against a peer has no goal."""
    added = report.Ratio("softmax", report.ONE_CORE, 2, report.WALL, 1.89, "command")
    assert "| softmax | one core | 2 | wall | 1.89 | 1.9, not reached | `command` |" in report.page(
        dict.fromkeys(("date", "cpu", "cores", "load"), ""), [added]
    )
    assert replace(added, peer="PoCL").goal is None
    assert replace(added, peer="PoCL", cores=1).goal == report.GOALS["softmax", "PoCL"]
    assert report.regressions([added], [replace(added, ratio=1.2)]) == [
        "softmax against one core, 2 cores: 1.20, recorded 1.89"
    ]


def test_benchmarks_give_the_rows_of_the_report(report: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cores are measured on a quiet machine only; bandwidth says nothing of kernels that compute."""
    rows = [{"workload": name, "peer": peer, "ratio": 1.0} for name in ("softmax", "transpose") for peer in PEERS]
    monkeypatch.setattr(report, "_rows", lambda name, *words: rows if "kernels" in name else [])
    monkeypatch.setattr(report, "_run", lambda *_, **__: '[{"size": 256, "ratio": 0.5, "second_core": 1.8}]')
    monkeypatch.setattr(report.os, "cpu_count", lambda: 2)
    loud, quiet = (list(report.measure(1, is_quiet=is_quiet)) for is_quiet in (False, True))
    assert [(row.workload, row.peer) for row in loud] == [
        ("bf16 GEMM 256", "numpy float32"),
        *(("softmax", peer) for peer in PEERS[1:]),
        *(("transpose", peer) for peer in PEERS),
    ]
    assert {row.cores for row in loud} == {1} and {row.clock for row in loud} == {report.PROCESSOR}
    assert quiet[: len(loud)] == loud
    assert {(row.cores, row.clock) for row in quiet[len(loud) :]} == {(2, report.WALL)}
    assert ("bf16 GEMM 256", "one core", 1.8) in {(row.workload, row.peer, row.ratio) for row in quiet}


def test_the_benchmarks_that_pages_name_exist() -> None:
    pages = [ROOT / "README.md", *DOCS.rglob("*.md")]
    named = {path for page in pages for path in re.findall(r"\bbenchmarks/[\w/]+\.\w+", page.read_text())}
    assert len(named) > 10
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
