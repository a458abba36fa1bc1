"""Bodies that are written without the terminator that ends them."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation, Region
from xdsl.traits import IsTerminator


def ensure_terminator(body: Region, make: Callable[[], Operation]) -> None:
    """Adds a terminator to the last block of a body that has none, at the location of the last operation."""
    block = body.blocks.last
    if block is None:
        return
    last = block.last_op
    if last is not None and last.has_trait(IsTerminator, value_if_unregistered=True):
        return
    terminator = make()
    if last is not None:
        terminator.location = last.location
    block.add_op(terminator)
