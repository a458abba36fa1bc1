"""Groups values that share a register block: tied results, block arguments with the values passed to them, copies."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from xdsl.ir import Block, BlockArgument, Region, SSAValue

from passes.xe.allocate_registers.liveness import (
    Liveness,
    Segment,
    branch_pairs,
    compute,
    is_register,
    merge,
    merge_sorted,
    overlap,
)
from xegpu.dialects.xe import (
    CopyOp,
    FillOp,
    FlagType,
    GRFType,
    SpillOp,
    UndefOp,
    register_bytes,
    register_type,
)


@dataclass(eq=False)
class Web:
    """Values in one register block. `fixed` is the byte address that the block must have, if any."""

    values: list[SSAValue]
    segments: list[Segment]
    size: int
    alignment: int
    fixed: int | None = None
    address: int | None = None

    @property
    def is_flag(self) -> bool:
        return isinstance(self.values[0].type, FlagType)


def copied(value: SSAValue) -> SSAValue:
    """Returns the value whose register block a value equals, through copies."""
    while isinstance(value.owner, CopyOp) and isinstance(value.type, GRFType):
        source = value.owner.source
        if not isinstance(source.type, GRFType):
            break
        value = source
    return value


Failure = tuple[Block, int, BlockArgument]
"""A block, the index of an operand of its terminator, and the argument that the operand could not join."""


@dataclass
class Webs:
    """The partition of the values of a kernel into webs."""

    liveness: Liveness
    of: dict[SSAValue, Web] = field(default_factory=dict)

    def all(self) -> list[Web]:
        return list(dict.fromkeys(self.of.values()))

    def try_join(self, a: SSAValue, b: SSAValue) -> bool:
        """Joins the webs of two values, unless they are live at the same time or differ in size."""
        first, second = self.of[a], self.of[b]
        return first is second or (not overlap(first.segments, second.segments) and self._join(first, second))

    def try_join_copy(self, copy: CopyOp) -> bool:
        """Joins the webs of both sides of a copy; values of equal contents may be live at the same time."""
        first, second = self.of[copy.source], self.of[copy.result]
        if first is second:
            return True
        contents = copied(copy.source)
        others = [self._segments(v for v in web.values if copied(v) is not contents) for web in (first, second)]
        if overlap(first.segments, others[1]) or overlap(others[0], second.segments):
            return False
        return self._join(first, second)

    def _segments(self, values: Iterable[SSAValue]) -> list[Segment]:
        return merge([segment for value in values for segment in self.liveness.segments[value]])

    def _join(self, first: Web, second: Web) -> bool:
        if register_bytes(first.values[0].type) != register_bytes(second.values[0].type):
            return False
        size, alignment = max(first.size, second.size), max(first.alignment, second.alignment)
        for web, other in ((first, second), (second, first)):
            if web.fixed is not None and (other.fixed is not None or web.fixed % alignment or web.size != size):
                return False
        fixed = second.fixed if first.fixed is None else first.fixed
        if len(first.values) < len(second.values):
            first, second = second, first
        first.values += second.values
        first.segments = merge_sorted(first.segments, second.segments)
        first.size, first.alignment, first.fixed = size, alignment, fixed
        for value in second.values:
            self.of[value] = first
        return True


def copy_live_ties(body: Region) -> Liveness:
    """Copies each tied operand that is live after its operation, so that ties never conflict.

    Undefined values are not copied but created again. Returns the liveness.
    """
    liveness = compute(body)
    changed: dict[Block, None] = {}
    position = 0
    for use in liveness.uses:
        for op, _, _, value in use.steps:
            position += 2
            if value is None:
                continue
            if any(start <= position + 1 < end for start, end in liveness.segments[value]):
                source = value.owner
                fresh = UndefOp(source.result.type) if isinstance(source, UndefOp) else CopyOp(value)
                fresh.location = op.location
                use.block.insert_op_before(fresh, op)
                op.operands[list(op.operands).index(value)] = fresh.result
                changed[use.block] = None
        position += 2
    return compute(body, liveness, changed) if changed else liveness


def build(body: Region, grf_bytes: int, settled: Collection[SSAValue] = (), liveness: Liveness | None = None) -> Webs:
    """Builds the webs of a kernel; inserts copies where a block argument cannot share its operands' blocks.

    Copies on the edges mostly suffice. An argument that still cannot join its operands is isolated: it and its operands
    become copies that are live at the start of its block and at the ends of the blocks before it only, so that
    they never overlap, whatever their contents overlap with (method I of Sreedhar et al., "Translating out of static
    single assignment form").

    Copies of `settled` values, which stay in registers for a moment only, do not keep the webs of others there.
    `liveness` is that of the body, if it is known.
    """
    webs, failed = _join(body, grf_bytes, compute(body) if liveness is None else liveness)
    if failed:
        _copy_on_edges(failed)
        liveness = compute(body, webs.liveness, dict.fromkeys(block for block, _, _ in failed))
        webs, failed = _join(body, grf_bytes, liveness)
    isolated: set[BlockArgument] = set()
    while failed:
        # Copies change live ranges, which may keep arguments apart that could join before.
        arguments = dict.fromkeys(argument for _, _, argument in failed)
        assert isolated.isdisjoint(arguments), "an isolated argument joins all its operands"
        for argument in arguments:
            _isolate(body, argument)
        isolated.update(arguments)
        webs, failed = _join(body, grf_bytes, compute(body))
    for use in webs.liveness.uses:
        for step in use.steps:
            op = step.op
            if not (
                isinstance(op, CopyOp) and isinstance(op.source.type, GRFType) and isinstance(op.result.type, GRFType)
            ):
                continue
            if (op.source in settled) == (op.result in settled):
                webs.try_join_copy(op)
    return webs


def _web(value: SSAValue, segments: list[Segment], grf_bytes: int) -> Web:
    """Returns the web of one value. Scratch messages, and copies of values as large as a register, move whole
    registers.
    """
    type = value.type
    if not isinstance(type, GRFType):
        return Web([value], segments, 1, 1)
    size, alignment = type.size.data, type.alignment.data
    if type.address is None and (size >= grf_bytes or _meets_scratch(value)):
        size, alignment = -(-size // grf_bytes) * grf_bytes, max(alignment, grf_bytes)
    return Web([value], segments, size, alignment, type.address)


def _meets_scratch(value: SSAValue) -> bool:
    return isinstance(value.owner, FillOp) or any(isinstance(use.operation, SpillOp) for use in value.uses)


def _join(body: Region, grf_bytes: int, liveness: Liveness) -> tuple[Webs, list[Failure]]:
    webs = Webs(liveness)
    for value, segments in liveness.segments.items():
        if is_register(value):
            webs.of[value] = _web(value, segments, grf_bytes)
    for use in liveness.uses:
        for step in use.steps:
            if step.tied is not None:
                joined = webs.try_join(step.tied, step.op.results[0])
                assert joined, "a tied operand ends where the result begins"
    pairs: list[tuple[bool, bool, int, Block, BlockArgument, SSAValue, int]] = []
    order = {block: index for index, block in enumerate(body.blocks)}
    for use in liveness.uses:
        for argument, operand, index in use.passed:
            forward = order[use.block] < order[argument.block]
            pairs.append((use.ways == 1, forward, -webs.of[argument].size, use.block, argument, operand, index))
    # Edges of conditional branches come first: values of the other branch may be live next to their copies. Then come
    # loop-carried values, and large values before small ones, since their copies would cost most.
    pairs.sort(key=lambda pair: pair[:3])
    failed = [
        (block, index, argument)
        for *_, block, argument, operand, index in pairs
        if not webs.try_join(argument, operand)
    ]
    return webs, failed


def _isolate(body: Region, argument: BlockArgument) -> None:
    """Makes an argument, and every operand that is passed for it, a copy of a value that is live elsewhere."""
    first = argument.block.first_op
    assert first is not None
    inside = CopyOp(argument)
    inside.location = first.location
    argument.block.insert_op_before(inside, first)
    argument.replace_uses_with_if(inside.result, lambda use: use.operation is not inside)
    for block in body.blocks:
        terminator = block.last_op
        for target, operand, index in branch_pairs(terminator) if terminator is not None else ():
            if target is argument:
                op = UndefOp(operand.owner.result.type) if isinstance(operand.owner, UndefOp) else CopyOp(operand)
                op.location = terminator.location
                block.insert_op_before(op, terminator)
                terminator.operands[index] = op.result


def _copy_on_edges(failed: list[Failure]) -> None:
    """Copies the values that could not join the arguments which they are passed for.

    All reads come before all writes, so that swaps are correct. Undefined values are created again instead.
    """
    by_block: dict[Block, list[int]] = {}
    for block, index, _ in failed:
        by_block.setdefault(block, []).append(index)
    for block, indexes in by_block.items():
        terminator = block.last_op
        assert terminator is not None
        unspecified = [index for index in indexes if isinstance(terminator.operands[index].owner, UndefOp)]
        specified = [index for index in indexes if index not in unspecified]
        reads = [CopyOp(terminator.operands[index]) for index in specified]
        writes = [CopyOp(read.result) for read in reads]
        fresh = [UndefOp(register_type(terminator.operands[index])) for index in unspecified]
        for op in (*reads, *writes, *fresh):
            op.location = terminator.location
            block.insert_op_before(op, terminator)
        results = [op.result for op in writes] + [op.result for op in fresh]
        for index, result in zip((*specified, *unspecified), results, strict=True):
            terminator.operands[index] = result
