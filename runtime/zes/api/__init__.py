"""The functions of system management, one module for each chapter of the specification.

Importing the package declares all of them. Type checkers take the names from the imports below; a literal `__all__`
would repeat each of them.
"""

# ruff: noqa: F403 - what the chapters declare

from __future__ import annotations

from runtime.zes.api.device import *
from runtime.zes.api.engines import *
from runtime.zes.api.parts import *
from runtime.zes.api.power import *

globals()["__all__"] = sorted(name for name in globals() if name.startswith("zes"))
