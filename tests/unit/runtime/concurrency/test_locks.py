"""The locks of the runtime are those that the page lists, and are taken in the order of their ranks."""

from __future__ import annotations

import re
import threading

import pytest

from runtime.concurrency import LockOrderError, LockRank, ranked_lock
from runtime.concurrency.locks import IS_CHECKED
from runtime.llvm import compilation
from tests.paths import ROOT

LOCK = re.compile(r"threading\.(Lock|RLock|Condition|Semaphore|BoundedSemaphore|Barrier|Event)\b|allocate_lock\(")
RANKED = re.compile(r"= ranked_lock\(LockRank\.(\w+)")
ROW = re.compile(r"^\| (\d) `(\w+)` \| (`.*?`) \|", re.M)


@pytest.mark.docs
def test_the_page_lists_all_locks() -> None:
    ranks, plain = {}, set()
    for path in (ROOT / "runtime").rglob("*.py"):
        module, text = ".".join(path.relative_to(ROOT).with_suffix("").parts), path.read_text()
        ranks |= dict.fromkeys([module], RANKED.findall(text)) if RANKED.search(text) else {}
        plain |= {module} if LOCK.search(text) else set()
    listed = {}
    for number, rank, modules in ROW.findall((ROOT / "docs/concurrency.md").read_text()):
        assert LockRank[rank].value == int(number)
        first, *others = re.findall(r"`(.*?)`", modules)
        listed |= {module: [rank] for module in [first, *(first.rpartition(".")[0] + other for other in others)]}
    assert ranks == listed
    bar = "runtime.simulator.supervision.progress_bar"
    assert plain == {"runtime.concurrency.locks", "runtime.concurrency.threads", bar}


def test_the_order_is_checked() -> None:
    outer, inner = (ranked_lock(rank, checked=True) for rank in (LockRank.LAYERS, LockRank.COMPILATION))
    with outer, inner:
        pass
    with inner, pytest.raises(LockOrderError, match=r"takes LAYERS \(rank 3\) while it holds COMPILATION \(rank 5\)"):
        outer.acquire()
    with outer, pytest.raises(LockOrderError, match=r"takes LAYERS .* while it holds LAYERS"):
        ranked_lock(LockRank.LAYERS, checked=True).acquire()
    assert outer.acquire(blocking=False)
    outer.release()


def test_reentrant_locks_may_be_taken_again() -> None:
    lock = ranked_lock(LockRank.LAYERS, reentrant=True, checked=True)
    with lock, ranked_lock(LockRank.COMPILATION, checked=True), lock:
        pass
    with pytest.raises(LockOrderError), (plain := ranked_lock(LockRank.LAYERS, checked=True)):
        plain.acquire()


def test_other_threads_hold_locks_of_their_own() -> None:
    high, low, found = ranked_lock(LockRank.COMPILATION, checked=True), ranked_lock(LockRank.LAYERS, checked=True), []
    with high:
        thread = threading.Thread(target=lambda: found.append(low.acquire(timeout=1)))
        thread.start()
        thread.join()
    assert found == [True]


def test_tests_run_with_the_check_and_programs_without() -> None:
    assert IS_CHECKED and isinstance(compilation._lock, type(ranked_lock(LockRank.LAYERS, checked=True)))
    assert type(ranked_lock(LockRank.LAYERS, checked=False)) is type(threading.Lock())
