"""Functions by name (specification: Driver, extension functions)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from runtime.ze.driver import Driver
from runtime.ze.handle import live, required
from runtime.ze.results import ZeError, ze_result_t

_functions: dict[str, Callable[..., object]] = {}


def publish(functions: Mapping[str, Callable[..., object]]) -> None:
    """Make functions known under their names."""
    _functions.update(functions)


def zeDriverGetExtensionFunctionAddress(hDriver: Driver, name: str) -> Callable[..., object]:
    """The function called `name`, by its 1.x or 0.91 name. Raises invalid argument for a name that there is not."""
    live(hDriver, Driver)
    required(name, "name", str)
    if name not in _functions:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"there is no function {name!r}")
    return _functions[name]
