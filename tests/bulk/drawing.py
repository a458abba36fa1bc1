"""Random examples outside of the test suite: as many as wanted, from a seed, the first that fails ends the run."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, seed as seeded, settings
from hypothesis.strategies import SearchStrategy

from xegpu import targets

T = TypeVar("T")


def parser(description: str | None) -> argparse.ArgumentParser:
    """The options of a run: how many examples, from which seed, for which GPU."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--count", type=int, default=50)
    made.add_argument("--seed", type=int, default=0)
    made.add_argument("--target", choices=targets.TARGETS, default="pvc")
    return made


def check_each(options: argparse.Namespace, examples: SearchStrategy[T], check: Callable[[T], None]) -> None:
    """Checks random examples; raises what the first one that fails raises."""

    @seeded(options.seed)
    @settings(
        max_examples=options.count,
        deadline=None,
        derandomize=False,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(examples)
    def run(example: T) -> None:
        check(example)

    run()
