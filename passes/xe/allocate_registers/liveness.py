"""Liveness of register values in a kernel."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xegpu.dialects.xe import DpasOp, FlagType, GRFType, ImageOp, InstructionOp, MessageOp, edges

_REGISTERS = (GRFType, FlagType)

Segment = tuple[int, int]
"""A half-open range of positions. An operation at position p reads at p and writes at p + 1."""


@dataclass
class Liveness:
    """Positions of operations and live segments of values, both in the order of blocks in the region."""

    positions: dict[Operation, int]
    segments: dict[SSAValue, list[Segment]]
    live_out: dict[Block, set[SSAValue]]


def is_register(value: SSAValue) -> bool:
    """Returns whether a value lives in a register that must be allocated."""
    return type(value.type) in _REGISTERS


def branch_pairs(op: Operation) -> Iterator[tuple[BlockArgument, SSAValue, int]]:
    """Yields (successor argument, passed value, operand index) for each value that a terminator passes."""
    for block, values in edges(op):
        start = len(op.operands) - len(values)
        for index, (argument, operand) in enumerate(zip(block.args, values, strict=True), start):
            yield argument, operand, index


def _writes_early(op: Operation) -> bool:
    """Returns whether results must not share bytes with operands that die here: they are written before all reads."""
    return isinstance(op, DpasOp | ImageOp | MessageOp)


def compute(body: Region) -> Liveness:
    """Computes the liveness of all register values of a kernel body."""
    positions: dict[Operation, int] = {}
    bounds: dict[Block, Segment] = {}
    position = 0
    for block in body.blocks:
        start = position
        position += 2
        for op in block.ops:
            positions[op] = position
            position += 2
        bounds[block] = (start, position)
    live_in, live_out = _block_liveness(body)
    segments: dict[SSAValue, list[Segment]] = {}
    for block in body.blocks:
        _block_segments(block, bounds[block], positions, live_in[block], live_out[block], segments)
    for value, parts in segments.items():
        segments[value] = merge(parts)
    return Liveness(positions, segments, live_out)


def _block_liveness(body: Region) -> tuple[dict[Block, set[SSAValue]], dict[Block, set[SSAValue]]]:
    used: dict[Block, set[SSAValue]] = {}
    defined: dict[Block, set[SSAValue]] = {}
    for block in body.blocks:
        before: set[SSAValue] = set()
        own: set[SSAValue] = set(block.args)
        for op in block.ops:
            before.update(o for o in op.operands if o not in own and is_register(o))
            own.update(op.results)
        used[block], defined[block] = before, own
    live_in = {block: set(used[block]) for block in body.blocks}
    live_out: dict[Block, set[SSAValue]] = {block: set() for block in body.blocks}
    following = [
        (block, [successor for successor, _ in edges(block.last_op)] if block.last_op is not None else [])
        for block in reversed(body.blocks)
    ]
    changed = True
    while changed:
        changed = False
        for block, successors in following:
            out: set[SSAValue] = set()
            for successor in successors:
                out |= live_in[successor]
            if out != live_out[block]:
                live_out[block] = out
                live_in[block] = used[block] | (out - defined[block])
                changed = True
    return live_in, live_out


def _block_segments(
    block: Block,
    bounds: Segment,
    positions: dict[Operation, int],
    live_in: set[SSAValue],
    live_out: set[SSAValue],
    segments: dict[SSAValue, list[Segment]],
) -> None:
    start, end = bounds
    last_use: dict[SSAValue, int] = dict.fromkeys(live_out, end)
    for op in block.ops:
        for operand in op.operands:
            if is_register(operand) and operand not in live_out:
                last_use[operand] = positions[op] + 1
    for value in live_in:
        segments.setdefault(value, []).append((start, last_use[value]))
    for argument in block.args:
        segments.setdefault(argument, []).append((start, last_use.get(argument, start + 1)))
    for op in block.ops:
        for result in op.results:
            if not is_register(result):
                continue
            written = positions[op] + 1
            tied = op.tied if isinstance(op, InstructionOp) else None
            begin = written - 1 if tied is None and _writes_early(op) else written
            segments.setdefault(result, []).append((begin, max(last_use.get(result, 0), written + 1)))


def merge(parts: list[Segment]) -> list[Segment]:
    """The same positions as sorted, disjoint segments."""
    merged: list[Segment] = []
    for start, end in sorted(parts):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def overlap(a: Sequence[Segment], b: Sequence[Segment]) -> bool:
    """Returns whether two sorted lists of disjoint segments overlap."""
    if len(a) < len(b):
        a, b = b, a
    # Most lists have one segment or two, but a value that lives through many loops has hundreds.
    i = bisect_right(a, b[0][0], key=_end) if len(a) > _FEW and b else 0
    j = 0
    while i < len(a) and j < len(b):
        if a[i][1] <= b[j][0]:
            i += 1
        elif b[j][1] <= a[i][0]:
            j += 1
        else:
            return True
    return False


_FEW = 8
"""The number of segments that are gone through as fast as they are searched."""


def _end(segment: Segment) -> int:
    return segment[1]
