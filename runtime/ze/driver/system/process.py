"""The driver of the process, which `zeInit` makes from the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from runtime.concurrency import step
from runtime.ze.driver.system.driver import Driver, simulated_driver
from runtime.ze.driver.system.hierarchy import selection_from
from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.on_demand import dataclass
from xegpu.targets import TARGETS, Target

if TYPE_CHECKING:
    from runtime.simulator.interpreter import Observer
    from runtime.simulator.profile import Profile

_drivers: list[Driver] = []

if hasattr(os, "register_at_fork"):
    # A forked child starts anew: it has none of the threads.
    os.register_at_fork(after_in_child=_drivers.clear)


def _environment_driver() -> Driver:
    """Returns a new driver as environment variables describe it.

    Raises:
        ValueError: A variable has no valid value, or no device is left.
    """
    driver = simulated_driver(
        system_cards(),
        selection=selection_from(os.environ),
        engine="interpreter" if _tools.observers else None,
        observers=_tools.observers,
        shared_on_device=os.environ.get("ZE_SHARED_FORCE_DEVICE_ALLOCATION", "").strip() == "1",
    )
    driver.machine.profiler = _tools.profiler
    if not driver.devices:
        raise ValueError(f"ZE_AFFINITY_MASK '{os.environ['ZE_AFFINITY_MASK']}' leaves no device")
    return driver


@dataclass(frozen=True)
class _Tools:
    """The tools of the driver of the process: observers of the interpreter, and who takes a profile of each launch."""

    observers: tuple[Observer, ...] = ()
    profiler: Callable[[Profile], None] | None = None


_tools = _Tools()


def watch_programs(observers: Sequence[Observer] = (), profiler: Callable[[Profile], None] | None = None) -> None:
    """Gives the driver of the process tools, now and after a fork.

    Args:
        observers: Observers of the interpreter, for a driver that is not made yet.
        profiler: Takes the profile of each launch.
    """
    global _tools  # noqa: PLW0603 - a process has one driver
    _tools = _Tools(tuple(observers), profiler)
    for driver in _drivers:
        driver.machine.profiler = profiler


def system_cards() -> tuple[Target, ...]:
    """Returns the cards of the system: those that `XEGPU_DEVICE` lists, by default one of each target.

    Raises:
        ValueError: A name is unknown.
    """
    words = [name.strip() for name in os.environ.get("XEGPU_DEVICE", "").split(",") if name.strip()]
    unknown = [name for name in words if name not in TARGETS]
    if unknown:
        raise ValueError(f"XEGPU_DEVICE names '{unknown[0]}', expected {', '.join(TARGETS)}")
    return tuple(TARGETS[name] for name in words) or tuple(TARGETS.values())


def drivers_of_process() -> list[Driver]:
    """Returns the drivers of the process: one, or none before `initialize`."""
    return list(_drivers)


def initialize() -> list[Driver]:
    """Makes the driver of the process, once, and returns the drivers.

    Raises:
        ZeError: `UNINITIALIZED` if the environment asks for something impossible.
    """
    if not _drivers:
        try:
            driver = _environment_driver()
        except ValueError as error:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, str(error)) from error
        _begin([driver], slice(0, 0))
    return list(_drivers)


@step
def _begin(drivers: list[Driver], start: slice) -> None:
    """Makes `drivers` those of the process, unless another thread was faster."""
    if not _drivers:
        _drivers[start] = drivers
