"""Choices about the debug information of a binary that is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from xegpu.on_demand import dataclass


@dataclass(frozen=True)
class DebugOptions:
    """The debug information of a binary that is built.

    Attributes:
        enabled: Whether there are debug sections.
        prefix_map: Replacements for the starts of source paths, as `-fdebug-prefix-map` of C compilers has them; the
            longest start that fits counts.
    """

    enabled: bool = True
    prefix_map: Mapping[str, str] = field(default_factory=dict)

    def path(self, path: str) -> str:
        """Returns the path that the binary names for a source file."""
        old = max((old for old in self.prefix_map if path.startswith(old)), key=len, default=None)
        return path if old is None else self.prefix_map[old] + path[len(old) :]


DEFAULT_DEBUG = DebugOptions()
"""All source locations, with paths as they were given."""
