"""Sums, products, quotients and conversions of integer facts."""

from __future__ import annotations

from math import gcd

from passes.analysis.integers.fact import IntegerFact, anything, constant, fact, join, odd_part, signed, zeros

_NEVER = 1 << 16
"""A number of bits that exceeds those of any type: zero is a multiple of every power of two."""


def sum_of(a: IntegerFact, b: IntegerFact, *, nsw: bool = False, nuw: bool = False) -> IntegerFact:
    """Returns the fact of a + b; the flags say that it does not wrap around as a signed or unsigned number."""
    odd = gcd(a.odd, b.odd)
    unsigned = _wrapped(a.low + b.low, a.high + b.high, 0, a.bits, nuw)
    return _linear(a, b, 1, odd, unsigned, _wrapped(a.least + b.least, a.most + b.most, -1, a.bits, nsw))


def difference_of(a: IntegerFact, b: IntegerFact, *, nsw: bool = False, nuw: bool = False) -> IntegerFact:
    """Returns the fact of a - b."""
    odd = gcd(a.odd, b.odd)
    unsigned = _wrapped(a.low - b.high, a.high - b.low, 0, a.bits, nuw)
    return _linear(a, b, -1, odd, unsigned, _wrapped(a.least - b.most, a.most - b.least, -1, a.bits, nsw))


Range = tuple[int, int, bool]
"""Bounds, and whether no number has wrapped around to lie between them."""


def _wrapped(low: int, high: int, sign: int, bits: int, exact: bool) -> Range:
    """Returns bounds in a type, given those of integers; the type is unsigned for a `sign` of 0, signed for -1."""
    first = (1 << bits >> 1) * sign
    last = first + (1 << bits) - 1
    if first <= low and high <= last:
        return low, high, True
    if exact and low <= last and high >= first:
        return max(low, first), min(high, last), True
    turns = (low - first) >> bits
    if turns == (high - first) >> bits:
        return low - (turns << bits), high - (turns << bits), False
    return first, last, False


def _linear(a: IntegerFact, b: IntegerFact, sign: int, odd: int, unsigned: Range, within: Range) -> IntegerFact:
    return fact(
        a.bits,
        a.lanes,
        min(a.known, b.known),
        a.residue + sign * b.residue,
        min(a.alike, b.alike),
        a.step + sign * b.step,
        *unsigned[:2],
        *within[:2],
        odd if within[2] else 1,
    )


def product_of(a: IntegerFact, b: IntegerFact, *, nsw: bool = False, nuw: bool = False) -> IntegerFact:
    """Returns the fact of a * b."""
    residue_zeros = [zeros(x.residue) if x.residue else x.known for x in (a, b)]
    step_zeros = [zeros(x.step) if x.step else _NEVER for x in (a, b)]
    known = min(b.known + residue_zeros[0], a.known + residue_zeros[1], a.bits)
    # (A + s l)(B + t l) = AB + (A t + B s) l + s t l^2, where A and B are known in part.
    alike = min(
        a.alike + b.even,
        b.alike + a.even,
        a.known + step_zeros[1],
        b.known + step_zeros[0],
        step_zeros[0] + step_zeros[1],
        a.bits,
    )
    step = a.residue * b.step + b.residue * a.step
    unsigned = _wrapped(a.low * b.low, a.high * b.high, 0, a.bits, nuw)
    corners = [x * y for x in (a.least, a.most) for y in (b.least, b.most)]
    within = _wrapped(min(corners), max(corners), -1, a.bits, nsw)
    odd = a.odd * b.odd if within[2] else 1
    return fact(
        a.bits, a.lanes, known, a.residue * b.residue, alike, step, *unsigned[:2], *within[:2], min(odd, 1 << a.bits)
    )


def left_shift_of(a: IntegerFact, count: IntegerFact, *, nsw: bool = False, nuw: bool = False) -> IntegerFact:
    """Returns the fact of a << count, for counts that are less than the bits."""
    if count.low >= a.bits:
        return anything(a.bits, a.lanes)
    if count.constant is not None:
        return product_of(a, _power(count.constant, a), nsw=nsw, nuw=nuw)
    even = min(a.even + count.low, a.bits)
    unsigned = _wrapped(a.low << count.low, a.high << min(count.high, a.bits - 1), 0, a.bits, nuw)
    return fact(a.bits, a.lanes, even, 0, even, 0, *unsigned[:2])


