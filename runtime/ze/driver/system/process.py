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
    """A forked child has no worker threads, and perhaps locks that nobody will release."""
    _drivers.clear()
    _lock.release()


os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_start_anew)


def _environment_driver() -> Driver:
    """The driver that environment variables describe; raises `ValueError` for nonsense in them."""
    driver = simulated_driver(
        tuple(TARGETS.values()),
        selection=selection_from(os.environ),
        shared_on_device=os.environ.get("ZE_SHARED_FORCE_DEVICE_ALLOCATION", "").strip() == "1",
    )
    if not driver.devices:
        raise ValueError(f"ZE_AFFINITY_MASK '{os.environ['ZE_AFFINITY_MASK']}' leaves no device")
    return driver


def drivers() -> list[Driver]:
    """The drivers of the process: one, and none before `initialize`."""
    return list(_drivers)


def initialize() -> list[Driver]:
    """Make the process's driver, once; raises uninitialized when the environment asks for what cannot be."""
    with _lock:
        if not _drivers:
            try:
                _drivers.append(_environment_driver())
            except ValueError as error:
                raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, str(error)) from error
        return list(_drivers)
