"""The lattice of facts about integers."""

from __future__ import annotations

from math import gcd
from typing import NamedTuple


def signed(number: int, bits: int) -> int:
    """Returns the number with these lowest bits, read as signed."""
    half = 1 << bits >> 1
    return (number + half & (1 << bits) - 1) - half


def zeros(number: int) -> int:
    """Returns the number of zero bits below the lowest one; only positive numbers and negative ones have one."""
    return (number & -number).bit_length() - 1


def odd_part(number: int) -> int:
    """Returns the largest odd divisor, and zero for zero, which all numbers divide."""
    return abs(number) >> zeros(number) if number else 0


class IntegerFact(NamedTuple):
    """A statement about every value that an integer of `bits` bits may have, in each lane that computes it.

    Modulo 2^alike, the value of lane l is base + step * l with one base for all lanes; the base is `residue` modulo
    2^known. Read as unsigned, values lie between `low` and `high`; read as signed, they lie between `least` and `most`
    and are multiples of the odd number `odd`, which is zero where all are zero. What is said of a vector is said of
    each element, and the fact of a pointer is that of its address in bytes.

    Facts are made by `fact`, which draws conclusions from one part for another: `known` does not exceed `alike`, and
    without other lanes all bits are alike.
    """

    bits: int
    lanes: int
    known: int
    residue: int
    alike: int
    step: int
    low: int
    high: int
    least: int
    most: int
    odd: int

    # Questions -------------------------------------------------------------------------------------------------------

    @property
    def is_uniform(self) -> bool:
        """Returns whether all lanes have the same value."""
        return self.step == 0 and self.alike == self.bits

    @property
    def stride(self) -> int | None:
        """Returns the signed distance from each lane's value to the next one's, if it is always the same."""
        return signed(self.step, self.bits) if self.alike == self.bits else None

    @property
    def constant(self) -> int | None:
        """Returns the only value, as unsigned."""
        return self.low if self.low == self.high else None

    @property
    def fixed(self) -> int:
        """Returns how many of the lowest bits are known, and the same in all lanes: they are those of `residue`."""
        step = self.step & (1 << self.known) - 1
        return zeros(step) if step else self.known

    @property
    def even(self) -> int:
        """Returns how many of the lowest bits are zero in all lanes."""
        fixed = self.fixed
        low = self.residue & (1 << fixed) - 1
        return zeros(low) if low else fixed

    @property
    def power(self) -> int:
        """Returns the largest power of two that is known to divide all values; that of zero exceeds all of them."""
        return 1 << self.even

    def is_multiple_of(self, number: int) -> bool:
        """Returns whether a positive number is known to divide all values, read as signed."""
        return number & -number <= self.power and self.odd % odd_part(number) == 0

    def of_lane(self, lane: int) -> int:
        """Returns the known lowest bits of a lane's value."""
        return self.residue + self.step * lane & (1 << self.known) - 1

    @property
    def settled(self) -> int | None:
        """Returns how many of the lowest bits differ at most between lanes, which never carry into those above."""
        step = self.stride
        if step is None:
            return None
        reach = step * (self.lanes - 1)
        for count in range(abs(reach).bit_length(), self.known + 1):
            if 0 <= (self.residue & (1 << count) - 1) + reach < 1 << count:
                return count
        return None

    def rises(self, *, as_signed: bool) -> bool:
        """Returns whether lanes differ by multiples of `stride` as integers, too: none has wrapped around.

        Lanes between those that compute the value may not do so, whose values then are not within the bounds.
        """
        step = self.stride
        if step is None:
            return False
        reach = abs(step) * (self.lanes - 1)
        if (self.most - self.least if as_signed else self.high - self.low) < (1 << self.bits) - reach:
            return True
        settled = self.settled
        return settled is not None and (settled < self.bits or not as_signed)

    # Statements about the same value ---------------------------------------------------------------------------------

    def uniform(self) -> IntegerFact:
        """Returns the fact if all lanes have the same value."""
        if self.is_uniform:
            return self
        return self._replace(known=self.fixed, residue=self.residue & (1 << self.fixed) - 1, alike=self.bits, step=0)

    def apart(self) -> IntegerFact:
        """Returns the fact of a value that each lane takes at a time of its own."""
        return join(self, self, apart=True)

    def within(
        self, low: int | None = None, high: int | None = None, least: int | None = None, most: int | None = None
    ) -> IntegerFact:
        """Returns the fact of a value that keeps more bounds; those that it cannot keep are of code that never runs."""
        low, high = max(self.low, low or 0), self.high if high is None else min(self.high, high)
        least = self.least if least is None else max(self.least, least)
        most = self.most if most is None else min(self.most, most)
        if low > high or least > most:
            return self
        return fact(
            self.bits, self.lanes, self.known, self.residue, self.alike, self.step, low, high, least, most, self.odd
        )

    def aligned(self, number: int) -> IntegerFact:
        """Returns the fact of a value that is a multiple of a power of two."""
        count = min(zeros(number), self.bits)
        if self.known >= count or self.residue or self.step & (1 << count) - 1:
            return self
        alike, step = (count, 0) if self.alike < count else (self.alike, self.step)
        return self._replace(known=count, residue=0, alike=alike, step=step)


