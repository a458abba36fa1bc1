"""Rules of the `arith` dialect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import gcd

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from passes.analysis.integers.arithmetic import (
    ceiling_of,
    difference_of,
    extended,
    floor_quotient_of,
    greater_of,
    left_shift_of,
    lesser_of,
    product_of,
    quotient_of,
    remainder_of,
    resized,
    right_shift_of,
    sum_of,
    truncated,
    truncated_quotient_of,
)
from passes.analysis.integers.bitwise import both_of, either_of, one_of
from passes.analysis.integers.comparisons import PREDICATES, comparison_of
from passes.analysis.integers.fact import IntegerFact, anything, constant, fact, join, odd_part, zeros
from passes.analysis.integers.table import RULES, LaunchShape, bits_of, enter, rule, source
from xegpu.dialects.upstream.arith import (
    CmpiOp,
    DivSIOp,
    DivUIOp,
    ExtSIOp,
    ExtUIOp,
    IndexCastOp,
    IndexCastUIOp,
    SelectOp,
    ShRSIOp,
    ShRUIOp,
    TruncIOp,
)

# Constants -----------------------------------------------------------------------------------------------------------


@source(arith.ConstantOp)
def _constant(op: arith.ConstantOp, launch: LaunchShape) -> IntegerFact:
    return constant_fact(op.properties["value"], bits_of(op.results[0].type), launch.lanes)


def constant_fact(value: Attribute | None, bits: int, lanes: int) -> IntegerFact:
    """Returns the fact of a constant, or of all elements of one; nothing is said of numbers that are no integers."""
    if isa(value, IntegerAttr):
        return constant(value.value.data, bits, lanes)
    if isinstance(value, DenseIntOrFPElementsAttr) and value.type.element_count():
        values = [next(iter(value.iter_values()))] if value.is_splat() else list(value.iter_values())
        numbers = [number for number in values if isinstance(number, int)]
        if len(numbers) == len(values):
            return _listed(numbers, bits, lanes)
    return anything(bits, lanes, uniform=True)


def _listed(numbers: list[int], bits: int, lanes: int) -> IntegerFact:
    """Returns what holds of each of some numbers."""
    differing, mask = 0, (1 << bits) - 1
    for number in numbers:
        differing |= (number ^ numbers[0]) & mask
    first = [constant(number, bits, lanes) for number in (min(numbers), max(numbers))]
    known = zeros(differing) if differing else bits
    unsigned = {number & mask for number in numbers}
    return fact(
        bits,
        lanes,
        known,
        numbers[0],
        bits,
        0,
        min(unsigned),
        max(unsigned),
        min(x.least for x in first),
        max(x.most for x in first),
        odd_part(gcd(*numbers)),
    )


# Sums and products ---------------------------------------------------------------------------------------------------


def _flags(op: Operation, a: IntegerFact) -> dict[str, bool]:
    """Returns the promises of an operation that it does not wrap around.

    Where they are broken, nobody may look at the result, but lanes that break them share a thread with others that do
    not. What is said of lanes is said of what the machine computes, so that the promises do not count there.
    """
    flags = op.properties.get("overflowFlags") if a.lanes == 1 else None
    return {flag.value: True for flag in flags.data} if isinstance(flags, arith.IntegerOverflowAttr) else {}


@rule(arith.AddiOp)
def _add(op: arith.AddiOp, a: IntegerFact, b: IntegerFact) -> IntegerFact:
    return sum_of(a, b, **_flags(op, a))


@rule(arith.SubiOp)
def _subtract(op: arith.SubiOp, a: IntegerFact, b: IntegerFact) -> IntegerFact:
    return difference_of(a, b, **_flags(op, a))


@rule(arith.MuliOp)
def _multiply(op: arith.MuliOp, a: IntegerFact, b: IntegerFact) -> IntegerFact:
    return product_of(a, b, **_flags(op, a))


@rule(arith.AddUIExtendedOp)
def _add_with_carry(op: arith.AddUIExtendedOp, a: IntegerFact, b: IntegerFact) -> tuple[IntegerFact, IntegerFact]:
    carries = constant(0, 1, a.lanes) if a.high + b.high < 1 << a.bits else anything(1, a.lanes)
    return sum_of(a, b), carries


@rule(arith.MulUIExtendedOp)
def _multiply_unsigned(op: arith.MulUIExtendedOp, a: IntegerFact, b: IntegerFact) -> tuple[IntegerFact, IntegerFact]:
    return product_of(a, b), fact(a.bits, a.lanes, low=a.low * b.low >> a.bits, high=a.high * b.high >> a.bits)


@rule(arith.MulSIExtendedOp)
def _multiply_signed(op: arith.MulSIExtendedOp, a: IntegerFact, b: IntegerFact) -> tuple[IntegerFact, IntegerFact]:
    corners = [x * y for x in (a.least, a.most) for y in (b.least, b.most)]
    least, most = min(corners) >> a.bits, max(corners) >> a.bits
    return product_of(a, b), fact(a.bits, a.lanes, least=least, most=most)


@rule(arith.ShLIOp)
def _shift_left(op: arith.ShLIOp, a: IntegerFact, count: IntegerFact) -> IntegerFact:
    return left_shift_of(a, count, **_flags(op, a))


# Quotients, bits and choices ----------------------------------------------------------------------------------------

_OF_OPERANDS: Mapping[type[Operation], Callable[..., IntegerFact]] = {
    ShRUIOp: partial(right_shift_of, as_signed=False),
    ShRSIOp: partial(right_shift_of, as_signed=True),
    DivUIOp: quotient_of,
    DivSIOp: truncated_quotient_of,
    arith.FloorDivSIOp: floor_quotient_of,
    arith.CeilDivUIOp: partial(ceiling_of, as_signed=False),
    arith.CeilDivSIOp: partial(ceiling_of, as_signed=True),
    arith.RemUIOp: partial(remainder_of, as_signed=False),
    arith.RemSIOp: partial(remainder_of, as_signed=True),
    arith.AndIOp: both_of,
    arith.OrIOp: either_of,
    arith.XOrIOp: one_of,
    arith.MinUIOp: partial(lesser_of, as_signed=False),
    arith.MinSIOp: partial(lesser_of, as_signed=True),
    arith.MaxUIOp: partial(greater_of, as_signed=False),
    arith.MaxSIOp: partial(greater_of, as_signed=True),
    arith.BitcastOp: lambda a: a,
}
"""The operations of which nothing but the operands matters."""


def _ignoring_operation(function: Callable[..., IntegerFact]) -> Callable[..., IntegerFact]:
    return lambda op, *operands: function(*operands)


enter(RULES, {kind.name: _ignoring_operation(function) for kind, function in _OF_OPERANDS.items()})


@rule(CmpiOp)
def _compare(op: CmpiOp, a: IntegerFact, b: IntegerFact) -> IntegerFact:
    return comparison_of(PREDICATES[op.predicate.value.data], a, b)


@rule(SelectOp)
def _select(op: SelectOp, condition: IntegerFact, a: IntegerFact, b: IntegerFact) -> IntegerFact:
    if condition.constant is not None:
        return a if condition.constant else b
    return join(a, b, apart=not condition.is_uniform)


# Conversions ---------------------------------------------------------------------------------------------------------


@rule(ExtUIOp)
def _extend_unsigned(op: ExtUIOp, a: IntegerFact) -> IntegerFact:
    return extended(a, bits_of(op.results[0].type), as_signed=False)


@rule(ExtSIOp)
def _extend_signed(op: ExtSIOp, a: IntegerFact) -> IntegerFact:
    return extended(a, bits_of(op.results[0].type), as_signed=True)


@rule(TruncIOp)
def _truncate(op: TruncIOp, a: IntegerFact) -> IntegerFact:
    return truncated(a, bits_of(op.results[0].type))


@rule(IndexCastOp)
def _cast_index(op: IndexCastOp, a: IntegerFact) -> IntegerFact:
    return resized(a, bits_of(op.results[0].type), as_signed=True)


@rule(IndexCastUIOp)
def _cast_unsigned_index(op: IndexCastUIOp, a: IntegerFact) -> IntegerFact:
    return resized(a, bits_of(op.results[0].type), as_signed=False)
