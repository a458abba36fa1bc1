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
    """An operation, its position, and the registers that it reads and writes, as numbers."""

    op: Operation
    position: int
    reads: Sequence[int]
    writes: Sequence[int]


class _BlockUse(NamedTuple):
    """A block, the positions that it takes, its arguments, as numbers, and the uses of registers in it."""

    block: Block
    bounds: Segment
    arguments: Sequence[int]
    steps: Sequence[_RegisterUse]


def compute(body: Region) -> Liveness:
    """Computes the liveness of all register values of a kernel body."""
    # Values are told apart by their identity: numbers are hashed several times as fast as values.
    values: dict[int, SSAValue] = {}
    uses: list[_BlockUse] = []
    position = 0
    for block in body.blocks:
        start = position
        steps: list[_RegisterUse] = []
        for op in block.ops:
            position += 2
            reads = [id(operand) for operand in op.operands if type(operand.type) in _REGISTERS]
            writes = []
            for result in op.results:
                if type(result.type) in _REGISTERS:
                    writes.append(id(result))
                    values[id(result)] = result
            steps.append(_RegisterUse(op, position, reads, writes))
        position += 2
        arguments = [id(argument) for argument in block.args]
        values.update(zip(arguments, block.args, strict=True))
        uses.append(_BlockUse(block, (start, position), arguments, steps))
    segments: dict[int, list[Segment]] = {}
    live_in, live_out = _block_liveness(uses)
    for use, into, out in zip(uses, live_in, live_out, strict=True):
        _block_segments(use, into, out, segments)
    return Liveness(
        {step.op: step.position for use in uses for step in use.steps},
        {values[number]: parts if len(parts) == 1 else merge(parts) for number, parts in segments.items()},
    )


def _block_liveness(uses: Sequence[_BlockUse]) -> tuple[list[set[int]], list[set[int]]]:
    """Returns the values that are live at the start of each block, and those at its end."""
    used: list[set[int]] = []
    defined: list[set[int]] = []
    for _, _, arguments, steps in uses:
        before: set[int] = set()
        own: set[int] = set(arguments)
        for step in steps:
            for number in step.reads:
                if number not in own:
                    before.add(number)
            own.update(step.writes)
        used.append(before)
        defined.append(own)
    places = {use.block: index for index, use in enumerate(uses)}
    following = [
        [places[successor] for successor in use.block.last_op.successors] if use.block.last_op is not None else []
        for use in uses
    ]
    live_in = [set(before) for before in used]
    live_out: list[set[int]] = [set() for _ in uses]
    changed = True
    while changed:
        changed = False
        for index in reversed(range(len(uses))):
            out: set[int] = set().union(*(live_in[successor] for successor in following[index]))
            if out != live_out[index]:
                live_out[index] = out
                live_in[index] = used[index] | (out - defined[index])
                changed = True
    return live_in, live_out


def _block_segments(use: _BlockUse, live_in: set[int], live_out: set[int], segments: dict[int, list[Segment]]) -> None:
    start, end = use.bounds
    last_use: dict[int, int] = {}
    for step in use.steps:
        for number in step.reads:
            last_use[number] = step.position + 1
    last_use.update(dict.fromkeys(live_out, end))
    for number in live_in:
        segments.setdefault(number, []).append((start, last_use[number]))
    for argument in use.arguments:
        segments.setdefault(argument, []).append((start, last_use.get(argument, start + 1)))
    for op, position, _, writes in use.steps:
        if not writes:
            continue
        early = _writes_early(type(op)) and not (isinstance(op, InstructionOp) and op.tied is not None)
        begin = position if early else position + 1
        for number in writes:
            segments.setdefault(number, []).append((begin, max(last_use.get(number, 0), position + 2)))


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
