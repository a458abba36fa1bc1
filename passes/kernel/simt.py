"""Divergent control flow between structured operations and `xe`: gotos, joins and merges over MLIR values.

Blocks are those of the thread, as in `xe`: both sides of a divergent choice are executed, one after the other, each
with its own channels enabled. Where they meet, `simt.merge` writes the values of the enabled channels over those of the
others. These operations, and those that print and stop, exist only within `convert-xegpu-to-xe`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, MemRefType, i1
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_successor_def,
    result_def,
    successor_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import IsTerminator, MemoryWriteEffect, Pure

from xegpu.dialects import initialize


@irdl_op_definition
class UndefinedOp(IRDLOperation):
    """A value that is not defined yet in any channel."""

    name = "simt.undefined"
    result = result_def()

    def __init__(self, type: Attribute):
        initialize(self, result_types=[type])


@irdl_op_definition
class SpreadOp(IRDLOperation):
    """The same value, in a register block with an element for each channel."""

    name = "simt.spread"
    value = operand_def()
    result = result_def()

    def __init__(self, value: SSAValue):
        initialize(self, [value], [value.type])


@irdl_op_definition
class MergeOp(IRDLOperation):
    """`new` in the enabled channels, `old` in the others."""

    name = "simt.merge"
    old = operand_def()
    new = operand_def()
    result = result_def()

    def __init__(self, old: SSAValue, new: SSAValue):
        initialize(self, [old, new], [old.type])


@irdl_op_definition
class SimtGotoOp(IRDLOperation):
    """All channels wait at `join`; control continues at `empty` with the values."""

    name = "simt.goto"
    values = var_operand_def()
    join = successor_def()
    empty = successor_def()
    traits = traits_def(IsTerminator())

    def __init__(self, join: Block, empty: Block, values: Sequence[SSAValue]):
        initialize(self, values, successors=[join, empty])


@irdl_op_definition
class WhereOp(IRDLOperation):
    """Channels with the condition continue at `following`, the others wait at `join`.

    If no channel continues, control goes to `join`.
    """

    name = "simt.where"
    condition = operand_def(i1)
    values = var_operand_def()
    following = successor_def()
    join = successor_def()
    traits = traits_def(IsTerminator())

    def __init__(self, condition: SSAValue, following: Block, join: Block, values: Sequence[SSAValue] = ()):
        initialize(self, [condition, *values], successors=[following, join])


@irdl_op_definition
class SimtJoinOp(IRDLOperation):
    """Channels that wait here continue at `following`; without any, control continues at `empty`."""

    name = "simt.join"
    values = var_operand_def()
    following = successor_def()
    empty = opt_successor_def()
    traits = traits_def(IsTerminator())

    def __init__(self, following: Block, empty: Block | None = None, values: Sequence[SSAValue] = ()):
        initialize(self, values, successors=[following] if empty is None else [following, empty])


@irdl_op_definition
class AdvanceOp(IRDLOperation):
    """The next number of a counted loop: `number + step`, but no more than `limit`, which is not less than `number`.

    The sum may not fit the type. Only numbers below the limit are read by a loop's body, and those are such sums.
    """

    name = "simt.advance"
    number = operand_def()
    step = operand_def()
    limit = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, number: SSAValue, step: SSAValue, limit: SSAValue):
        super().__init__(operands=[number, step, limit], result_types=[number.type])


@irdl_op_definition
class PrintfBufferOp(IRDLOperation):
    """The buffer for the output of the kernel's prints, as 32-bit or 64-bit words."""

    name = "simt.printf_buffer"
    buffer = result_def(MemRefType)
    traits = traits_def(Pure())

    def __init__(self, word: IntegerType):
        super().__init__(result_types=[MemRefType(word, [DYNAMIC_INDEX])])


@irdl_op_definition
class StopOp(IRDLOperation):
    """Stops the launch with a fault."""

    name = "simt.stop"
    traits = traits_def(MemoryWriteEffect())

    def __init__(self) -> None:
        super().__init__()


def passed_values(op: Operation) -> Iterator[tuple[BlockArgument, SSAValue]]:
    """Yields the pairs (argument of a block, value that a terminator passes for it)."""
    match op:
        case SimtGotoOp() | SimtJoinOp() if op.empty is not None:
            yield from zip(op.empty.args, op.values, strict=True)
        case WhereOp():
            yield from zip(op.join.args, op.values, strict=True)
        case _:
            pass