def _power(exponent: int, like: IntegerFact) -> IntegerFact:
    """Returns the fact of a power of two, whose highest bit counts as positive."""
    power = constant(1 << exponent, like.bits, like.lanes)
    return power._replace(least=1 << exponent, most=1 << exponent)


# Quotients -----------------------------------------------------------------------------------------------------------


def right_shift_of(a: IntegerFact, count: IntegerFact, *, as_signed: bool) -> IntegerFact:
    """Returns the fact of a >> count, for counts that are less than the bits."""
    if count.low >= a.bits:
        return anything(a.bits, a.lanes)
    if count.constant is not None:
        return shifted(a, count.constant, as_signed=as_signed)
    few, many = count.low, min(count.high, a.bits - 1)
    if not as_signed:
        return fact(a.bits, a.lanes, low=a.low >> many, high=a.high >> few)
    return fact(
        a.bits,
        a.lanes,
        least=a.least >> (few if a.least < 0 else many),
        most=a.most >> (many if a.most < 0 else few),
    )


def shifted(a: IntegerFact, count: int, *, as_signed: bool) -> IntegerFact:
    """Returns the fact of a number divided by a power of two, rounded down."""
    known, residue, alike, step = _shifted_lanes(a, count, as_signed=as_signed)
    if as_signed:
        return fact(a.bits, a.lanes, known, residue, alike, step, least=a.least >> count, most=a.most >> count)
    return fact(a.bits, a.lanes, known, residue, alike, step, a.low >> count, a.high >> count)


def _shifted_lanes(a: IntegerFact, count: int, *, as_signed: bool) -> tuple[int, int, int, int]:
    """Returns `known`, `residue`, `alike` and `step` of the quotient."""
    known, mask = max(0, a.known - count), (1 << count) - 1
    if a.lanes == 1:
        return known, a.residue >> count, a.bits, 0
    exact, settled = a.rises(as_signed=as_signed), a.settled
    step = signed(a.step, a.bits) if exact else a.step
    whole = a.bits if exact else max(0, a.alike - count)
    if step & mask == 0:  # What the first lane loses, all lose.
        return known, a.residue >> count, whole, step >> count
    if exact and settled is not None and settled <= count:
        return known, a.residue >> count, a.bits, 0
    if exact and settled is not None:
        base = a.residue & (1 << settled) - 1
        quotient = even_step([base + step * lane >> count for lane in range(a.lanes)])
        if quotient is not None:
            return known, a.residue >> count, a.bits, quotient
    return lane_bits([a.of_lane(lane) >> count for lane in range(a.lanes)], known) if known else (0, 0, 0, 0)


def even_step(values: list[int]) -> int | None:
    """Returns the distance from each number to the next one, if it is always the same."""
    step = values[1] - values[0]
    return step if all(value == values[0] + step * lane for lane, value in enumerate(values)) else None


def lane_bits(values: list[int], known: int) -> tuple[int, int, int, int]:
    """Returns `known`, `residue`, `alike` and `step` of numbers whose lowest bits are known in each lane."""
    step = values[1] - values[0] if len(values) > 1 else 0
    for lane, value in enumerate(values):
        if beside := value - values[0] - step * lane & (1 << known) - 1:
            known = zeros(beside)
    return known, values[0], known, step


