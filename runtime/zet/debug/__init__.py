"""Program debug: a debugger in another process attaches to a card of a program.

Importing the package declares its functions. Type checkers take the names from the imports below; a literal `__all__`
would repeat each of them.
"""

# ruff: noqa: F403 - what the specification and the chapters declare

from __future__ import annotations

from runtime.zet.debug.api import *
from runtime.zet.debug.seed import *
from runtime.zet.debug.session import DebugHandle
from runtime.zet.debug.spec import *

zet_debug_session_handle_t = DebugHandle

globals()["__all__"] = sorted(name for name in globals() if name.startswith(("ze_device_thread_t", "zet", "ZET_")))
