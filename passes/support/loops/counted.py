"""`scf.for`: what is known of its turns, and copies of them in other places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.arith import ConstantOp, MaxSIOp, SubiOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.dialects.scf import ForOp, WhileOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from passes.support.op_builder import OpBuilder
from xegpu.dialects.upstream.scf import ForOp as PrintableForOp
from xegpu.dialects.xegpu.ops import constant_index


def innermost_loops(root: Operation) -> Iterator[ForOp]:
    """The loops in which there is no other loop."""
    for op in list(root.walk()):
        if isinstance(op, ForOp) and not any(isinstance(o, ForOp | WhileOp) for o in op.body.walk()):
            yield op


def known_step(loop: ForOp) -> int | None:
    """The step of a loop, if it is a constant that lets the loop end."""
    step = constant_index(loop.step)
    return step if step is not None and step > 0 else None


def known_trip_count(loop: ForOp) -> int | None:
    """How often a loop runs, if its bounds and its step are constants."""
    lower, upper, step = constant_index(loop.lb), constant_index(loop.ub), known_step(loop)
    if lower is None or upper is None or step is None:
        return None
    return max(0, -((lower - upper) // step))


def type_limit(type: Attribute) -> int:
    """The number behind the largest one of a type that loops count with."""
    return 1 << (type.width.data - 1 if isinstance(type, IntegerType) else 63)


def constant(builder: OpBuilder, value: int, type: Attribute) -> SSAValue:
    """A constant of a type that loops count with."""
    assert isinstance(type, IndexType | IntegerType)
    return builder.add(ConstantOp(IntegerAttr(value, type)))


def lowered_bound(builder: OpBuilder, bound: SSAValue, distance: int) -> SSAValue:
    """The bound less a distance, which is not negative, or else the least number of the type: nothing wraps around."""
    type = bound.type
    if distance == 0:
        return bound
    least, known = -type_limit(type), constant_index(bound)
    if known is not None:
        return constant(builder, max(known - distance, least), type)
    safe = builder.add(MaxSIOp(bound, constant(builder, least + distance, type)))
    return builder.add(SubiOp(safe, constant(builder, distance, type)))


def copy_iteration(loop: ForOp, builder: OpBuilder, counter: SSAValue, carried: Sequence[SSAValue]) -> list[SSAValue]:
    """Puts a copy of the body in front of the builder's place. Returns what it carries on."""
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
    """A loop that does nothing yet, and the end of its body, which carries on what it gets."""
    block = Block(arg_types=[lower.type, *(value.type for value in carried)])
    end = YieldOp(*block.args[1:])
    block.add_op(end)
    loop = PrintableForOp(lower, upper, step, carried, Region(block))
    builder.insert(loop)
    return loop, end


def replace_loop(loop: ForOp, values: Sequence[SSAValue]) -> None:
    """Puts values in the place of the results of a loop, which goes."""
    for result, value in zip(loop.results, values, strict=True):
        if value.name_hint is None:
            value.name_hint = result.name_hint
        result.replace_all_uses_with(value)
    Rewriter.erase_op(loop)
