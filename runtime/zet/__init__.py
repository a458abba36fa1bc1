"""Level Zero for tools over the simulator, with the specification's names.

System management is `runtime.zes`; what specification 0.91 has of it under `zet` is here, too.
"""

from __future__ import annotations

from runtime import zes
from runtime.zes.seed import *  # noqa: F403 - its `__all__`
from runtime.zet import tracing
from runtime.zet.tracing import *  # noqa: F403 - its `__all__`

# Type checkers take the names from the imports above; a literal list would repeat them.
_SYSMAN = ("zetSysman", "zet_", "ZET_")
globals()["__all__"] = [*tracing.__all__, *(name for name in vars(zes) if name.startswith(_SYSMAN))]


def __getattr__(name: str) -> object:
    try:
        return tracing.attribute(name)
    except KeyError:
        raise AttributeError(f"module 'runtime.zet' has no attribute '{name}'") from None
