"""The limits of messages that carry blocks of two dimensions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class BlockLimits:
    """The limits of one block-2D message for elements of a given size.

    Widths count elements, heights rows. `counts` are the legal array lengths and `max_row_elements` bounds width times
    array length.
    """

    min_width: int
    max_width: int
    min_height: int
    max_height: int
    counts: tuple[int, ...]
    max_row_elements: int
    height_multiple: int = 1

    def allows(self, width: int, height: int, count: int = 1) -> bool:
        """Returns whether one message may carry `count` blocks of `height` rows and `width` elements."""
        return (
            self.min_width <= width <= self.max_width
            and self.min_height <= height <= self.max_height
            and height % self.height_multiple == 0
            and count in self.counts
            and width * count <= self.max_row_elements
        )


@dataclass(frozen=True)
class Block2D:
    """Limits of the block-2D messages, by element size in bytes."""

    load: Mapping[int, BlockLimits]
    load_vnni: Mapping[int, BlockLimits]
    load_transposed: Mapping[int, BlockLimits]
    store: Mapping[int, BlockLimits]
    base_alignment: int = 64
    min_surface_width: int = 64
    min_surface_pitch: int = 64
    pitch_multiple: int = 16
    width_multiple: int = 4
    row_bytes_multiple: int = 4
    max_surface: int = 1 << 24
    max_load_bytes: int = 2048
    max_store_bytes: int = 512