def quotient_of(a: IntegerFact, b: IntegerFact) -> IntegerFact:
    """Returns the fact of a / b for unsigned numbers."""
    if (number := b.constant) is None:
        return fact(a.bits, a.lanes, low=a.low // max(b.high, 1), high=a.high // max(b.low, 1))
    return _divided(a, number, as_signed=False) if number else anything(a.bits, a.lanes)


def floor_quotient_of(a: IntegerFact, b: IntegerFact) -> IntegerFact:
    """Returns the fact of a / b for signed numbers, rounded down."""
    if (number := b.constant) is not None and b.least > 0:
        return _divided(a, number, as_signed=True)
    return _less_apart(a)


def truncated_quotient_of(a: IntegerFact, b: IntegerFact) -> IntegerFact:
    """Returns the fact of a / b for signed numbers, rounded toward zero."""
    if a.least >= 0 and b.least >= 0:
        return quotient_of(a, b)
    if b.least > 0:
        low, high = (b.most if a.least >= 0 else b.least), (b.most if a.most < 0 else b.least)
        return fact(a.bits, a.lanes, least=_toward_zero(a.least, low), most=_toward_zero(a.most, high))
    return _less_apart(a)


def _toward_zero(a: int, b: int) -> int:
    return a // b if a >= 0 else -(-a // b)


def ceiling_of(a: IntegerFact, b: IntegerFact, *, as_signed: bool) -> IntegerFact:
    """Returns the fact of a / b rounded up."""
    if not as_signed:
        return fact(a.bits, a.lanes, low=-(-a.low // max(b.high, 1)), high=-(-a.high // max(b.low, 1)))
    return _less_apart(a)


def _less_apart(a: IntegerFact) -> IntegerFact:
    """Returns the fact of a signed quotient, which is no farther from zero than the dividend."""
    reach = max(-a.least, a.most)
    if reach >= 1 << a.bits >> 1:
        return anything(a.bits, a.lanes)
    return fact(a.bits, a.lanes, least=-reach, most=reach)


def _divided(a: IntegerFact, number: int, *, as_signed: bool) -> IntegerFact:
    """Returns the fact of a number divided by a positive constant, rounded down."""
    half = shifted(a, zeros(number), as_signed=as_signed)
    if (odd := odd_part(number)) == 1:
        return half
    alike = a.bits if half.is_uniform else 0
    if as_signed:
        return fact(a.bits, a.lanes, alike=alike, least=a.least // number, most=a.most // number)
    return fact(a.bits, a.lanes, alike=alike, low=half.low // odd, high=half.high // odd)


def remainder_of(a: IntegerFact, b: IntegerFact, *, as_signed: bool) -> IntegerFact:
    """Returns the fact of the remainder of a / b, where signed quotients are rounded toward zero."""
    quotient = truncated_quotient_of(a, b) if as_signed else quotient_of(a, b)
    rest = difference_of(a, product_of(quotient, b))
    natural = a.least >= 0 and b.least >= 0
    if as_signed or natural:
        rest = rest._replace(odd=gcd(a.odd, b.odd))
    if not as_signed or natural:
        return a if a.high < b.low else rest.within(0, min(a.high, max(b.high - 1, 0)))
    reach = max(-b.least, b.most) - 1
    return rest.within(least=max(a.least, -reach) if a.least < 0 else 0, most=min(a.most, reach) if a.most > 0 else 0)


# Choices -------------------------------------------------------------------------------------------------------------


def lesser_of(a: IntegerFact, b: IntegerFact, *, as_signed: bool) -> IntegerFact:
    """Returns the fact of the smaller number."""
    if as_signed:
        if a.most <= b.least or b.most <= a.least:
            return a if a.most <= b.least else b
        return join(a, b, apart=True).within(most=min(a.most, b.most))
    if a.high <= b.low or b.high <= a.low:
        return a if a.high <= b.low else b
    return join(a, b, apart=True).within(high=min(a.high, b.high))


def greater_of(a: IntegerFact, b: IntegerFact, *, as_signed: bool) -> IntegerFact:
    """Returns the fact of the larger number."""
    if as_signed:
        if a.most <= b.least or b.most <= a.least:
            return b if a.most <= b.least else a
        return join(a, b, apart=True).within(least=max(a.least, b.least))
    if a.high <= b.low or b.high <= a.low:
        return b if a.high <= b.low else a
    return join(a, b, apart=True).within(max(a.low, b.low))


# Conversions ---------------------------------------------------------------------------------------------------------


def extended(a: IntegerFact, bits: int, *, as_signed: bool) -> IntegerFact:
    """Returns the fact of a number in more bits."""
    if bits == a.bits:
        return a
    known, residue, alike, step = a.known, a.residue, a.alike, a.step
    if a.rises(as_signed=as_signed):
        alike, step = bits, signed(a.step, a.bits)
        if known == a.bits:
            known, residue = bits, signed(residue, known) if as_signed else residue
    if as_signed:
        return fact(bits, a.lanes, known, residue, alike, step, least=a.least, most=a.most, odd=a.odd)
    return fact(bits, a.lanes, known, residue, alike, step, a.low, a.high, odd=a.odd if a.least >= 0 else 1)


def truncated(a: IntegerFact, bits: int) -> IntegerFact:
    """Returns the fact of the lowest bits of a number."""
    if bits == a.bits:
        return a
    low, high, _ = _wrapped(a.low, a.high, 0, bits, False)
    least, most, fits = _wrapped(a.least, a.most, -1, bits, False)
    return fact(bits, a.lanes, a.known, a.residue, a.alike, a.step, low, high, least, most, a.odd if fits else 1)


def resized(a: IntegerFact, bits: int, *, as_signed: bool) -> IntegerFact:
    """Returns the fact of a number in fewer or more bits."""
    return truncated(a, bits) if bits < a.bits else extended(a, bits, as_signed=as_signed)
