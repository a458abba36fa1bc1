"""System management as specification 0.91 has it: `zetSysman...`, with its own enumerations and structures.

Where a function takes and returns the same in both specifications, it is that of 1.x under its older name.
"""

# ruff: noqa: F403 - what the chapters declare

from __future__ import annotations

from runtime.ze.conversion import declare_structures
from runtime.zes.seed import structs

declare_structures(structs)  # before the functions that take them

from runtime.zes.seed.constants import *  # noqa: E402
from runtime.zes.seed.device import *  # noqa: E402
from runtime.zes.seed.enums import *  # noqa: E402
from runtime.zes.seed.events import *  # noqa: E402
from runtime.zes.seed.parts import *  # noqa: E402
from runtime.zes.seed.power import *  # noqa: E402
from runtime.zes.seed.structs import *  # noqa: E402
from runtime.zes.system.components import EventHandle  # noqa: E402

zet_sysman_event_handle_t = EventHandle

globals()["__all__"] = sorted(name for name in globals() if name.startswith(("zetSysman", "zet_", "ZET_")))
