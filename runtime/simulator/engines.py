"""The engines by name. An engine is imported on first use."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:  # an engine is imported when it is first asked for
    from runtime.simulator.execution.engine import Engine
    from runtime.simulator.interpreter.observer import Observer

ENGINES: Mapping[str, tuple[str, str]] = {
    "jit": ("runtime.simulator.jit", "JitEngine"),
    "interpreter": ("runtime.simulator.interpreter", "Interpreter"),
}
"""Name to module and class; the class is imported when it is first asked for, and called without arguments."""

OBSERVABLE = "interpreter"
"""The only engine that supports observers."""


def require_engine(name: str, observers: Sequence[Observer] = ()) -> None:
    """Raises `ValueError` for an unknown engine, listing those that there are, and for one that cannot be observed."""
    if name not in ENGINES:
        raise ValueError(f"unknown engine '{name}', expected one of: {', '.join(ENGINES)}")
    if observers and name != OBSERVABLE:
        raise ValueError(f"engine '{name}' cannot be observed, only '{OBSERVABLE}' can")


def create(name: str, observers: Sequence[Observer] = ()) -> Engine:
    """Returns a new engine called `name` with `observers`; raises `ValueError` as `require_engine` does."""
    require_engine(name, observers)
    module, attribute = ENGINES[name]
    make = getattr(importlib.import_module(module), attribute)
    return cast("Engine", make(observers) if observers else make())
