"""`xegpu-hoist-descriptors`: creates descriptors in front of loops, which then update their offsets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.scf import YieldOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from passes.support.linear_indices import Linear, linear
from passes.support.loops.iter_args import carry, drop_unused
from passes.support.op_builder import Index, OpBuilder
from xegpu.diagnostics import inherit_location
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.scf import ForOp
from xegpu.dialects.xegpu import CreateNdDescOp, UpdateNdOffsetOp

_MAX_DESCRIPTORS = 16
"""The maximum number of descriptors hoisted out of one loop."""


@dataclass(frozen=True)
class XegpuHoistDescriptorsPass(ModulePass):
    """Hoists block descriptors out of the loops in which they are created.

    The source must be defined outside of the loop, and each offset must be a sum of such values and of multiples of the
    induction variable, and of carried values to which each iteration adds the same. If an offset depends on these, the
    loop carries the descriptor and updates it in each iteration, unless it is one of one dimension with checked bounds;
    otherwise the descriptor is invariant. Each loop gives up at most 16 descriptors, because they occupy registers as
    long as it runs. This needs the whole loop, so it is no rewrite pattern.
    """

    name = "xegpu-hoist-descriptors"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [o for o in op.walk() if isinstance(o, FuncOp)]:
            left: Counter[Block] = Counter()
            for create in [o for o in function.walk() if isinstance(o, CreateNdDescOp)]:
                # A descriptor hoisted out of an inner loop may leave the next outer loop, too.
                moved: CreateNdDescOp | None = create
                while moved is not None and isinstance(loop := moved.parent_op(), ForOp):
                    body = loop.body.block
                    moved = _hoist(moved, loop) if left[body] < _MAX_DESCRIPTORS else None
                    left[body] += moved is not None
            for loop in [o for o in function.walk() if isinstance(o, ForOp) and left[o.body.block]]:
                drop_unused(loop)  # the offsets that only descriptors needed


class _Progression(NamedTuple):
    """Holds the value of a loop in the first iteration, and the step that each iteration adds."""

    start: Index
    step: Linear


def _progression(value: SSAValue, loop: ForOp) -> _Progression | None:
    """Returns the progression of the induction variable or of a carried value; None for one that is no progression."""
    if not isinstance(value, BlockArgument) or value.owner is not loop.body.block:
        return None
    if value.index == 0:
        return _Progression(loop.lb, linear(loop.step))
    end = loop.body.block.last_op
    assert end is not None
    step = linear(end.operands[value.index - 1]).plus(Linear(0, {value: 1}), -1)
    is_invariant = not any(_is_inside(term, loop) for term in step.terms)
    return _Progression(loop.iter_args[value.index - 1], step) if is_invariant else None


def _hoist(create: CreateNdDescOp, loop: ForOp) -> CreateNdDescOp | None:
    """Hoists a descriptor out of the loop in which it is created. Returns the new one; None if that is impossible."""
    offsets = [linear(entry) for entry in create.mixed_offsets]
    inside = {value for entry in offsets for value in entry.terms if _is_inside(value, loop)}
    found = {value: _progression(value, loop) for value in inside}
    progressions = {value: progression for value, progression in found.items() if progression is not None}
    if len(progressions) < len(inside):
        return None
    if any(_is_inside(value, loop) for value in (create.source, *create.shape, *create.strides)):
        return None
    steps = [_step(entry, progressions) for entry in offsets]
    desc = create.tensor_desc.type
    outer = len(offsets) - desc.get_num_dims()
    # In one dimension the offset tells that a block is inside, so that the kernel need not check it.
    fixed = len(offsets) if desc.get_num_dims() == 1 and desc.boundary_check else outer
    if any(map(_is_moving, steps[:fixed])):
        return None
    builder = OpBuilder(loop)
    start = [_first_offset(entry, progressions, builder) for entry in offsets]
    first = CreateNdDescOp(create.source, start, create.tensor_desc.type, create.mixed_shape, create.mixed_strides)
    first.attributes.update(create.attributes)
    inherit_location(create, first)
    builder.insert(first)
    first.tensor_desc.name_hint = create.tensor_desc.name_hint
    if not any(map(_is_moving, steps)):
        create.tensor_desc.replace_all_uses_with(first.tensor_desc)
        Rewriter.erase_op(create)
        return first
    moves = [_total(step, builder) for step in steps[outer:]]

    def move(argument: BlockArgument, end: YieldOp) -> SSAValue:
        create.tensor_desc.replace_all_uses_with(argument)
        update = UpdateNdOffsetOp(argument, moves)
        inherit_location(create, update)
        OpBuilder(end).insert(update)
        return update.results[0]

    carry(loop, first.tensor_desc, move)
    Rewriter.erase_op(create)
    return first


def _is_moving(step: Linear) -> bool:
    return bool(step.constant or step.terms)


def _step(entry: Linear, progressions: Mapping[SSAValue, _Progression]) -> Linear:
    """Returns the step that an iteration adds to an offset."""
    total = Linear()
    for value, times in entry.terms.items():
        if value in progressions:
            total = total.plus(progressions[value].step, times)
    return total


def _is_inside(value: SSAValue, loop: ForOp) -> bool:
    owner: Operation | None = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    while owner is not None:
        if owner is loop:
            return True
        owner = owner.parent_op()
    return False


def _first_offset(entry: Linear, progressions: Mapping[SSAValue, _Progression], builder: OpBuilder) -> Index:
    """Returns an offset in the first iteration."""
    total: Index = entry.constant
    for value, times in entry.terms.items():
        start = progressions[value].start if value in progressions else value
        total = builder.plus(total, builder.times(times, start))
    return total


def _total(sum: Linear, builder: OpBuilder) -> Index:
    """Returns a sum as an index."""
    return _first_offset(sum, {}, builder)
