"""Rounding in any direction, once for all engines: exact results of f32 and smaller types, computed in f64.

An operation is done in f64 *rounded to odd*: an inexact result has its last bit set. f64 has more than two bits to
spare, so rounding this result a second time, in any direction, gives what rounding the exact one gives (Boldo and
Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd", IEEE Transactions
on Computers, 2008).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from runtime.simulator.machine.elementary import Lanes
from xegpu.isa import DataType, Instruction
from xegpu.isa.model import CONTROL

FRACTION_BITS = 52
BIAS = 1023


class Rounding(IntEnum):
    """Rounding direction, encoded as bits 5:4 of `cr0`."""

    NEAREST = 0
    UP = 1
    DOWN = 2
    ZERO = 3


CONTROL_BITS = 0x4F0
"""Bits of `cr0` that control float arithmetic."""

_KEEPS = {DataType.HF: 0x400, DataType.BF: 0x80, DataType.TF32: 0x80, DataType.F: 0x80, DataType.DF: 0x40}
"""Bits that preserve subnormal numbers, by type."""


@dataclass(frozen=True)
class FloatControl:
    """The float control bits of `cr0`."""

    bits: int

    @property
    def rounding(self) -> Rounding:
        return Rounding(self.bits >> 4 & 3)

    def flushes(self, type: DataType) -> bool:
        """Returns whether subnormal numbers of a type are flushed to zero; never for integers."""
        return type.is_float and not self.bits & _KEEPS[type]

    @staticmethod
    def keep_bit(type: DataType) -> int:
        """Returns the bit that preserves subnormal numbers of a float type."""
        return _KEEPS[type]


def writes_control(instructions: Iterable[Instruction]) -> bool:
    """Returns whether a program may write the control register."""
    destinations = (instruction.destination for instruction in instructions)
    return any(d is not None and d.register.is_part_of(CONTROL) for d in destinations)


@dataclass(frozen=True)
class FloatFormat:
    """A float type: fraction bits, smallest and largest exponent of normal numbers."""

    fraction_bits: int
    smallest: int
    largest: int

    @property
    def maximum(self) -> float:
        """The largest finite number."""
        return math.ldexp(2.0 - 2.0**-self.fraction_bits, self.largest)


FORMATS = {
    DataType.HF: FloatFormat(10, -14, 15),
    DataType.BF: FloatFormat(7, -126, 127),
    DataType.TF32: FloatFormat(10, -126, 127),
    DataType.F: FloatFormat(23, -126, 127),
}
"""Types that f64 represents with bits to spare."""


def _power(exponent: Lanes) -> Lanes:
    return ((exponent + BIAS) << FRACTION_BITS).double()


def _is(mode: Lanes, rounding: Rounding) -> Lanes:
    return mode.is_equal(int(rounding))


def _is_number(x: Lanes) -> Lanes:
    """Returns whether f64 is finite and not zero."""
    exponent = (x.bits() >> FRACTION_BITS) & 0x7FF
    return exponent.is_less(0x7FF) & (x.is_less(0.0) | x.is_greater(0.0))


def rounded(x: Lanes, type: DataType, mode: Lanes) -> Lanes:
    """Rounds f64 to a type in the direction `mode` (integers); the result is still f64."""
    format = FORMATS[type]
    exponent = ((x.bits() >> FRACTION_BITS) & 0x7FF) - BIAS
    exponent = exponent.is_less(format.smallest).choose(exponent.constant(format.smallest), exponent)
    unit = exponent - format.fraction_bits
    scaled = x * _power(unit.constant(0) - unit)
    whole = scaled.rint()
    for rounding, name in ((Rounding.UP, "ceil"), (Rounding.DOWN, "floor"), (Rounding.ZERO, "trunc")):
        whole = _is(mode, rounding).choose(scaled.integral(name), whole)
    result = whole * _power(unit)
    positive, negative = result.is_greater(format.maximum), result.is_less(-format.maximum)
    result = positive.choose(_overflow(result, mode, format.maximum, Rounding.UP, 1.0), result)
    result = negative.choose(_overflow(result, mode, format.maximum, Rounding.DOWN, -1.0), result)
    return _is_number(x).choose(result, x)


def _overflow(like: Lanes, mode: Lanes, maximum: float, outward: Rounding, sign: float) -> Lanes:
    infinite = _is(mode, Rounding.NEAREST) | _is(mode, outward)
    return infinite.choose(like.constant(sign * math.inf), like.constant(sign * maximum))


def sum_to_odd(a: Lanes, b: Lanes, mode: Lanes) -> Lanes:
    """Returns the sum, rounded to odd. An exact zero sum is negative when rounding down (IEEE 754, section 6.3)."""
    total = a + b
    virtual = total - a
    error = (a - (total - virtual)) + (b - virtual)
    bits = total.bits()
    away = (error.is_greater(0.0) & total.is_greater(0.0)) | (error.is_less(0.0) & total.is_less(0.0))
    moved = away.choose(bits + 1, bits - 1)
    moves = (error.is_less(0.0) | error.is_greater(0.0)) & _is_number(total) & (bits & 1).is_equal(0)
    odd = moves.choose(moved, bits).double()
    opposite = (a.bits() >> 63).differs(b.bits() >> 63)
    vanishes = total.is_equal(0.0) & opposite & _is(mode, Rounding.DOWN)
    return vanishes.choose(total.constant(-0.0), odd)


def _to_odd(head: Lanes, rest: Lanes, more: Lanes) -> Lanes:
    """Makes a number whose last bits are zero odd if there is a remainder, in the direction of the exact value."""
    bits = head.bits()
    inexact = rest.is_less(0.0) | rest.is_greater(0.0)
    return inexact.choose(more.choose(bits + 1, bits - 1), bits).double()


def quotient_to_odd(a: Lanes, b: Lanes) -> Lanes:
    """Returns the quotient of 24-bit numbers, rounded to odd in f64: its leading 29 bits have an exact remainder."""
    quotient = a / b
    head = (quotient.bits() & -(1 << 24)).double()
    rest = a - head * b
    more = (rest.is_greater(0.0) & a.is_greater(0.0)) | (rest.is_less(0.0) & a.is_less(0.0))
    plain = _is_number(quotient) & _is_number(b)
    return plain.choose(_to_odd(head, rest, more), quotient)


def root_to_odd(a: Lanes) -> Lanes:
    """Returns the square root of a 24-bit number, rounded to odd in f64: its leading 26 bits have an exact square."""
    root = a.sqrt()
    head = (root.bits() & -(1 << 27)).double()
    rest = a - head * head
    return _is_number(root).choose(_to_odd(head, rest, rest.is_greater(0.0)), root)
