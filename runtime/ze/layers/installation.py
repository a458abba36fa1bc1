"""The installed layers. The environment selects them; it is read when the package is imported and by the first `zeInit`.

| Variable, set to 1 | |
|---|---|
| `ZE_ENABLE_VALIDATION_LAYER` | the validation layer, with the checks that other variables ask for |
| `ZE_ENABLE_PARAMETER_VALIDATION` | parameters |
| `ZE_ENABLE_HANDLE_LIFETIME` | use of handles, and those that are left at exit |
| `ZE_ENABLE_MEMORY_TRACKER` | use of memory, and what is not freed at exit |
| `ZE_ENABLE_THREADING_VALIDATION` | calls that must not overlap |
| `ZEL_ENABLE_BASIC_LEAK_CHECKER` | how many objects are left at exit |
| `ZE_ENABLE_TRACING_LAYER` | the tracing layer |
| `ZET_ENABLE_API_TRACING_EXP`; `ZE_ENABLE_INSTRUMENTATION_LAYER` with `ZE_ENABLE_API_TRACING` | the same, as older versions call it |
"""  # noqa: E501 - a table

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import ParamSpec, TypeVar

from runtime.concurrency import LockRank, ranked_lock
from runtime.ze import dispatch
from runtime.ze.layers.tracing.tracer import tracing_layer
from runtime.ze.layers.validation import ValidationCheck, ValidationLayer
from xegpu.on_demand import dataclass

P = ParamSpec("P")
R = TypeVar("R")

CHECK_VARIABLES: Mapping[str, ValidationCheck] = {
    "ZE_ENABLE_PARAMETER_VALIDATION": ValidationCheck.PARAMETERS,
    "ZE_ENABLE_HANDLE_LIFETIME": ValidationCheck.LIFETIME,
    "ZE_ENABLE_MEMORY_TRACKER": ValidationCheck.MEMORY,
    "ZE_ENABLE_THREADING_VALIDATION": ValidationCheck.THREADS,
    "ZEL_ENABLE_BASIC_LEAK_CHECKER": ValidationCheck.BALANCE,
}

TRACING_VARIABLES: tuple[tuple[str, ...], ...] = (
    ("ZE_ENABLE_TRACING_LAYER",),
    ("ZET_ENABLE_API_TRACING_EXP",),
    ("ZE_ENABLE_INSTRUMENTATION_LAYER", "ZE_ENABLE_API_TRACING"),
)
"""Groups of variables; all of one group must be set."""


@dataclass(frozen=True)
class Layers:
    """The layers between the application and the driver, the outermost first: tracing, validation."""

    tracing: bool = False
    checks: frozenset[ValidationCheck] = frozenset()


def layers_in(environment: Mapping[str, str]) -> Layers:
    """Returns the layers that an environment asks for; a variable counts if it is `1`."""

    def is_set(variable: str) -> bool:
        return environment.get(variable) == "1"

    checks = {check for variable, check in CHECK_VARIABLES.items() if is_set(variable)}
    return Layers(
        tracing=any(all(map(is_set, group)) for group in TRACING_VARIABLES),
        checks=frozenset(checks) if is_set("ZE_ENABLE_VALIDATION_LAYER") else frozenset(),
    )


_lock = ranked_lock(LockRank.LAYERS, reentrant=True)
_asked = Layers()
"""The layers that the environment, or `install`, asks for."""

_tracing_users = 0
"""The number of other users of the tracing layer."""

_active = Layers()
_validation: ValidationLayer | None = None
_settled = False
"""True if the environment is not read any more."""


def active() -> Layers:
    """Returns the layers that are installed."""
    return _active


def install(layers: Layers) -> None:
    """Installs layers in place of those that the environment asks for. The environment is not read any more."""
    global _settled  # noqa: PLW0603 - the process has one set of layers
    _settled = True
    _ask(layers)


def use_tracing(users: int) -> None:
    """Adds users of the tracing layer, or removes them if `users` is negative; it is installed while there are any."""
    global _tracing_users  # noqa: PLW0603
    with _lock:
        _tracing_users = max(_tracing_users + users, 0)
        _ask(_asked)


def _ask(layers: Layers) -> None:
    """Installs the layers that are asked for. The validation layer starts anew if its checks change."""
    global _asked, _active, _validation  # noqa: PLW0603
    with _lock:
        _asked = layers
        wanted = replace(layers, tracing=layers.tracing or _tracing_users > 0)
        if wanted.checks != _active.checks:
            if _validation is not None:
                _validation.remove()
            _validation = ValidationLayer.of(wanted.checks) if wanted.checks else None
        if wanted != _active:
            chain = [tracing_layer] if wanted.tracing else []
            dispatch.install([*chain, *([_validation.wrap] if _validation is not None else [])])
        _active = wanted


def follow_environment() -> None:
    """Installs the layers that the environment asks for."""
    _ask(layers_in(os.environ))


def initializing(entry: Callable[P, R]) -> Callable[P, R]:
    """Replaces the entry of a function that initializes the driver by one that reads the environment first.

    The environment is read by each such call until one of them succeeds.
    """

    @wraps(entry)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        global _settled  # noqa: PLW0603
        if not _settled:
            follow_environment()
        result = entry(*args, **kwargs)
        _settled = True
        return result

    dispatch.replace_entry(entry.__name__, call)
    return call
