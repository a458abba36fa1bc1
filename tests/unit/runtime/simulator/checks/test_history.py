"""Tests that the history of accesses is bounded, and that forgetting misses races but never invents them."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.simulator.checks import history
from runtime.simulator.checks.clocks import AtomicReleases, Meeting, ThreadClock
from runtime.simulator.checks.history import AccessEvent, Conflict, History
from runtime.simulator.interpreter.messages.accesses import NO_LANE


def add(past: History, event: AccessEvent, start: int, size: int = 4, lane: int = NO_LANE) -> list[Conflict]:
    knows = ThreadClock(event.thread, 0).knows
    return past.add(event, np.arange(start, start + size, dtype=np.uint64), np.full(size, lane), knows)


def write(thread: int, instruction: int = 0) -> AccessEvent:
    return AccessEvent(thread, 1, instruction, True, False)


def read(thread: int, instruction: int = 0) -> AccessEvent:
    return AccessEvent(thread, 1, instruction, False, False)


def test_the_byte_and_the_lane_of_both() -> None:
    past = History()
    assert add(past, write(1), 102, 4, lane=7) == []
    (conflict,) = add(past, read(2), 100, 4, lane=3)
    assert (conflict.event, conflict.lane, conflict.byte) == (write(1), 7, 2)


def test_accesses_over_the_end_of_a_page() -> None:
    past = History()
    assert add(past, write(1), (1 << 20) - 2, 4) == []
    assert len(add(past, read(2), (1 << 20) - 2, 1)) == 1
    assert len(add(past, read(3), (1 << 20) + 1, 1)) == 1
    assert add(past, read(4), (1 << 20) + 2, 1) == []


def test_a_set_has_a_largest_size() -> None:
    past = History()
    for thread in range(100):
        assert add(past, read(thread), 0) == []
    conflicts = add(past, write(200), 0)
    assert len(conflicts) == history.MAX_ACCESSES
    assert {conflict.event.thread for conflict in conflicts} >= {0, 1, 99}


def test_old_pages_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_PAGES", 4)
    past = History()
    for page in range(10):
        add(past, write(1), page << 20)
    assert add(past, read(2), 0) == []
    assert len(add(past, read(2), 9 << 20)) == 1


def test_sets_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_STATES", 10)
    past = History()
    for thread in range(45):
        add(past, write(thread), 4 * thread)
    assert add(past, read(99), 0) == []
    assert len(add(past, read(99), 4 * 44)) == 1


def test_one_race_is_reported_for_each_other_access() -> None:
    past = History()
    add(past, write(1, 5), 0, 64)
    assert len(add(past, write(2, 6), 0, 64)) == 1
    (conflict,) = add(past, write(3, 7), 0, 64)  # the first one has been reported
    assert conflict.event == write(2, 6)


def test_clocks_of_barriers_are_given_up_when_all_have_passed() -> None:
    threads, meeting = [ThreadClock(number, 0) for number in range(3)], Meeting()
    for fired in range(1000):
        for thread in threads:
            meeting.signal(thread, 0, fired, 0, waits=True)
        for thread in threads:
            meeting.wait(thread, 0)
    assert not meeting._told
    assert not meeting._tickets
    assert threads[0].knows(2, threads[2].time - 1)
    assert not threads[0].knows(2, threads[2].time)


def test_places_that_pass_nothing_on_take_no_room() -> None:
    places = AtomicReleases()
    for address in range(1000):
        places.pass_on(ThreadClock(1, 0), address, writes=True)
    assert not places._everywhere
    assert not places._in_groups
