"""Runs of the random calls: so many sequences of so many steps, from a seed."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, seed as seeded, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.unit.runtime.ze.fuzz.application import require_no_garbage
from tests.unit.runtime.ze.fuzz.machine import ApiMachine


def fuzz(seed: int, examples: int, steps: int, *, shrinks: bool = True) -> None:
    """Makes random calls; raises for the first difference from the model, with the calls that show it.

    Args:
        seed: What the calls are drawn from.
        examples: The sequences of calls, each of which an application of its own makes.
        steps: The calls in a sequence.
        shrinks: True to look for a short sequence that shows the same.
    """

    class Seeded(ApiMachine):
        pass

    chosen = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink] if shrinks else [Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(seeded(seed)(Seeded), settings=chosen)
    require_no_garbage()
