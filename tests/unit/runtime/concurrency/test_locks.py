"""The locks of the runtime are those that the page lists."""

from __future__ import annotations

import re

import pytest

from tests.paths import ROOT

LOCK = re.compile(r"threading\.(Lock|RLock|Condition|Semaphore|BoundedSemaphore|Barrier|Event)\(|allocate_lock\(")


@pytest.mark.docs
def test_the_page_lists_all_locks() -> None:
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in (ROOT / "runtime").rglob("*.py")
        if LOCK.search(path.read_text())
    }
    _, table = (ROOT / "docs/concurrency.md").read_text().split("## Locks that are left")
    listed = set()
    for row in re.findall(r"^\| (`.*?`) \|", table, re.M):
        first, *others = re.findall(r"`(.*?)`", row)
        listed |= {first, *(first.rpartition(".")[0] + other for other in others)}
    assert modules == listed
