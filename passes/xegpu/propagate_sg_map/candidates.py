"""The maps to try for a tile without one."""

from __future__ import annotations

from collections.abc import Iterator

from xegpu.dialects.xegpu import SgMapAttr
from xegpu.targets import Target

_BOXES = ((1, 1), (2, 1), (1, 2), (4, 1), (1, 4), (8, 1), (1, 8))
"""The shapes of elements that a lane may hold side by side, the simplest first."""


def possible_maps(target: Target) -> Iterator[SgMapAttr]:
    """Yields all arrangements of the lanes of a subgroup, with all boxes."""
    lanes = target.platform.subgroup_size
    for rows in (2**bit for bit in range(lanes.bit_length())):
        for box in _BOXES:
            yield SgMapAttr([rows, lanes // rows], box)
