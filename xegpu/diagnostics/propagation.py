"""Keeping locations through rewrites."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import LocationAttr, UnknownLoc
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriterListener


def inherit_location(source: Operation | LocationAttr, *ops: Operation) -> None:
    """Gives `ops` that have no location yet the location of their origin."""
    location = source.location if isinstance(source, Operation) else source
    for op in ops:
        if type(op.location) is UnknownLoc:
            op.location = location


class LocationListener(PatternRewriterListener):
    """Operations that a pattern inserts get the location of the operation that it then replaces or erases.

    `PatternRewriteWalker(pattern, listener=LocationListener())`
    """

    def __init__(self) -> None:
        self._inserted: list[Operation] = []
        super().__init__(
            operation_insertion_handler=[self._inserted.append],
            operation_removal_handler=[self._settle],
            operation_replacement_handler=[self._replaced],
        )

    def _replaced(self, op: Operation, results: Sequence[SSAValue | None]) -> None:
        self._settle(op)

    def _settle(self, op: Operation) -> None:
        for inserted in self._inserted:
            inherit_location(op, *inserted.walk())
        self._inserted.clear()


def fill_locations(root: Operation) -> None:
    """Gives each operation without a location that of the nearest operation before it in its block, or around it.

    For modules that come out of passes which do not care for locations.
    """
    for region in root.regions:
        for block in region.blocks:
            nearest, op = root, block.first_op
            while op is not None:
                if type(op.location) is UnknownLoc:
                    op.location = nearest.location
                nearest = op
                if op.regions:
                    fill_locations(op)
                op = op.next_op
