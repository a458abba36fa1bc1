"""`xegpu-hoist-descriptors`: creates descriptors in front of loops, which then update their offsets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.scf import ForOp, YieldOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from passes.support.linear_indices import Linear, linear
from passes.support.loops.iter_args import carry
from passes.support.op_builder import Index, OpBuilder
from xegpu.diagnostics import inherit_location
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import CreateNdDescOp, UpdateNdOffsetOp

_MAX_DESCRIPTORS = 16
"""The maximum number of descriptors hoisted out of one loop."""


@dataclass(frozen=True)
class XegpuHoistDescriptorsPass(ModulePass):
    """Hoists block descriptors out of the loops in which they are created.

    The source must be defined outside of the loop, and each offset must be a sum of such values and of multiples of the
    induction variable. If an offset depends on the induction variable, the loop carries the descriptor and updates it
    in each iteration; otherwise the descriptor is invariant. Each loop gives up at most 16 descriptors, because they
    occupy registers as long as it runs. This needs the whole loop, so it is no rewrite pattern.
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


def _hoist(create: CreateNdDescOp, loop: ForOp) -> CreateNdDescOp | None:
    """Hoists a descriptor out of the loop in which it is created. Returns the new one; None if that is impossible."""
    counter = loop.body.block.args[0]
    offsets = [linear(entry) for entry in create.mixed_offsets]
    others = [*(value for entry in offsets for value in entry.terms if value is not counter), create.source]
    others += [*create.shape, *create.strides]
    outer = len(offsets) - create.tensor_desc.type.get_num_dims()
    if any(_is_inside(value, loop) for value in others) or any(counter in entry.terms for entry in offsets[:outer]):
        return None
    builder = OpBuilder(loop)
    start = [_first_offset(entry, counter, loop.lb, builder) for entry in offsets]
    first = CreateNdDescOp(create.source, start, create.tensor_desc.type, create.mixed_shape, create.mixed_strides)
    first.attributes.update(create.attributes)
    inherit_location(create, first)
    builder.insert(first)
    first.tensor_desc.name_hint = create.tensor_desc.name_hint
    strides = [entry.terms.get(counter, 0) for entry in offsets[outer:]]
    if not any(strides):
        create.tensor_desc.replace_all_uses_with(first.tensor_desc)
        Rewriter.erase_op(create)
        return first
    steps = [builder.times(stride, loop.step) for stride in strides]

    def move(argument: BlockArgument, end: YieldOp) -> SSAValue:
        create.tensor_desc.replace_all_uses_with(argument)
        update = UpdateNdOffsetOp(argument, steps)
        inherit_location(create, update)
        OpBuilder(end).insert(update)
        return update.results[0]

    carry(loop, first.tensor_desc, move)
    Rewriter.erase_op(create)
    return first


def _is_inside(value: SSAValue, loop: ForOp) -> bool:
    owner: Operation | None = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    while owner is not None:
        if owner is loop:
            return True
        owner = owner.parent_op()
    return False


def _first_offset(entry: Linear, counter: SSAValue, start: SSAValue, builder: OpBuilder) -> Index:
    """Returns an offset in the first iteration."""
    total: Index = entry.constant
    for value, times in entry.terms.items():
        total = builder.plus(total, builder.times(times, start if value is counter else value))
    return total
