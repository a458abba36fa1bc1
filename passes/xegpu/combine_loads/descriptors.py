"""Creates descriptors of several adjacent blocks next to the descriptors of the first block."""

from __future__ import annotations

from xdsl.dialects.scf import YieldOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from passes.support.loops.iter_args import carry
from xegpu.diagnostics import inherit_location
from xegpu.dialects.upstream.scf import ForOp
from xegpu.dialects.xegpu import BlockTensorDescAttr, CreateNdDescOp, TensorDescType, UpdateNdOffsetOp, descriptor_type


def wide_type(desc: TensorDescType, count: int) -> TensorDescType:
    """Returns the type of a descriptor of `count` such blocks."""
    return TensorDescType(
        desc.get_shape(), desc.element_type, BlockTensorDescAttr(None, count, None if desc.boundary_check else False)
    )


class WideDescriptors:
    """Creates the wider descriptors wherever the original ones are created, updated and carried."""

    def __init__(self) -> None:
        self._made: dict[tuple[SSAValue, int], SSAValue] = {}

    def of(self, desc: SSAValue, count: int) -> SSAValue:
        """Returns the descriptor of `count` blocks that begins at the block of `desc`."""
        updates = [desc]  # chains of moves may be long
        while (updates[-1], count) not in self._made and isinstance(update := updates[-1].owner, UpdateNdOffsetOp):
            updates.append(update.tensor_desc)
        for moved in reversed(updates):
            if (moved, count) not in self._made:
                self._made[moved, count] = self._make(moved, count)
                self._made[moved, count].name_hint = moved.name_hint
        return self._made[desc, count]

    def _make(self, desc: SSAValue, count: int) -> SSAValue:
        match desc:
            case OpResult(op=CreateNdDescOp() as op):
                type = wide_type(descriptor_type(desc), count)
                return _insert_after(
                    op, CreateNdDescOp(op.source, op.mixed_offsets, type, op.mixed_shape, op.mixed_strides)
                )
            case OpResult(op=UpdateNdOffsetOp() as op):
                return _insert_after(op, UpdateNdOffsetOp(self.of(op.tensor_desc, count), op.mixed_offsets))
            case OpResult(op=ForOp() as loop):
                argument = self.of(loop.body.block.args[1 + desc.index], count)
                assert isinstance(argument, BlockArgument)
                around = argument.owner.parent_op()
                assert isinstance(around, ForOp)
                return around.results[argument.index - 1]
            case BlockArgument(owner=Block() as block) if isinstance(holder := block.parent_op(), ForOp):
                return self._carry(holder, desc, count)
        raise AssertionError("the distances between such descriptors are not known")

    def _carry(self, loop: ForOp, desc: BlockArgument, count: int) -> SSAValue:
        """Adds a loop-carried value for the wider descriptor."""
        index = desc.index - 1
        found: list[SSAValue] = []

        def following(argument: BlockArgument, end: YieldOp) -> SSAValue:
            found.append(argument)
            self._made[desc, count] = argument
            return self.of(end.operands[index], count)

        wider = carry(loop, self.of(loop.iter_args[index], count), following)
        for key, value in list(self._made.items()):
            if isinstance(value, OpResult) and value.op is loop:
                self._made[key] = wider.results[value.index]
        return found[0]


def _insert_after(anchor: Operation, op: CreateNdDescOp | UpdateNdOffsetOp) -> SSAValue:
    """Inserts an operation after another one, whose location it gets. Returns its result."""
    inherit_location(anchor, op)
    Rewriter.insert_op(op, InsertPoint.after(anchor))
    return op.results[0]
