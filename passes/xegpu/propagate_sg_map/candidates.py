"""The maps that are tried where none is given."""

from __future__ import annotations

from collections.abc import Iterator

from xegpu.dialects.xegpu import SgMapAttr
from xegpu.targets import Target

_BOXES = ((1, 1), (2, 1), (1, 2), (4, 1), (1, 4), (8, 1), (1, 8))
"""Elements that a lane may have side by side, simple boxes first."""


def possible_maps(target: Target) -> Iterator[SgMapAttr]:
    """All arrangements of a subgroup's lanes, with all boxes."""
    lanes = target.subgroup_size
    for rows in (2**bit for bit in range(lanes.bit_length())):
        for box in _BOXES:
            yield SgMapAttr([rows, lanes // rows], box)
