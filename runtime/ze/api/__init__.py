"""The functions of the core API, one module for each chapter of the specification.

Importing the package declares all of them. Type checkers take the names from the imports below; a literal `__all__`
would repeat each of them.
"""

# ruff: noqa: F403 - what the chapters declare

from __future__ import annotations

from runtime.ze.api.commands.barrier import *
from runtime.ze.api.commands.command_list import *
from runtime.ze.api.commands.command_queue import *
from runtime.ze.api.commands.copy import *
from runtime.ze.api.commands.event import *
from runtime.ze.api.commands.fence import *
from runtime.ze.api.images.image import *
from runtime.ze.api.images.sampler import *
from runtime.ze.api.memory.memory import *
from runtime.ze.api.memory.residency import *
from runtime.ze.api.memory.virtual_memory import *
from runtime.ze.api.modules.kernel import *
from runtime.ze.api.modules.launch import *
from runtime.ze.api.modules.module import *
from runtime.ze.api.system.context import *
from runtime.ze.api.system.device import *
from runtime.ze.api.system.driver import *

# isort: split

from runtime.ze.api.older_forms import *

globals()["__all__"] = sorted(name for name in globals() if name.startswith("ze"))
