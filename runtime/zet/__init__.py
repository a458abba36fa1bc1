"""Level Zero for tools over the simulator, with the specification's names.

Conventions are those of `runtime.ze`. System management is `runtime.zes`; what specification 0.91 has of it under `zet`
is here, too.
"""

# ruff: noqa: F403 - what the specification and the chapters declare

from __future__ import annotations

from runtime import zes
from runtime.ze.spec import enumerators
from runtime.zes.seed import *
from runtime.zet import tracing
from runtime.zet.chapters import ToolsChapter as ToolsChapter
from runtime.zet.debug import *
from runtime.zet.initialization import zetInit as zetInit
from runtime.zet.instrumentation import *
from runtime.zet.metrics import *
from runtime.zet.structure_types import *
from runtime.zet.tracing import *

# Type checkers take the names from the imports above; a literal list would repeat them.
_SYSMAN = ("zetSysman", "zet_", "ZET_")
globals()["__all__"] = sorted(
    {
        *tracing.__all__,
        *(name for name in vars(zes) if name.startswith(_SYSMAN)),
        *(name for name in globals() if name.startswith(("zet", "ZET_"))),
    }
)

_ENUMERATORS = enumerators(globals())


def __getattr__(name: str) -> object:
    if name in _ENUMERATORS:
        return _ENUMERATORS[name]
    try:
        return tracing.attribute(name)
    except KeyError:
        raise AttributeError(f"module 'runtime.zet' has no attribute '{name}'") from None
