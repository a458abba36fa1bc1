"""Searches: which combinations of parameters are estimated, and in which order."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module

from tools.cli import CommandError, UsageError
from tools.tune.command import TuneOptions
from tools.tune.template import Setting, Settings, all_settings, is_allowed
from xegpu.on_demand import missing_library

Score = float
"""Cycles; infinite for a combination that does not compile."""

Evaluate = Callable[[Sequence[Settings]], Sequence[Score]]
"""Estimates several combinations, at the same time if there are workers."""

_BATCH = 8
"""Combinations that are chosen before the first of them is known. It is the same for any number of workers, so that the
choices are the same, too.
"""
_LEARNING_TRIALS = 50


def search(options: TuneOptions, parameters: Mapping[str, tuple[Setting, ...]], evaluate: Evaluate) -> None:
    """Has combinations of parameters estimated, as the options say.

    Raises:
        UsageError: No combination meets the conditions, or a condition is wrong.
        CommandError: A library is missing.
    """
    conditions = tuple(options.where)
    if options.search == "bayesian":
        _learn(options, parameters, conditions, evaluate)
        return
    found = all_settings(parameters, conditions)
    if not found:
        raise UsageError("--where: no combination of parameters meets the conditions")
    if options.search == "random":
        random.Random(options.seed).shuffle(found)
    chosen = found[: options.trials]
    for start in range(0, len(chosen), _BATCH):
        evaluate(chosen[start : start + _BATCH])


def planned(options: TuneOptions, parameters: Mapping[str, tuple[Setting, ...]]) -> int:
    """Returns the number of combinations that a search estimates at most."""
    if options.search == "bayesian":
        return options.trials or _LEARNING_TRIALS
    found = len(all_settings(parameters, tuple(options.where)))
    return min(found, options.trials or found)


def _learn(
    options: TuneOptions,
    parameters: Mapping[str, tuple[Setting, ...]],
    conditions: tuple[str, ...],
    evaluate: Evaluate,
) -> None:
    """Lets optuna's tree-structured Parzen estimator choose; it repeats its choices for the same seed and scores."""
    missing = missing_library("optuna", "tune")
    if missing is not None:
        raise CommandError(f"--search bayesian needs {missing}")
    optuna = import_module("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.TPESampler(seed=options.seed, multivariate=False, constant_liar=True)
    study = optuna.create_study(direction="minimize", sampler=sampler)
    left = planned(options, parameters)
    while left > 0:
        trials = [study.ask() for _ in range(min(_BATCH, left))]
        left -= len(trials)
        asked = [
            {
                name: values[trial.suggest_categorical(name, list(range(len(values))))]
                for name, values in parameters.items()
            }
            for trial in trials
        ]
        scores = iter(evaluate(list(_allowed(asked, conditions))))
        for trial, settings in zip(trials, asked, strict=True):
            study.tell(trial, next(scores) if is_allowed(settings, conditions) else float("inf"))


def _allowed(asked: Sequence[Settings], conditions: tuple[str, ...]) -> Iterator[Settings]:
    return (settings for settings in asked if is_allowed(settings, conditions))