def fact(
    bits: int,
    lanes: int,
    known: int = 0,
    residue: int = 0,
    alike: int = 0,
    step: int = 0,
    low: int = 0,
    high: int | None = None,
    least: int | None = None,
    most: int | None = None,
    odd: int = 1,
) -> IntegerFact:
    """Returns a fact, with what follows from it; residue and step may be any numbers, missing bounds are the last."""
    size = 1 << bits
    half = size >> 1
    if high is None:
        high = size - 1
    if least is None:
        least = -half
    if most is None:
        most = half - 1
    if lanes == 1:
        alike, step = bits, 0
    else:
        alike = min(alike, bits)
        step &= (1 << alike) - 1
    known = min(known, alike)
    residue &= (1 << known) - 1
    if known == bits:
        low, high, least, most = _listed(bits, lanes, residue, step)
    if high < half:
        least, most = max(least, low), min(most, high)
    elif low >= half:
        least, most = max(least, low - size), min(most, high - size)
    if least >= 0:
        low, high = max(low, least), min(high, most)
    elif most < 0:
        low, high = max(low, least + size), min(high, most + size)
    if low > high or least > most:  # The value is of code that never runs: nothing is wrong about it.
        low, high, least, most = 0, size - 1, -half, half - 1
    elif low == high:
        known, residue, alike, step, odd = bits, low, bits, 0, odd_part(least)
    return IntegerFact(bits, lanes, known, residue, alike, step, low, high, least, most, odd)


def _listed(bits: int, lanes: int, residue: int, step: int) -> tuple[int, int, int, int]:
    """Returns the bounds of values that are known in each lane."""
    values = [residue + step * lane & (1 << bits) - 1 for lane in range(lanes if step else 1)]
    numbers = [signed(value, bits) for value in values]
    return min(values), max(values), min(numbers), max(numbers)


def constant(value: int, bits: int, lanes: int) -> IntegerFact:
    """Returns the fact of a constant."""
    return fact(bits, lanes, bits, value, bits)


def anything(bits: int, lanes: int, *, uniform: bool = False) -> IntegerFact:
    """Returns the fact of a value of which nothing is known, except perhaps that all lanes have the same."""
    return fact(bits, lanes, alike=bits if uniform else 0)


def between(low: int, high: int, bits: int, lanes: int) -> IntegerFact:
    """Returns the fact of a value that is the same in all lanes and lies between numbers that are not negative."""
    return fact(bits, lanes, alike=bits, low=low, high=min(high, (1 << bits) - 1))


def join(a: IntegerFact, b: IntegerFact, *, apart: bool = False) -> IntegerFact:
    """Returns what holds of a value that is one of two.

    All lanes take the same one, or `apart`, each takes its own.
    """
    if a == b and not apart:
        return a
    known, alike = min(a.known, b.known), min(a.alike, b.alike)
    if differing := (a.residue ^ b.residue) & (1 << known) - 1:
        known = zeros(differing)
    if differing := (a.step ^ b.step) & (1 << alike) - 1:
        alike = zeros(differing)
    if apart:
        alike = min(alike, known)
    return fact(
        a.bits,
        a.lanes,
        known,
        a.residue,
        alike,
        a.step,
        min(a.low, b.low),
        max(a.high, b.high),
        min(a.least, b.least),
        max(a.most, b.most),
        gcd(a.odd, b.odd),
    )


def widened(old: IntegerFact, new: IntegerFact) -> IntegerFact:
    """Returns a fact that both imply, whose bounds are the last ones wherever they have moved."""
    both, most = join(old, new), (1 << old.bits >> 1) - 1
    return fact(
        *both[:6],
        both.low if both.low == old.low else 0,
        both.high if both.high == old.high else None,
        both.least if both.least == old.least else None,
        both.most if both.most == old.most else most,
        both.odd,
    )
