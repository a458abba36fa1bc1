"""Liveness of register values in a kernel."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import count
from typing import NamedTuple

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xegpu.dialects.xe import DpasOp, FlagType, GRFType, ImageOp, InstructionOp, MessageOp, edges

_REGISTERS = frozenset({GRFType, FlagType})

Segment = tuple[int, int]
"""A half-open range of positions. An operation at position p reads at p and writes at p + 1."""


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


class RegisterUse(NamedTuple):
    """An operation, the registers that it reads and writes, as numbers, and the operand that its result is tied to."""

    op: Operation
    reads: Sequence[int]
    writes: Sequence[int]
    tied: SSAValue | None


class BlockUse(NamedTuple):
    """A block, its arguments, as numbers, the uses of registers in it, and the values that are defined in it.

    `ways` are the edges that leave it, and `passed` is what they pass, as `branch_pairs` has it.
    """

    block: Block
    arguments: Sequence[int]
    steps: Sequence[RegisterUse]
    values: Mapping[int, SSAValue]
    ways: int
    passed: Sequence[tuple[BlockArgument, SSAValue, int]]

    @property
    def length(self) -> int:
        """The positions that the block takes."""
        return 2 * len(self.steps) + 2


@dataclass
class Liveness:
    """Live segments of values, in the order of blocks in the region."""

    segments: dict[SSAValue, list[Segment]]
    uses: Sequence[BlockUse]

    @cached_property
    def positions(self) -> dict[Operation, int]:
        """The position of each operation."""
        found: dict[Operation, int] = {}
        start = 0
        for use in self.uses:
            for position, step in zip(count(start + 2, 2), use.steps, strict=False):
                found[step.op] = position
            start += use.length
        return found


def compute(body: Region, before: Liveness | None = None, changed: Collection[Block] = ()) -> Liveness:
    """Computes the liveness of all register values of a kernel body.

    Args:
        body: The body.
        before: The liveness of the body before blocks were changed, whose others are not looked at again.
        changed: The blocks whose operations have changed; none was added or removed.
    """
    if before is None:
        uses = [_block_use(block) for block in body.blocks]
    else:
        again = set(changed)
        uses = [_block_use(use.block) if use.block in again else use for use in before.uses]
    values: dict[int, SSAValue] = {}
    for use in uses:
        values |= use.values
    segments = _Segments()
    live_in, live_out = _block_liveness(uses)
    start = 0
    for use, into, out in zip(uses, live_in, live_out, strict=True):
        segments.add(use, start, into, out)
        start += use.length
    segments.finish(start)
    return Liveness({values[number]: parts for number, parts in segments.of.items()}, uses)


def _block_use(block: Block) -> BlockUse:
    # Values are told apart by their identity: numbers are hashed several times as fast as values.
    arguments = [id(argument) for argument in block.args]
    values: dict[int, SSAValue] = dict(zip(arguments, block.args, strict=True))
    steps: list[RegisterUse] = []
    for op in block.ops:
        reads = [id(operand) for operand in op.operands if type(operand.type) in _REGISTERS]
        writes = []
        for result in op.results:
            if type(result.type) in _REGISTERS:
                writes.append(id(result))
                values[id(result)] = result
        steps.append(RegisterUse(op, reads, writes, op.tied if isinstance(op, InstructionOp) else None))
    terminator = block.last_op
    ways = 0 if terminator is None else len(list(edges(terminator)))
    passed = [] if terminator is None else list(branch_pairs(terminator))
    return BlockUse(block, arguments, steps, values, ways, passed)


def _block_liveness(uses: Sequence[BlockUse]) -> tuple[list[set[int]], list[set[int]]]:
    """Returns the values that are live at the start of each block, and those at its end."""
    used: list[set[int]] = []
    defined: list[set[int]] = []
    for use in uses:
        before: set[int] = set()
        own: set[int] = set(use.arguments)
        for step in use.steps:
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
    preceding: list[list[int]] = [[] for _ in uses]
    for index, successors in enumerate(following):
        for successor in successors:
            preceding[successor].append(index)
    waiting = list(range(len(uses)))
    is_waiting = [True] * len(uses)
    while waiting:
        index = waiting.pop()
        is_waiting[index] = False
        out: set[int] = set().union(*(live_in[successor] for successor in following[index]))
        live_out[index] = out
        into = used[index] | (out - defined[index])
        if len(into) == len(live_in[index]):  # it only grows
            continue
        live_in[index] = into
        for before_it in preceding[index]:
            if not is_waiting[before_it]:
                is_waiting[before_it] = True
                waiting.append(before_it)
    return live_in, live_out


class _Segments:
    """Collects the segments of values over blocks in their order.

    What is live from a block to the next is `open`, with its begin, so that each block costs what begins or ends there.
    """

    def __init__(self) -> None:
        self.of: dict[int, list[Segment]] = {}
        self.open: dict[int, int] = {}

    def add(self, use: BlockUse, start: int, live_in: set[int], live_out: set[int]) -> None:
        """Adds a block, which begins where the one before it ends."""
        last_use: dict[int, int] = {}
        for position, step in zip(count(start + 2, 2), use.steps, strict=False):
            for number in step.reads:
                last_use[number] = position + 1
        for number in self.open.keys() - live_in:
            self._close(number, start)
        for number in live_in - self.open.keys():
            self._open(number, start)
        for number in live_in - live_out:
            self._close(number, last_use[number])
        for argument in use.arguments:
            self._open(argument, start)
            if argument not in live_out:
                self._close(argument, last_use.get(argument, start + 1))
        for position, (op, _, writes, tied) in zip(count(start + 2, 2), use.steps, strict=False):
            if not writes:
                continue
            begin = position if tied is None and _writes_early(type(op)) else position + 1
            for number in writes:
                self._open(number, begin)
                if number not in live_out:
                    self._close(number, max(last_use.get(number, 0), position + 2))

    def finish(self, end: int) -> None:
        """Ends what is live at the end of the last block."""
        for number in list(self.open):
            self._close(number, end)

    def _open(self, number: int, begin: int) -> None:
        parts = self.of.setdefault(number, [])
        self.open[number] = parts.pop()[0] if parts and parts[-1][1] == begin else begin

    def _close(self, number: int, end: int) -> None:
        self.of[number].append((self.open.pop(number), end))


def merge(parts: list[Segment]) -> list[Segment]:
    """The same positions as sorted, disjoint segments."""
    merged: list[Segment] = []
    for start, end in sorted(parts):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def merge_sorted(a: list[Segment], b: list[Segment]) -> list[Segment]:
    """Returns the positions of two sorted lists of disjoint segments as such a list."""
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    if len(longer) <= _FEW:
        return merge(a + b)
    merged = list(longer)
    for start, end in shorter:
        first = after = bisect_left(merged, start, key=_end)
        while after < len(merged) and merged[after][0] <= end:
            start, end = min(start, merged[after][0]), max(end, merged[after][1])
            after += 1
        merged[first:after] = [(start, end)]
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
