"""The driver of the process, which `zeInit` makes from the environment."""

from __future__ import annotations

import os
import threading

from runtime.ze.driver.system.driver import Driver, simulated_driver
from runtime.ze.driver.system.hierarchy import selection_from
from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.targets import TARGETS

_drivers: list[Driver] = []

_lock = threading.Lock()


def _start_anew() -> None:
    """Forgets the drivers in a forked child, which has no worker threads, and perhaps locks that none releases."""
    _drivers.clear()
    _lock.release()


os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_start_anew)


def _environment_driver() -> Driver:
    """Returns a new driver as environment variables describe it.

    Raises:
        ValueError: A variable has no valid value, or no device is left.
    """
    driver = simulated_driver(
        tuple(TARGETS.values()),
        selection=selection_from(os.environ),
        shared_on_device=os.environ.get("ZE_SHARED_FORCE_DEVICE_ALLOCATION", "").strip() == "1",
    )
    if not driver.devices:
        raise ValueError(f"ZE_AFFINITY_MASK '{os.environ['ZE_AFFINITY_MASK']}' leaves no device")
    return driver


def drivers() -> list[Driver]:
    """Returns the drivers of the process: one, or none before `initialize`."""
    return list(_drivers)


def initialize() -> list[Driver]:
    """Makes the driver of the process, once, and returns the drivers.

    Raises:
        ZeError: `UNINITIALIZED` if the environment asks for something impossible.
    """
    with _lock:
        if not _drivers:
            try:
                _drivers.append(_environment_driver())
            except ValueError as error:
                raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, str(error)) from error
        return list(_drivers)
