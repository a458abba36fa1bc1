"""The suite's share of the fuzzing; `python -m tests.bulk.ze` goes on for as long as it is told to."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.unit.runtime.ze.fuzz.machine import ApiMachine


def test_random_calls() -> None:
    few = settings(
        max_examples=40,
        stateful_step_count=60,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(ApiMachine, settings=few)
