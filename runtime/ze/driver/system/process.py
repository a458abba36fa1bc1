"""The driver of the process, which `zeInit` makes from the environment."""

from __future__ import annotations

import os

from runtime.concurrency import step
from runtime.ze.driver.system.driver import Driver, simulated_driver
from runtime.ze.driver.system.hierarchy import selection_from
from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.targets import TARGETS, Target

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
        _targets(os.environ.get("XEGPU_DEVICE", "")),
        selection=selection_from(os.environ),
        shared_on_device=os.environ.get("ZE_SHARED_FORCE_DEVICE_ALLOCATION", "").strip() == "1",
        is_lenient=_serves_programs,
    )
    if not driver.devices:
        raise ValueError(f"ZE_AFFINITY_MASK '{os.environ['ZE_AFFINITY_MASK']}' leaves no device")
    return driver


_serves_programs = False


def serve_programs() -> None:
    """Makes the driver of the process lenient, now and after a fork: it serves programs in C."""
    global _serves_programs  # noqa: PLW0603 - a process has one driver
    _serves_programs = True
    for driver in _drivers:
        driver.is_lenient = True


def _targets(names: str) -> tuple[Target, ...]:
    """Returns the cards that a list of names asks for; without names, one of each target.

    Raises:
        ValueError: A name is unknown.
    """
    words = [name.strip() for name in names.split(",") if name.strip()]
    unknown = [name for name in words if name not in TARGETS]
    if unknown:
        raise ValueError(f"XEGPU_DEVICE names '{unknown[0]}', expected {', '.join(TARGETS)}")
    return tuple(TARGETS[name] for name in words) or tuple(TARGETS.values())


def drivers() -> list[Driver]:
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
