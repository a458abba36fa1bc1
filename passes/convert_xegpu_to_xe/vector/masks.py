"""Lowers masks and sequences of numbers, and computes conditions on the elements of a vector."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import VectorType, i1
from xdsl.ir import Attribute

from passes.convert_xegpu_to_xe.lowering.gpu_ids import counting
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.convert_xegpu_to_xe.math.elementwise import signed, unsigned
from passes.convert_xegpu_to_xe.vector.constants import dense
from passes.convert_xegpu_to_xe.vector.shapes import arranged
from passes.kernel.register_types import BOOLEAN, element_count
from passes.support.normal_forms import Origin, shape_of, unravel
from xegpu.dialects.upstream.vector import CreateMaskOp, StepOp
from xegpu.isa.model import Condition, DataType

TRUE, FALSE = UniformConstant(BOOLEAN, -1), UniformConstant(BOOLEAN, 0)
"""Conditions that are known at compile time."""


@lowers(StepOp)
def step(lowering: KernelLowering, op: StepOp) -> None:
    result = op.results[0]
    lowering.values[result] = counting(lowering, element_count(result.type), DataType.UQ)


def _constant(lowering: KernelLowering, conditions: Sequence[bool]) -> Number:
    if all(conditions) or not any(conditions):
        return TRUE if all(conditions) else FALSE
    return dense(lowering, [-1 if condition else 0 for condition in conditions], BOOLEAN)


@lowers(CreateMaskOp)
def create_mask(lowering: KernelLowering, op: CreateMaskOp) -> None:
    type = op.results[0].type
    conditions = [
        (below(lowering, None, lowering.number(bound), size), dimension)
        for dimension, (bound, size) in enumerate(zip(op.operands, shape_of(type) or (1,), strict=True))
    ]
    lowering.values[op.results[0]] = all_along(lowering, type, conditions)


def below(lowering: KernelLowering, start: Number | None, bound: Number, size: int) -> Number:
    """Returns whether each index is less than a signed bound or, counted from a start, an unsigned one."""
    if isinstance(bound, UniformConstant) and (start is None or isinstance(start, UniformConstant)):
        first = 0 if start is None else int(start.value)
        return _constant(lowering, [0 <= first + i < bound.value for i in range(size)])
    read: Callable[[Number], Number] = signed if start is None else unsigned
    indexes: Number = counting(lowering, size, DataType.UQ)
    bound = read(bound)
    lanes = max((n.lanes for n in (start, bound) if isinstance(n, Elements)), default=1)
    emit = lowering.emit

    def compare(index: Number, count: int) -> Elements:
        if start is not None:
            index = emit.alu("add", DataType.UQ, [index, start], count)
        return emit.alu("cmp", BOOLEAN, [read(index), bound], count, condition=Condition.LT)

    if lanes == 1:
        return compare(indexes, size)
    each: list[tuple[Number, Attribute]] = [(compare(UniformConstant(DataType.UQ, i), lanes), i1) for i in range(size)]
    return arranged(lowering, each, VectorType(i1, [size]), lambda i: (i, 0))


def all_along(lowering: KernelLowering, type: Attribute, conditions: Sequence[tuple[Number, int]]) -> Number:
    """Returns a mask of a type: whether all the conditions given for indices along some dimensions hold."""
    shape = shape_of(type)
    outcome: Number = TRUE
    for condition, dimension in conditions:
        if isinstance(condition, UniformConstant):
            outcome = both(lowering, type, outcome, condition)
            continue
        along = VectorType(i1, [shape[dimension] if shape else 1])
        spread = arranged(lowering, [(condition, along)], type, _along(dimension, shape))
        outcome = both(lowering, type, outcome, spread)
    return outcome


def _along(dimension: int, shape: tuple[int, ...]) -> Callable[[int], Origin]:
    return lambda i: (0, unravel(i, shape)[dimension] if shape else 0)


def both(lowering: KernelLowering, type: Attribute, a: Number, b: Number) -> Number:
    """Returns whether both conditions hold, for each element."""
    for condition, other in ((a, b), (b, a)):
        if isinstance(condition, UniformConstant):
            return other if condition.value else FALSE
    lanes = max(n.lanes for n in (a, b) if isinstance(n, Elements))
    a, b = (lowering.conversions.by_channel(n, type, lanes) for n in (a, b))
    return lowering.emit.alu("and", BOOLEAN, [a, b], element_count(type) * lanes)
