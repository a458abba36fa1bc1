"""Rooms, doors and names: how the code is arranged."""

from __future__ import annotations

MOST_MODULES = 16
"""The largest number of modules in a folder, its `__init__` included."""

PUBLIC = frozenset({"Device", "Event", "Kernel", "Module"})
"""Names of the Python API that Level Zero's handles have, too, each under its own package's door."""
