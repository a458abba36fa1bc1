"""Checks of kernels while they run: for memory nobody wrote, races, barriers, and more."""

from __future__ import annotations

import importlib
from collections.abc import Collection
from typing import TYPE_CHECKING, cast

from runtime.simulator.checks.memory import checking_memory
from runtime.simulator.checks.table import Check, choose_checks, choose_engine, parse_checks

if TYPE_CHECKING:
    from runtime.simulator.interpreter.observer import Observer

__all__ = ["Check", "checking_memory", "choose_checks", "choose_engine", "observers_of", "parse_checks"]


def observers_of(checks: Collection[Check]) -> tuple[Observer, ...]:
    """The observers for the interpreter that run those checks that watch instructions; none if no check does.

    Raises `DeviceFault` at the end of a launch in which something was found, with all its `findings`. The interpreter
    is imported only when it is needed.
    """
    if not any(check.watches for check in checks):
        return ()
    module = importlib.import_module("runtime.simulator.checks.checker")
    return (cast("Observer", module.KernelChecker(checks)),)
