"""Assigns scratch space to spilled values: slots that are never live at the same time share bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Block, Region

from passes.xe.allocate_registers.liveness import Segment, merge
from passes.xe.allocate_registers.occupation import Occupation, first_fit
from xegpu.dialects.xe import FillOp, SpillOp, register_bytes, scratch_bytes

QWORD = 8
"""The granularity of scratch messages in bytes."""


def share(body: Region, limit: int) -> int | None:
    """Renumbers the slots of spills and fills to byte offsets. Returns the bytes in use; None if above `limit`."""
    sizes: dict[int, int] = {}
    accesses: list[SpillOp | FillOp] = [op for op in body.walk() if isinstance(op, SpillOp | FillOp)]
    for op in accesses:
        value = op.source if isinstance(op, SpillOp) else op.result
        sizes[op.slot.value.data] = scratch_bytes(register_bytes(value.type))
    segments = _segments(body)
    addresses: dict[int, int] = {}
    taken: Occupation[int] = Occupation()
    for slot in sorted(segments, key=lambda s: (segments[s][0], -sizes[s])):
        taken.advance(segments[slot][0][0])
        address = first_fit(taken.units(segments[slot]), sizes[slot], QWORD, limit)
        if address is None:
            return None
        addresses[slot] = address
        taken.take(slot, segments[slot], address, sizes[slot])
    for op in accesses:
        op.slot = IntegerAttr(addresses[op.slot.value.data], i32)
    return max((address + sizes[slot] for slot, address in addresses.items()), default=0)


class _BlockAccesses(NamedTuple):
    """The positions of a block, its spills and fills with theirs, and masks of slots.

    `read` are those that are read before they are written, if they are.
    """

    block: Block
    start: int
    end: int
    accesses: Sequence[tuple[int, SpillOp | FillOp]]
    read: int
    written: int


def _segments(body: Region) -> dict[int, list[Segment]]:
    """Returns the live segments of each slot, in positions of operations."""
    blocks = _accesses(body)
    live_in = _live_in(blocks)
    segments: dict[int, list[Segment]] = {}
    begins: dict[int, int] = {}
    through = 0
    for block in blocks:
        # What is live through blocks costs something where that begins and ends only.
        into, out = live_in[block.block], _live_out(block.block, live_in)
        before, through = through, into & out & ~block.written
        for slot in _members(before & ~through):
            segments.setdefault(slot, []).append((begins.pop(slot), block.start + 1))
        begins.update(dict.fromkeys(_members(through & ~before), block.start))
        ends = dict.fromkeys(_members(out & block.written), block.end)
        for position, op in reversed(block.accesses):
            slot = op.slot.value.data
            if isinstance(op, FillOp):
                ends.setdefault(slot, position)
            else:
                segments.setdefault(slot, []).append((position, max(ends.pop(slot, 0), position + 1)))
        for slot in _members(into & ~through):
            segments.setdefault(slot, []).append((block.start, ends[slot] + 1))
    return {slot: merge(parts) for slot, parts in segments.items()}


def _accesses(body: Region) -> list[_BlockAccesses]:
    found: list[_BlockAccesses] = []
    start = end = 0
    for block in body.blocks:
        accesses: list[tuple[int, SpillOp | FillOp]] = []
        read = written = 0
        for end, op in enumerate(block.ops, start + 1):
            if isinstance(op, SpillOp):
                written |= 1 << op.slot.value.data
            elif isinstance(op, FillOp):
                read |= 1 << op.slot.value.data & ~written
            else:
                continue
            accesses.append((end - 1, op))
        found.append(_BlockAccesses(block, start, end, accesses, read, written))
        start = end
    return found


def _live_out(block: Block, live_in: Mapping[Block, int]) -> int:
    """Returns a mask of the slots that are live at the end of a block."""
    last = block.last_op
    return reduce(or_, (live_in[successor] for successor in last.successors), 0) if last is not None else 0


def _live_in(blocks: Sequence[_BlockAccesses]) -> dict[Block, int]:
    """Returns masks of the slots that each block, or a later one, reads before writing them."""
    live = {block.block: block.read for block in blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            slots = block.read | _live_out(block.block, live) & ~block.written
            if slots != live[block.block]:
                live[block.block], changed = slots, True
    return live


def _members(slots: int) -> Iterator[int]:
    """Yields the slots of a mask."""
    while slots:
        lowest = slots & -slots
        yield lowest.bit_length() - 1
        slots ^= lowest
