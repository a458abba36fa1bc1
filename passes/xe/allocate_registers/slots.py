"""Assigns scratch space to spilled values: slots that are never live at the same time share bytes."""

from __future__ import annotations

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


def _segments(body: Region) -> dict[int, list[Segment]]:
    """Returns the live segments of each slot, in positions of operations."""
    live_in = _live_in(body)
    segments: dict[int, list[Segment]] = {}
    start = 0
    for block in body.blocks:
        ops = list(block.ops)
        ends = dict.fromkeys(_live_out(block, live_in), start + len(ops))
        for position in range(start + len(ops) - 1, start - 1, -1):
            op = ops[position - start]
            if isinstance(op, FillOp):
                ends.setdefault(op.slot.value.data, position)
            elif isinstance(op, SpillOp):
                slot = op.slot.value.data
                segments.setdefault(slot, []).append((position, max(ends.pop(slot, 0), position + 1)))
        for slot, end in ends.items():
            segments.setdefault(slot, []).append((start, end + 1))
        start += len(ops)
    return {slot: merge(parts) for slot, parts in segments.items()}


def _live_out(block: Block, live_in: dict[Block, set[int]]) -> set[int]:
    last = block.last_op
    return {slot for successor in (last.successors if last is not None else ()) for slot in live_in[successor]}


def _live_in(body: Region) -> dict[Block, set[int]]:
    """Returns the slots that each block, or a later one, reads before writing them."""
    live: dict[Block, set[int]] = {block: set() for block in body.blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(body.blocks):
            slots = _live_out(block, live)
            for op in reversed(block.ops):
                if isinstance(op, SpillOp):
                    slots.discard(op.slot.value.data)
                elif isinstance(op, FillOp):
                    slots.add(op.slot.value.data)
            if slots != live[block]:
                live[block], changed = slots, True
    return live
