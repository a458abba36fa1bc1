"""Facts about `scf.for` loops, and copies of their iterations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.arith import ConstantOp, MaxSIOp, SubiOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.dialects.scf import YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from passes.support.op_builder import OpBuilder
from xegpu.dialects.upstream.scf import ForOp, WhileOp
from xegpu.dialects.xegpu.ops import constant_index


def innermost_loops(root: Operation) -> Iterator[ForOp]:
    """Yields the loops that contain no other loop."""
    for op in list(root.walk()):
        if isinstance(op, ForOp) and not any(isinstance(o, ForOp | WhileOp) for o in op.body.walk()):
            yield op


def known_step(loop: ForOp) -> int | None:
    """Returns the step of a loop over signed numbers if it is a positive constant."""
    if loop.is_unsigned:
        return None
    step = constant_index(loop.step)
    return step if step is not None and step > 0 else None


def known_trip_count(loop: ForOp) -> int | None:
    """Returns the number of iterations of a loop whose bounds and step are constants."""
    lower, upper, step = constant_index(loop.lb), constant_index(loop.ub), known_step(loop)
    if lower is None or upper is None or step is None:
        return None
    return max(0, -((lower - upper) // step))


def type_limit(type: Attribute) -> int:
    """Returns the largest value of the type of an induction variable, plus one."""
    return 1 << (type.width.data - 1 if isinstance(type, IntegerType) else 63)


def constant(builder: OpBuilder, value: int, type: Attribute) -> SSAValue:
    """Inserts a constant of the type of an induction variable."""
    assert isinstance(type, IndexType | IntegerType)
    return builder.add(ConstantOp(IntegerAttr(value, type)))


def lowered_bound(builder: OpBuilder, bound: SSAValue, distance: int) -> SSAValue:
    """Returns the bound minus a non-negative distance, clamped to the type's smallest value: it cannot overflow."""
    type = bound.type
    if distance == 0:
        return bound
    least, known = -type_limit(type), constant_index(bound)
    if known is not None:
        return constant(builder, max(known - distance, least), type)
    safe = builder.add(MaxSIOp(bound, constant(builder, least + distance, type)))
    return builder.add(SubiOp(safe, constant(builder, distance, type)))


def copy_iteration(loop: ForOp, builder: OpBuilder, counter: SSAValue, carried: Sequence[SSAValue]) -> list[SSAValue]:
    """Inserts a copy of the loop body.


    Args:
        loop: The loop whose body is copied.
        builder: Inserts the copies.
        counter: The value of the induction variable in the copy.
        carried: The values of the loop-carried variables in the copy.


    Returns:
        The values that the iteration yields.

    """
    block = loop.body.block
    copies: dict[SSAValue, SSAValue] = dict(zip(block.args, (counter, *carried), strict=True))
    end = block.last_op
    assert isinstance(end, YieldOp)
    for op in block.ops:
        if op is not end:
            builder.insert(op.clone(copies))
    return [copies.get(value, value) for value in end.operands]


def empty_loop(
    builder: OpBuilder, lower: SSAValue, upper: SSAValue, step: SSAValue, carried: Sequence[SSAValue]
) -> tuple[ForOp, YieldOp]:
    """Inserts a loop that yields its loop-carried values unchanged. Returns it with its terminator."""
    block = Block(arg_types=[lower.type, *(value.type for value in carried)])
    end = YieldOp(*block.args[1:])
    block.add_op(end)
    loop = ForOp(lower, upper, step, carried, Region(block))
    builder.insert(loop)
    return loop, end


def replace_loop(loop: ForOp, values: Sequence[SSAValue]) -> None:
    """Replaces the results of a loop by values, and erases the loop."""
    for result, value in zip(loop.results, values, strict=True):
        if value.name_hint is None:
            value.name_hint = result.name_hint
        result.replace_all_uses_with(value)
    Rewriter.erase_op(loop)
