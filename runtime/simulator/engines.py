"""The engines by name. An engine is imported on first use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import runtime.simulator.interpreter as interpreter
    import runtime.simulator.jit as jit

if TYPE_CHECKING:
    from runtime.simulator.execution.engine import Engine
    from runtime.simulator.interpreter.observer import Observer

ENGINES: Mapping[str, Callable[[Sequence[Observer]], Engine]] = {
    "jit": lambda observers: jit.JitEngine(),
    "interpreter": lambda observers: interpreter.Interpreter(observers=observers),
}
"""How engines are made, by name. An engine is imported when it is first asked for."""

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
    return ENGINES[name](observers)
