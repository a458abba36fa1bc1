"""The functions of the core API, one module for each chapter of the specification.

Importing the package declares all of them. Type checkers take the names from the imports below; a literal `__all__`
would repeat each of them.
"""

# ruff: noqa: F403 - what the chapters declare

from __future__ import annotations

from runtime.ze.api.barrier import *
from runtime.ze.api.command_list import *
from runtime.ze.api.command_queue import *
from runtime.ze.api.context import *
from runtime.ze.api.copy import *
from runtime.ze.api.device import *
from runtime.ze.api.driver import *
from runtime.ze.api.event import *
from runtime.ze.api.fence import *
from runtime.ze.api.image import *
from runtime.ze.api.kernel import *
from runtime.ze.api.launch import *
from runtime.ze.api.memory import *
from runtime.ze.api.module import *
from runtime.ze.api.residency import *
from runtime.ze.api.sampler import *
from runtime.ze.api.virtual_memory import *

globals()["__all__"] = sorted(name for name in globals() if name.startswith("ze"))
