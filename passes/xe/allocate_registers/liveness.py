"""Liveness of register values in a kernel."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xegpu.dialects.xe import DpasOp, FlagType, GRFType, ImageOp, InstructionOp, MessageOp, edges

_REGISTERS = frozenset({GRFType, FlagType})

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


@cache
def _writes_early(kind: type[Operation]) -> bool:
    """Returns whether results must not share bytes with operands that die here: they are written before all reads."""
    return issubclass(kind, DpasOp | ImageOp | MessageOp)


class _RegisterUse(NamedTuple):
    """An operation, its position, and the registers that it reads and writes."""

    op: Operation
    position: int
    reads: Sequence[SSAValue]
    writes: Sequence[SSAValue]


def compute(body: Region) -> Liveness:
    """Computes the liveness of all register values of a kernel body."""
    bounds: dict[Block, Segment] = {}
    steps: dict[Block, list[_RegisterUse]] = {}
    position = 0
    for block in body.blocks:
        start = position
        found = steps[block] = []
        for op in block.ops:
            position += 2
            reads = [operand for operand in op.operands if type(operand.type) in _REGISTERS]
            writes = [result for result in op.results if type(result.type) in _REGISTERS]
            found.append(_RegisterUse(op, position, reads, writes))
        position += 2
        bounds[block] = (start, position)
    live_in, live_out = _block_liveness(body, steps)
    segments: dict[SSAValue, list[Segment]] = {}
    for block in body.blocks:
        _block_segments(block, bounds[block], steps[block], live_in[block], live_out[block], segments)
    for value, parts in segments.items():
        if len(parts) > 1:
            segments[value] = merge(parts)
    return Liveness({step.op: step.position for found in steps.values() for step in found}, segments, live_out)


def _block_liveness(
    body: Region, steps: dict[Block, list[_RegisterUse]]
) -> tuple[dict[Block, set[SSAValue]], dict[Block, set[SSAValue]]]:
    used: dict[Block, set[SSAValue]] = {}
    defined: dict[Block, set[SSAValue]] = {}
    for block in body.blocks:
        before: set[SSAValue] = set()
        own: set[SSAValue] = set(block.args)
        for step in steps[block]:
            before.update(operand for operand in step.reads if operand not in own)
            own.update(step.writes)
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
    steps: Sequence[_RegisterUse],
    live_in: set[SSAValue],
    live_out: set[SSAValue],
    segments: dict[SSAValue, list[Segment]],
) -> None:
    start, end = bounds
    last_use: dict[SSAValue, int] = {}
    for step in steps:
        last_use.update(dict.fromkeys(step.reads, step.position + 1))
    last_use.update(dict.fromkeys(live_out, end))
    for value in live_in:
        segments.setdefault(value, []).append((start, last_use[value]))
    for argument in block.args:
        segments.setdefault(argument, []).append((start, last_use.get(argument, start + 1)))
    for op, position, _, writes in steps:
        if not writes:
            continue
        early = _writes_early(type(op)) and not (isinstance(op, InstructionOp) and op.tied is not None)
        begin = position if early else position + 1
        for result in writes:
            segments.setdefault(result, []).append((begin, max(last_use.get(result, 0), position + 2)))


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
