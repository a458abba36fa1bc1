"""Finds the pointers that only accesses use: each access computes the address itself, as it needs it."""

from __future__ import annotations

from collections.abc import Set

from xdsl.ir import Block, Operation, Region, Use

from xegpu.dialects.upstream.llvm import (
    AtomicCmpXchgOp,
    AtomicRMWOp,
    GEPOp,
    LoadOp,
    StoreOp,
)


def accessed_pointers(body: Region) -> set[Operation]:
    """Returns the `llvm.getelementptr` that nothing but accesses in their blocks use: those compute the addresses."""
    found: set[Operation] = set()
    for block in body.blocks:
        for op in reversed(list(block.ops)):
            if op.name == GEPOp.name and all(_is_access(use, block, found) for use in op.results[0].uses):
                found.add(op)
    return found


def _is_access(use: Use, block: Block, folded: Set[Operation]) -> bool:
    user = use.operation
    if user.parent_block() is not block:
        return False
    match user:
        case GEPOp():
            return use.index == 0 and user in folded
        case LoadOp():
            return True
        case StoreOp():
            return use.index == 1
        case AtomicRMWOp() | AtomicCmpXchgOp():
            return use.index == 0
        case _:
            return False
