"""The order in which the work-groups of a launch start.

No order is defined between work-groups. Those that are near to each other in x and y often share data: tiles of a
product, lines of the host's caches, pages. So that they find it in the caches, a layer of the grid (all groups with the
same z) is cut into patches. Groups of a patch follow each other, x fastest; so do patches of a layer, and layers.
"""

from __future__ import annotations

from dataclasses import dataclass

from runtime.simulator.launch.dispatch import Dispatch
from xegpu.isa.model import Dim3

PATCH = (64, 8)
"""Columns and rows of a patch; at the right and lower edge of the grid they are smaller.

Kernels that move data read long rows of memory, which the host's CPU foresees.
"""

SQUARE = (8, 8)
"""The same for kernels with matrix products, whose groups read rows of one matrix and columns of another."""


@dataclass(frozen=True)
class GroupOrder:
    """An order of the groups of a grid of `columns` and `rows`, in patches of `width` times `height`."""

    columns: int
    rows: int
    width: int
    height: int

    def position(self, number: int) -> Dim3:
        """Returns the coordinates of a work-group from its number in the order."""
        layer, rest = divmod(number, self.columns * self.rows)
        strip, rest = divmod(rest, self.columns * self.height)
        top = strip * self.height
        height = min(self.height, self.rows - top)
        patch, rest = divmod(rest, self.width * height)
        left = patch * self.width
        row, column = divmod(rest, min(self.width, self.columns - left))
        return left + column, top + row, layer


def group_order(dispatch: Dispatch, *, ascending: bool, multiplies: bool) -> GroupOrder:
    """Returns the order of a launch of a kernel, which has matrix products if it `multiplies`.

    With `ascending`, and in parts of launches, x is fastest in the whole grid.
    """
    columns, rows, _ = dispatch.group_count
    if ascending or dispatch.part is not None:
        return GroupOrder(columns, rows, columns, 1)
    return GroupOrder(columns, rows, *(SQUARE if multiplies else PATCH))
