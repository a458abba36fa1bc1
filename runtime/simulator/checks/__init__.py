"""Checks of running kernels: uninitialized memory, races, barriers, and more."""

from __future__ import annotations

import importlib
from collections.abc import Collection
from typing import TYPE_CHECKING, cast

from xegpu.on_demand import public_names

if TYPE_CHECKING:
    from runtime.simulator.checks.memory import checking_memory
    from runtime.simulator.checks.table import Check, choose_checks, choose_engine, parse_checks
    from runtime.simulator.interpreter.observer import Observer

__all__ = ["Check", "checking_memory", "choose_checks", "choose_engine", "observers_of", "parse_checks"]


def observers_of(checks: Collection[Check]) -> tuple[Observer, ...]:
    """Returns the observers of the interpreter that run the checks that watch instructions; empty if no check does.

    At the end of a launch with findings they raise `DeviceFault`, with all its `findings`. The interpreter is imported
    only when it is needed.
    """
    if not any(check.watches for check in checks):
        return ()
    module = importlib.import_module("runtime.simulator.checks.checker")
    return (cast("Observer", module.KernelChecker(checks)),)


__getattr__ = public_names(
    __name__,
    {
        ".memory": "checking_memory",
        ".table": "Check choose_checks choose_engine parse_checks",
    },
)
