"""Which layers there are: the environment says so, and is read when the package is imported and by the first `zeInit`.

| Variable, set to 1 | |
|---|---|
| `ZE_ENABLE_VALIDATION_LAYER` | the validation layer, with the checks that other variables ask for |
| `ZE_ENABLE_PARAMETER_VALIDATION` | parameters |
| `ZE_ENABLE_HANDLE_LIFETIME` | use of handles, and those that are left at exit |
| `ZE_ENABLE_MEMORY_TRACKER` | use of memory, and what is not freed at exit |
| `ZE_ENABLE_THREADING_VALIDATION` | calls that must not overlap |
| `ZE_ENABLE_TRACING_LAYER` | the tracing layer |
| `ZET_ENABLE_API_TRACING_EXP`; `ZE_ENABLE_INSTRUMENTATION_LAYER` with `ZE_ENABLE_API_TRACING` | the same, as older versions call it |
"""  # noqa: E501 - a table

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import ParamSpec, TypeVar

from runtime.ze import dispatch
from runtime.ze.tracing.tracer import tracing_layer
from runtime.ze.validation import Check, ValidationLayer

P = ParamSpec("P")
R = TypeVar("R")

CHECK_VARIABLES: Mapping[str, Check] = {
    "ZE_ENABLE_PARAMETER_VALIDATION": Check.PARAMETERS,
    "ZE_ENABLE_HANDLE_LIFETIME": Check.LIFETIME,
    "ZE_ENABLE_MEMORY_TRACKER": Check.MEMORY,
    "ZE_ENABLE_THREADING_VALIDATION": Check.THREADS,
}

TRACING_VARIABLES: tuple[tuple[str, ...], ...] = (
    ("ZE_ENABLE_TRACING_LAYER",),
    ("ZET_ENABLE_API_TRACING_EXP",),
    ("ZE_ENABLE_INSTRUMENTATION_LAYER", "ZE_ENABLE_API_TRACING"),
)
"""Variables of which one group must be set."""


@dataclass(frozen=True)
class Layers:
    """The layers between application and driver, the outermost first: tracing, validation."""

    tracing: bool = False
    checks: frozenset[Check] = frozenset()


def layers_in(environment: Mapping[str, str]) -> Layers:
    """The layers that an environment asks for; only `1` switches something on."""

    def is_set(variable: str) -> bool:
        return environment.get(variable) == "1"

    checks = {check for variable, check in CHECK_VARIABLES.items() if is_set(variable)}
    return Layers(
        tracing=any(all(map(is_set, group)) for group in TRACING_VARIABLES),
        checks=frozenset(checks) if is_set("ZE_ENABLE_VALIDATION_LAYER") else frozenset(),
    )


_asked = Layers()
"""What the environment asks for."""

_active = Layers()
_validation: ValidationLayer | None = None
_lock = threading.Lock()


def active() -> Layers:
    """The layers that there are."""
    return _active


def install(layers: Layers) -> None:
    """Put layers in place of those that there are. The validation layer starts anew where its checks change."""
    global _asked  # noqa: PLW0603 - the process has one set of layers
    _asked = layers
    _link(layers)


def require_tracing(wanted: bool) -> None:
    """Add the tracing layer to what the environment asks for, or take it back."""
    _link(replace(_asked, tracing=_asked.tracing or wanted))


def _link(layers: Layers) -> None:
    global _active, _validation  # noqa: PLW0603
    with _lock:
        if layers.checks != _active.checks:
            if _validation is not None:
                _validation.remove()
            _validation = ValidationLayer.of(layers.checks) if layers.checks else None
        if layers != _active:
            chain = [tracing_layer] if layers.tracing else []
            dispatch.install([*chain, *([_validation.wrap] if _validation is not None else [])])
        _active = layers


def entries(functions: Mapping[str, Callable[..., object]]) -> dict[str, Callable[..., object]]:
    """The entries for the functions of the driver, behind the layers that the environment asks for.

    The environment is read again by functions that initialize the driver, until one of them succeeds.
    """
    found = {name: dispatch.entry(name, function) for name, function in functions.items()}
    found.update({name: _initializing(found[name]) for name in _INITIALIZERS & found.keys()})
    install(layers_in(os.environ))
    return found


_INITIALIZERS = {"zeInit", "zeInitDrivers"}
_initialized = False


def _initializing(entry: Callable[P, R]) -> Callable[P, R]:
    @wraps(entry)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        global _initialized  # noqa: PLW0603
        if not _initialized:
            install(layers_in(os.environ))
        result = entry(*args, **kwargs)
        _initialized = True
        return result

    return call
