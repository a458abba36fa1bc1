"""Enumerators as names of a module."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, IntFlag


def enumerators(names: Mapping[str, object]) -> dict[str, IntEnum | IntFlag]:
    """Returns the members of a module's enumerations by name.

    A member that enumerations of both specifications have is that of 1.x, whose flags have names that end in `flags_t`.
    """
    kinds = [kind for kind in names.values() if isinstance(kind, type) and issubclass(kind, IntEnum | IntFlag)]
    kinds.sort(key=lambda kind: not kind.__name__.endswith("_flag_t"))
    return {name: member for kind in kinds for name, member in kind.__members__.items()}
