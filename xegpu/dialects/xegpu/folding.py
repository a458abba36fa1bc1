"""Folding of lists of indices, shared by the canonicalizations of ops that make and move descriptors and tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from xdsl.dialects.arith import AddiOp, ConstantOp
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntOrFPElementsAttr, IndexType, IntegerAttr, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.traits import ConstantLike
from xdsl.utils.hints import isa

from xegpu.dialects.xegpu.attributes import MAX_I64

MixedList = Sequence[SSAValue | int]
"""Indices of which some are known."""


def constant_index(entry: SSAValue | int) -> int | None:
    """The constant that stands in a list, or None; the number that marks dynamic entries cannot stand there."""
    if isinstance(entry, int):
        return entry
    constant = ConstantLike.get_constant_value(entry)
    if not isa(constant, IntegerAttr) or not _fits(constant.value.data):
        return None
    return constant.value.data


def is_zero(value: SSAValue) -> bool:
    """Returns whether the value is zero, or a vector of zeros."""
    constant = ConstantLike.get_constant_value(value)
    if isa(constant, DenseIntOrFPElementsAttr):
        return constant.is_splat() and constant.get_values()[0] == 0
    return isa(constant, IntegerAttr) and constant.value.data == 0


def with_constants(entries: MixedList, legal: Callable[[int], bool] = lambda _: True) -> list[SSAValue | int]:
    """Returns the list with constants instead of constant values, where the op may hold them."""
    constants = map(constant_index, entries)
    return [
        entry if constant is None or not legal(constant) else constant
        for entry, constant in zip(entries, constants, strict=True)
    ]


class Sums(NamedTuple):
    """Sums of two lists, and the ops that compute those that are not known."""

    values: list[SSAValue | int]
    additions: list[Operation]


def sums(a: MixedList, b: MixedList, *, computed: bool = True) -> Sums | None:
    """Entry by entry; None where a sum is no entry of a list, or has to be computed although that is not allowed.

    Makes no op unless all of them are needed: even one that stands nowhere would count as a user of its operands.
    """
    pairs = list(zip(a, b, strict=True))
    for x, y in pairs:
        if isinstance(x, int) and isinstance(y, int):
            if not _fits(x + y):
                return None
        elif not computed and x != 0 and y != 0:
            return None
    result = Sums([], [])
    for x, y in pairs:
        if isinstance(x, int) and isinstance(y, int):
            result.values.append(x + y)
        elif x == 0 or y == 0:
            result.values.append(y if x == 0 else x)
        else:
            addition = AddiOp(as_value(x, result.additions), as_value(y, result.additions))
            result.additions.append(addition)
            result.values.append(addition.result)
    return result


def vector_sum(a: SSAValue, b: SSAValue, *, computed: bool = True) -> AddiOp | ConstantOp | None:
    """Returns the op that computes the sum of two vectors of offsets: a constant for constants.

    None where the vectors have different lengths, a constant sum is out of the range of 64 bits, or the sum has to be
    computed although that is not allowed.
    """
    if a.type != b.type:
        return None
    x, y = ConstantLike.get_constant_value(a), ConstantLike.get_constant_value(b)
    if not (isa(x, DenseIntOrFPElementsAttr[IndexType]) and isa(y, DenseIntOrFPElementsAttr[IndexType])):
        return AddiOp(a, b) if computed else None
    total = [i + j for i, j in zip(x.get_values(), y.get_values(), strict=True)]
    if not all(map(_fits, total)):
        return None
    return ConstantOp(DenseIntOrFPElementsAttr.from_list(VectorType(IndexType(), [len(total)]), total))


def as_value(entry: SSAValue | int, made: list[Operation]) -> SSAValue:
    """The entry as a value, by a constant that joins `made` where it is known."""
    if not isinstance(entry, int):
        return entry
    constant = ConstantOp(IntegerAttr(entry, IndexType()))
    made.append(constant)
    return constant.result


def is_only_user(op: Operation, definition: Operation) -> bool:
    """Returns whether `op`, which runs as often, is the only user of the result of `definition`."""
    return definition.parent is op.parent and definition.results[0].has_one_use()


def replace(op: Operation, new: Operation, rewriter: PatternRewriter) -> None:
    """Replaces `op`; attributes that the user attached to it stay."""
    new.attributes.update(op.attributes)
    rewriter.replace(op, new)


def _fits(number: int) -> bool:
    return DYNAMIC_INDEX < number <= MAX_I64
