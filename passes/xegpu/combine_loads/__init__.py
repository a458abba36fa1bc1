"""`xegpu-combine-loads`: combines loads of neighbouring blocks into one message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from passes.kernel.target_pass import TargetPass
from passes.support.block_loads import is_one_message, load_limits
from passes.support.loops.iter_args import drop_unused
from passes.support.memory_order import GLOBAL_MEMORY, is_passed
from passes.support.op_builder import OpBuilder
from passes.xegpu.combine_loads.descriptors import WideDescriptors
from passes.xegpu.combine_loads.positions import Distances
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.scf import ForOp
from xegpu.dialects.upstream.vector import ExtractOp, vector_type
from xegpu.dialects.xegpu import LoadNdOp, MemorySpace
from xegpu.targets import Block2D, Target

_MAX_REACH = 32
"""The number of following loads among which the neighbours of one are searched."""


@dataclass(frozen=True)
class XegpuCombineLoadsPass(TargetPass):
    """Combines loads of equal, horizontally adjacent blocks into one load with an `array_length`.

    The blocks cover the same rows of the same memory, and each begins where the previous one ends, however loops
    create, update and carry their descriptors. The combined load replaces the first of the loads, provided that nothing
    writes to memory before the last one. Loads that transpose and descriptors with an `sg_map` stay unchanged.
    Distances between descriptors are a fact of the whole function, so this is no rewrite pattern.
    """

    name = "xegpu-combine-loads"

    def compile(self, scope: Operation, target: Target) -> None:
        limits = target.platform.block2d
        if limits is None:
            return
        for function in [o for o in scope.walk() if isinstance(o, FuncOp)]:
            distances, wide = Distances(), WideDescriptors()
            blocks = {load.parent: None for load in function.walk() if isinstance(load, LoadNdOp)}
            combined = [_combine(block, limits, distances, wide) for block in blocks if block is not None]
            if any(combined):
                for loop in reversed([o for o in function.walk() if isinstance(o, ForOp)]):
                    drop_unused(loop)


def _combine(block: Block, limits: Block2D, distances: Distances, wide: WideDescriptors) -> bool:
    """Combines the loads of one block. Returns whether anything changed."""
    changed = False
    for pending in _candidate_groups(block):
        counts = _counts(pending[0], limits)
        while counts and len(pending) > 1:
            first, *pending = pending
            row = _loads_by_column(first, pending[:_MAX_REACH], distances)
            if (part := _side_by_side(row, counts, first)) is not None:
                _replace(part, first, wide)
                pending = [load for load in pending if load not in part]
                changed = True
    return changed


def _candidate_groups(block: Block) -> Iterator[list[LoadNdOp]]:
    """Yields groups of loads in a block that differ only in their descriptors and may all execute at the first one."""
    found: dict[tuple[object, ...], list[LoadNdOp]] = {}
    writes = 0
    for op in block.ops:
        if isinstance(op, LoadNdOp):
            if _is_candidate(op):
                attributes = frozenset((*op.properties.items(), *op.attributes.items()))
                found.setdefault((writes, op.tensor_desc.type, attributes), []).append(op)
        elif not is_passed(op, {GLOBAL_MEMORY}):
            writes += 1
    yield from found.values()


def _is_candidate(load: LoadNdOp) -> bool:
    desc = load.desc
    is_plain = desc.get_num_dims() == 2 and desc.array_length == 1 and desc.lane_map is None
    return is_plain and desc.memory_space is MemorySpace.GLOBAL and load.transpose is None


def _counts(load: LoadNdOp, messages: Block2D) -> Sequence[int]:
    """Returns the numbers of such blocks that one message can load, the largest first."""
    limits = load_limits(load, messages)
    counts = () if limits is None else sorted(limits.counts, reverse=True)
    return [count for count in counts if count > 1 and is_one_message(load, count, messages)]


def _loads_by_column(first: LoadNdOp, others: Sequence[LoadNdOp], distances: Distances) -> dict[int, LoadNdOp]:
    """Returns loads by the number of blocks that they lie to the right of the first one."""
    columns = first.desc.tile[1]
    row = {0: first}
    for load in others:
        distance = distances.between(first.tensor_desc, load.tensor_desc)
        if distance is not None and distance[0] == 0 and distance[1] % columns == 0:
            row.setdefault(distance[1] // columns, load)
    return row


def _side_by_side(row: dict[int, LoadNdOp], counts: Sequence[int], first: LoadNdOp) -> list[LoadNdOp] | None:
    """Returns as many adjacent blocks as possible, from left to right, including the first load; None if alone."""
    for count in counts:
        for start in range(0, -count, -1):
            part = [row[index] for index in range(start, start + count) if index in row]
            if len(part) == count and _is_before(part[0].tensor_desc, first):
                return part
    return None


def _is_before(desc: SSAValue, load: LoadNdOp) -> bool:
    """Returns whether a descriptor used in the block of a load is defined before that load."""
    owner = desc.owner
    return isinstance(owner, Block) or owner.parent is not load.parent or owner.is_before_in_block(load)


def _replace(part: Sequence[LoadNdOp], first: LoadNdOp, wide: WideDescriptors) -> None:
    """Loads all blocks with one message in place of the first load."""
    type = vector_type(first.value)
    desc = wide.of(part[0].tensor_desc, len(part))
    builder = OpBuilder(first)
    load = LoadNdOp(
        desc, VectorType(type.element_type, [len(part), *type.get_shape()]), packed=first.is_packed, hints=first.hints
    )
    load.attributes.update(first.attributes)
    blocks = builder.add(load)
    values = [builder.add(ExtractOp(blocks, [index])) for index in range(len(part))]
    for old, block in zip(part, values, strict=True):
        block.name_hint = old.value.name_hint
        old.value.replace_all_uses_with(block)
        Rewriter.erase_op(old)
