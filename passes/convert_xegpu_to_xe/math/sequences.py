"""Sequences of float instructions on several values at once."""

from __future__ import annotations

import math
from collections.abc import Callable

from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.kernel.register_types import BOOLEAN
from xegpu.isa.model import Condition, DataType, Immediate, integer


class FloatSequence:
    """Emits instructions on `count` values of a float type."""

    def __init__(self, emit: XeEmitter, count: int, type: DataType = DataType.F):
        self.emit, self.count, self.type = emit, count, type

    def constant(self, value: float) -> UniformConstant:
        """Returns a number, rounded to the type."""
        return UniformConstant(self.type, Immediate.of(value, self.type).value())

    def __call__(self, mnemonic: str, *operands: Number | float, negate: tuple[bool, ...] = ()) -> Elements:
        numbers = [self.constant(n) if isinstance(n, int | float) else n for n in operands]
        return self.emit.alu(mnemonic, self.type, numbers, self.count, negate=negate)

    def choose(self, condition: Elements, yes: Number | float, no: Number | float) -> Elements:
        """Returns `yes` where the condition holds, else `no`."""
        numbers = [self.constant(n) if isinstance(n, int | float) else n for n in (yes, no)]
        return self.emit.alu("sel", self.type, numbers, self.count, predicate=condition)

    def compare(self, a: Number, condition: Condition, b: Number | float) -> Elements:
        """Returns a boolean for each value."""
        other = self.constant(b) if isinstance(b, int | float) else b
        return self.emit.alu("cmp", BOOLEAN, [a, other], self.count, condition=condition)

    def bits(self, mnemonic: str, value: Elements, mask: int) -> Elements:
        """Returns the value with its bits combined with a mask."""
        unsigned = integer(self.type.bits, signed=False)
        return self.emit.alu(
            mnemonic, unsigned, [value.as_type(unsigned), UniformConstant(unsigned, mask)], self.count
        ).as_type(self.type)

    @property
    def sign(self) -> int:
        """The sign bit."""
        return 1 << self.type.bits - 1

    def magnitude(self, value: Elements) -> Elements:
        """Returns the value without its sign."""
        return self.bits("and", value, self.sign - 1)

    def with_sign(self, value: Elements, of: Elements) -> Elements:
        """Returns the magnitude of one value with the sign of another."""
        unsigned = integer(self.type.bits, signed=False)
        parts = [self.magnitude(value).as_type(unsigned), self.bits("and", of, self.sign).as_type(unsigned)]
        return self.emit.alu("or", unsigned, parts, self.count).as_type(self.type)


def chebyshev(
    f: FloatSequence, function: Callable[[float], float], x: Elements, low: float, high: float, terms: int = 16
) -> Elements:
    """Returns a function on an interval as a sum of Chebyshev polynomials, evaluated by Clenshaw's recurrence.

    The coefficients come from interpolation at the Chebyshev nodes, computed in f64 at compile time. `terms` has to be
    large enough for the error of the sum to be below rounding.
    """
    # Angles are counted in fractions of a turn: multiples of rounded ones would cost digits.
    cosines = [math.cos(math.pi * n / (2 * terms)) for n in range(4 * terms)]
    places = [2 * k + 1 for k in range(terms)]
    middle, half = (low + high) / 2, (high - low) / 2
    values = [function(middle + half * cosines[place]) for place in places]
    weights = [
        2 / terms * math.fsum(v * cosines[k * place % (4 * terms)] for v, place in zip(values, places, strict=True))
        for k in range(terms)
    ]
    twice = f("mul", f("add", x, -middle), 2 / half)
    last, current = f("mov", 0.0), f("mov", weights[-1])
    for weight in reversed(weights[1:-1]):
        last, current = current, f("add", f("mad", twice, current, weight), last, negate=(False, True))
    unscaled = f("mul", twice, 0.5)
    return f("mad", unscaled, current, f("add", last, weights[0] / 2, negate=(True, False)))
