"""Level Zero for tools over the simulator, with the specification's names."""

from __future__ import annotations

from runtime.zet import tracing
from runtime.zet.tracing import *  # noqa: F403 - its `__all__`

# Type checkers take the names from the import above; a literal list would repeat them.
globals()["__all__"] = tracing.__all__


def __getattr__(name: str) -> object:
    try:
        return tracing.attribute(name)
    except KeyError:
        raise AttributeError(f"module 'runtime.zet' has no attribute '{name}'") from None
