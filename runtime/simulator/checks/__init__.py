"""Checks of running kernels: uninitialized memory, races, barriers, and more."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import runtime.simulator.checks.checker as checker
    from runtime.simulator.checks.memory import checking_memory as checking_memory
    from runtime.simulator.checks.table import (
        Check as Check,
        choose_checks as choose_checks,
        choose_engine as choose_engine,
        parse_checks as parse_checks,
    )

if TYPE_CHECKING:
    from runtime.simulator.interpreter.observer import Observer


def observers_of(checks: Collection[Check]) -> tuple[Observer, ...]:
    """Returns the observers of the interpreter that run the checks that watch instructions; empty if no check does.

    At the end of a launch with findings they raise `DeviceFault`, with all its `findings`. The interpreter is imported
    only when it is needed.
    """
    if not any(check.watches for check in checks):
        return ()
    return (checker.KernelChecker(checks),)
