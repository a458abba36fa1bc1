"""Bitwise operations on integer facts."""

from __future__ import annotations

from collections.abc import Callable

from passes.analysis.integers.arithmetic import even_step, extended, lane_bits, product_of, shifted, sum_of, truncated
from passes.analysis.integers.fact import IntegerFact, constant, fact, zeros

KnownBits = tuple[int, int]
"""The bits that are known to be zero, and those that are known to be one."""


def both_of(a: IntegerFact, b: IntegerFact) -> IntegerFact:
    """Returns the fact of a & b."""
    found = _bitwise(a, b, lambda x, y: (x[0] | y[0], x[1] & y[1]))
    for number, mask in ((a, b.constant), (b, a.constant)):
        if found.alike < found.bits and mask is not None:
            found = max(found, _masked(number, mask), key=lambda each: each.alike)
    return found.within(high=min(a.high, b.high))


def _masked(a: IntegerFact, mask: int) -> IntegerFact:
    """Returns the fact of bits of a number, if they are all bits up to some place or all from there on."""
    size = 1 << a.bits
    if mask & mask + 1 == 0 and mask:
        return extended(truncated(a, mask.bit_length()), a.bits, as_signed=False)
    if size - mask & size - mask - 1 == 0 and mask:
        count = zeros(mask)
        return product_of(shifted(a, count, as_signed=False), constant(1 << count, a.bits, a.lanes))
    return fact(a.bits, a.lanes)


def either_of(a: IntegerFact, b: IntegerFact) -> IntegerFact:
    """Returns the fact of a | b."""
    found = _bitwise(a, b, lambda x, y: (x[0] & y[0], x[1] | y[1]))
    return _sum_of_apart(a, b, found).within(max(a.low, b.low), _ones(max(a.high, b.high)))


def one_of(a: IntegerFact, b: IntegerFact) -> IntegerFact:
    """Returns the fact of a ^ b."""
    found = _bitwise(a, b, lambda x, y: ((x[0] & y[0]) | (x[1] & y[1]), (x[0] & y[1]) | (x[1] & y[0])))
    return _sum_of_apart(a, b, found).within(high=_ones(max(a.high, b.high)))


def _ones(number: int) -> int:
    return (1 << number.bit_length()) - 1


def _sum_of_apart(a: IntegerFact, b: IntegerFact, found: IntegerFact) -> IntegerFact:
    """Returns the fact of the sum if two numbers have no bits in common and it says more of lanes."""
    if found.alike < found.bits and (a.high < b.power or b.high < a.power):
        total = sum_of(a, b)
        return total if total.alike > found.alike else found
    return found


def _known_bits(a: IntegerFact, lane: int) -> KnownBits:
    """Returns the bits of a lane's value that are known: the lowest ones, and zeros above the largest value."""
    low, mask = a.of_lane(lane), (1 << a.known) - 1
    return mask & ~low | -1 << a.high.bit_length(), low


def _bitwise(a: IntegerFact, b: IntegerFact, combine: Callable[[KnownBits, KnownBits], KnownBits]) -> IntegerFact:
    differ = not (a.is_uniform and b.is_uniform)
    values: list[int] = []
    known = a.bits
    for lane in range(a.lanes if differ else 1):
        zero, one = combine(_known_bits(a, lane), _known_bits(b, lane))
        unknown = ~(zero | one)
        known = min(known, (unknown & -unknown).bit_length() - 1 if unknown else known)
        values.append(one)
    values = [value & (1 << known) - 1 for value in values]
    if not differ:
        return fact(a.bits, a.lanes, known, values[0], a.bits)
    rest = [0 if x.is_uniform else x.settled for x in (a, b)]
    step = even_step(values)
    if step is not None and all(count is not None and count <= known for count in rest):
        # Above the bits that differ between lanes, which are all known, both operands are uniform.
        return fact(a.bits, a.lanes, known, values[0], a.bits, step)
    return fact(a.bits, a.lanes, *lane_bits(values, known))
