"""Searches: which combinations are estimated, the same ones every time."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tools.cli import UsageError
from tools.tune.command import TuneOptions, parameters, parse
from tools.tune.search import planned, search
from tools.tune.template import Settings

SPACE = ["--param", "m=1,2,3,4,5,6,7,8", "--param", "n=10,20,30,40,50,60,70,80"]


def options(*words: str) -> TuneOptions:
    return parse(["kernel.mlir", "--expect", "c=c.npy", *words])


def estimated(*words: str) -> list[tuple[object, ...]]:
    """Returns the combinations that a search for m = 6, n = 30 estimates."""
    given = options(*SPACE, *words)
    seen: list[tuple[object, ...]] = []

    def evaluate(asked: Sequence[Settings]) -> list[float]:
        seen.extend(tuple(settings.values()) for settings in asked)
        return [abs(int(s["m"]) - 6) + abs(int(s["n"]) - 30) / 10 for s in asked]

    search(given, parameters(given), evaluate)
    assert len(seen) <= planned(given, parameters(given))
    return seen


def test_a_grid_is_estimated_in_order() -> None:
    found = estimated()
    assert len(set(found)) == len(found) == 64
    assert found[:9] == [*((1, n) for n in range(10, 90, 10)), (2, 10)]
    assert estimated("--trials", "3") == found[:3]


def test_a_random_choice_depends_on_its_seed_alone() -> None:
    found = estimated("--search", "random", "--trials", "20", "--seed", "1")
    assert len(set(found)) == len(found) == 20
    assert found == estimated("--search", "random", "--trials", "20", "--seed", "1")
    assert found != estimated("--search", "random", "--trials", "20", "--seed", "2")


def test_conditions_leave_combinations_out() -> None:
    assert set(estimated("--where", "m * 10 == n")) == {(m, 10 * m) for m in range(1, 9)}
    with pytest.raises(UsageError, match="no combination"):
        estimated("--where", "m > n")


def test_a_search_that_learns_finds_the_best_sooner_than_chance() -> None:
    """A random choice of 40 of 64 misses the best one in three of eight cases."""
    pytest.importorskip("optuna")
    words = ("--search", "bayesian", "--trials", "40")
    for seed in ("0", "1", "2"):
        found = estimated(*words, "--seed", seed)
        assert (6, 30) in found
    assert found == estimated(*words, "--seed", seed)
    # It comes back to what is good.
    assert sum(abs(int(str(m)) - 6) <= 2 for m, _ in found[20:]) > 12


def test_excluded_combinations_are_not_estimated_by_a_search_that_learns() -> None:
    pytest.importorskip("optuna")
    found = estimated("--search", "bayesian", "--trials", "24", "--where", "m + n != 36")
    assert found
    assert (6, 30) not in found


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--param", "m"], "expected a name, '=' and values"),
        (["--param", "m=1,,2"], "expected a name, '=' and values"),
        (["--param", "2m=1"], "expected a name, '=' and values"),
        (["--param", "m=1", "--param", "m=2"], "'m' is given twice"),
    ],
)
def test_parameters_that_are_wrong(words: list[str], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        parameters(options(*words))


def test_values_are_numbers_or_words() -> None:
    given = parameters(options("--param", "m=1,-2,0x3,bf16,1,99999999999999999999"))
    assert given == {"m": (1, -2, "0x3", "bf16", "99999999999999999999")}
