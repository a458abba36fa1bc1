"""Groups values that share a register block: tied results, and block arguments with the values passed to them."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.ir import Block, BlockArgument, Region, SSAValue

from passes.xe_allocate_registers.liveness import Liveness, Segment, branch_pairs, compute, is_register, merge, overlap
from xegpu.dialects.xe import CopyOp, FlagType, GRFType, InstructionOp


@dataclass(eq=False)
class Web:
    """Values in one register block. `fixed` is a byte address that the block already has."""

    values: list[SSAValue]
    segments: list[Segment]
    size: int
    alignment: int
    fixed: int | None = None
    place: int | None = None

    @property
    def is_flag(self) -> bool:
        return isinstance(self.values[0].type, FlagType)


@dataclass
class Webs:
    """The partition of a kernel's values."""

    of: dict[SSAValue, Web] = field(default_factory=dict)

    def all(self) -> list[Web]:
        return list(dict.fromkeys(self.of.values()))

    def try_join(self, a: SSAValue, b: SSAValue) -> bool:
        """Puts two values into one web unless they are live at the same time or differ in size."""
        first, second = self.of[a], self.of[b]
        if first is second:
            return True
        if first.size != second.size or overlap(first.segments, second.segments):
            return False
        if first.fixed is not None and second.fixed is not None:
            return False
        first.values += second.values
        first.segments = merge(first.segments + second.segments)
        first.alignment = max(first.alignment, second.alignment)
        first.fixed = second.fixed if first.fixed is None else first.fixed
        for value in second.values:
            self.of[value] = first
        return True


def copy_live_ties(body: Region) -> None:
    """Gives each tied operand that is still needed afterwards a copy, so that ties never conflict."""
    liveness = compute(body)
    for block in body.blocks:
        for op in list(block.ops):
            if not isinstance(op, InstructionOp) or op.tied is None:
                continue
            value, position = op.tied, liveness.positions[op]
            if any(start <= position + 1 < end for start, end in liveness.segments[value]):
                copy = CopyOp(value)
                copy.location = op.location
                block.insert_op_before(copy, op)
                op.operands[list(op.operands).index(value)] = copy.result


def build(body: Region) -> list[Web]:
    """Webs of a kernel; inserts copies on edges where a block argument cannot share its value's block."""
    liveness = compute(body)
    webs, failed = _join(body, liveness)
    if failed:
        _copy_on_edges(failed)
        liveness = compute(body)
        webs, failed = _join(body, liveness)
        assert not failed, "copies on edges end before the argument begins"
    return webs.all()


def _join(body: Region, liveness: Liveness) -> tuple[Webs, list[tuple[Block, int]]]:
    webs = Webs()
    for value, segments in liveness.segments.items():
        if not is_register(value):
            continue
        type = value.type
        if isinstance(type, GRFType):
            web = Web([value], segments, type.size.data, type.alignment.data, type.address)
        else:
            web = Web([value], segments, 1, 1)
        webs.of[value] = web
    for block in body.blocks:
        for op in block.ops:
            if isinstance(op, InstructionOp) and op.tied is not None:
                joined = webs.try_join(op.tied, op.results[0])
                assert joined, "a tied operand ends where the result begins"
    edges: list[tuple[bool, int, Block, BlockArgument, SSAValue, int]] = []
    order = {block: index for index, block in enumerate(body.blocks)}
    for block in body.blocks:
        if (terminator := block.last_op) is None:
            continue
        for argument, operand, index in branch_pairs(terminator):
            forward = order[block] < order[terminator.successors[0]]
            edges.append((forward, -webs.of[argument].size, block, argument, operand, index))
    # Values carried around a loop first, and large ones before small ones: their copies would cost most.
    edges.sort(key=lambda edge: edge[:2])
    failed = [(block, index) for _, _, block, argument, operand, index in edges if not webs.try_join(argument, operand)]
    return webs, failed


def _copy_on_edges(failed: list[tuple[Block, int]]) -> None:
    """Copies the values of the given (block, operand index) pairs, all reads before all writes, so that swaps work."""
    by_block: dict[Block, list[int]] = {}
    for block, index in failed:
        by_block.setdefault(block, []).append(index)
    for block, indexes in by_block.items():
        terminator = block.last_op
        assert terminator is not None
        reads = [CopyOp(terminator.operands[index]) for index in indexes]
        writes = [CopyOp(read.result) for read in reads]
        for copy in (*reads, *writes):
            copy.location = terminator.location
            block.insert_op_before(copy, terminator)
        for index, write in zip(indexes, writes, strict=True):
            terminator.operands[index] = write.result
