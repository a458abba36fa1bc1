"""Program instrumentation: what tools need to know to insert instructions into the kernels of a program.

Importing the package declares its functions. Type checkers take the names from the imports below; a literal `__all__`
would repeat each of them.
"""

# ruff: noqa: F403 - what the specification and the chapter declare

from __future__ import annotations

from runtime.zet.instrumentation.api import *
from runtime.zet.instrumentation.spec import *
from runtime.zet.instrumentation.tokens import *

globals()["__all__"] = sorted(name for name in globals() if name.startswith(("zet", "ZET_")))
