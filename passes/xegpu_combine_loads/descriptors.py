"""Descriptors of several blocks side by side, for descriptors of the first one."""

from __future__ import annotations

from xdsl.dialects.scf import ForOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from passes.counted_loops import replace_loop
from passes.loop_slices import needed_by_others
from xegpu.diagnostics import inherit_location
from xegpu.dialects.upstream.scf.loops import ForOp as PrintableForOp
from xegpu.dialects.xegpu import BlockTensorDescAttr, CreateNdDescOp, TensorDescType, UpdateNdOffsetOp
from xegpu.dialects.xegpu.types import descriptor_type


def wide_type(desc: TensorDescType, count: int) -> TensorDescType:
    """The type of a descriptor of `count` such blocks."""
    return TensorDescType(
        desc.get_shape(), desc.element_type, BlockTensorDescAttr(None, count, None if desc.boundary_check else False)
    )


class WideDescriptors:
    """Makes descriptors of more blocks, beside those that there are: where they are created, moved and carried."""

    def __init__(self) -> None:
        self._made: dict[tuple[SSAValue, int], SSAValue] = {}

    def of(self, desc: SSAValue, count: int) -> SSAValue:
        """The descriptor of `count` blocks that starts where `desc` does."""
        key = (desc, count)
        if key not in self._made:
            self._made[key] = self._make(desc, count)
            self._made[key].name_hint = desc.name_hint
        return self._made[key]

    def _make(self, desc: SSAValue, count: int) -> SSAValue:
        match desc:
            case OpResult(op=CreateNdDescOp() as op):
                type = wide_type(descriptor_type(desc), count)
                return _behind(op, CreateNdDescOp(op.source, op.mixed_offsets, type, op.mixed_shape, op.mixed_strides))
            case OpResult(op=UpdateNdOffsetOp() as op):
                return _behind(op, UpdateNdOffsetOp(self.of(op.tensor_desc, count), op.mixed_offsets))
            case OpResult(op=ForOp() as loop):
                argument = self.of(loop.body.block.args[1 + desc.index], count)
                assert isinstance(argument, BlockArgument)
                around = argument.owner.parent_op()
                assert isinstance(around, ForOp)
                return around.results[argument.index - 1]
            case BlockArgument(owner=Block() as block) if isinstance(holder := block.parent_op(), ForOp):
                return self._carry(holder, desc, count)
        raise AssertionError("the places of such descriptors are not known")

    def _carry(self, loop: ForOp, desc: BlockArgument, count: int) -> SSAValue:
        """One more value that a loop carries."""
        index = desc.index - 1
        start = self.of(loop.iter_args[index], count)
        block = loop.body.block
        argument = block.insert_arg(start.type, len(block.args))
        self._made[desc, count] = argument
        end = block.last_op
        assert end is not None
        end.operands = [*end.operands, self.of(end.operands[index], count)]
        region = Region()
        loop.body.move_blocks(region)
        wider = PrintableForOp(loop.lb, loop.ub, loop.step, [*loop.iter_args, start], region)
        wider.attributes.update(loop.attributes)
        inherit_location(loop, wider)
        Rewriter.insert_op(wider, InsertPoint.before(loop))
        for old, new in zip(loop.results, wider.results, strict=False):
            new.name_hint = old.name_hint
        for (made, wanted), value in list(self._made.items()):
            if isinstance(value, OpResult) and value.op is loop:
                self._made[made, wanted] = wider.results[value.index]
        replace_loop(loop, wider.results[:-1])
        return argument


def _behind(place: Operation, op: CreateNdDescOp | UpdateNdOffsetOp) -> SSAValue:
    """Puts an operation behind another one, whose location it gets. Returns its result."""
    inherit_location(place, op)
    Rewriter.insert_op(op, InsertPoint.after(place))
    return op.results[0]


def drop_unused(loop: ForOp) -> None:
    """Leaves out what a loop carries and computes for nobody."""
    needed = needed_by_others(loop)
    block = loop.body.block
    kept = sorted(needed.carried)
    end = block.last_op
    assert end is not None
    if len(kept) == len(loop.iter_args):
        return
    end.operands = [end.operands[index] for index in kept]
    for op in reversed(list(block.ops)):
        if op is not end and op not in needed.operations and not any(use for r in op.results for use in r.uses):
            Rewriter.erase_op(op)
    for index in reversed(range(len(loop.iter_args))):
        if index not in needed.carried:
            block.erase_arg(block.args[1 + index])
    region = Region()
    loop.body.move_blocks(region)
    smaller = PrintableForOp(loop.lb, loop.ub, loop.step, [loop.iter_args[index] for index in kept], region)
    smaller.attributes.update(loop.attributes)
    inherit_location(loop, smaller)
    Rewriter.insert_op(smaller, InsertPoint.before(loop))
    values = list(loop.iter_args)
    for new, index in zip(smaller.results, kept, strict=True):
        values[index] = new
        new.name_hint = loop.results[index].name_hint
    replace_loop(loop, values)
