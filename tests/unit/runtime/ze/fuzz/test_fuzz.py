"""The suite's share of the fuzzing; `python -m tests.bulk.ze` goes on for as long as it is told to."""

from __future__ import annotations

import pytest

from tests.unit.runtime.ze.fuzz import application
from tests.unit.runtime.ze.fuzz.faults import planted
from tests.unit.runtime.ze.fuzz.playing import play
from tests.unit.runtime.ze.fuzz.running import fuzz


def test_random_calls() -> None:
    fuzz(seed=0, examples=7, steps=40)


def test_likely_calls() -> None:
    for seed in range(8):
        play(seed, length=120)
    application.require_no_garbage()


@pytest.mark.parametrize("fault", ["removed-fence-check", "leaked-device-memory", "first-event-only"])
def test_faults_are_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some that show soon; `python -m tests.bulk.planted` plants them all."""
    monkeypatch.setattr(application, "PATIENCE", 1)

    def search() -> None:
        for seed in range(8):
            play(seed, length=120)

    with planted(fault), pytest.raises(AssertionError):
        search()
