"""Lowers remainders of floats, which are exact for any magnitudes of the operands."""

from __future__ import annotations

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements
from passes.convert_xegpu_to_xe.math.sequences import FloatSequence
from passes.kernel.register_types import element_type
from xegpu.dialects.upstream.arith import RemfOp
from xegpu.isa.model import Condition, DataType

_STEPS: dict[DataType, tuple[DataType, int, int]] = {
    DataType.HF: (DataType.F, 22, 2),
    DataType.BF: (DataType.F, 22, 13),
    DataType.F: (DataType.F, 22, 13),
    DataType.DF: (DataType.DF, 51, 42),
}
"""By type: the type to compute in, the bits of the quotient that a step finds (two fewer than a significand has), and
the number of steps that find all bits.
"""
_LARGEST_FACTOR = 100
"""Binary logarithm of the largest factor of one multiplication: 2 to a larger power may not be finite."""


@lowers(RemfOp)
def remainder(lowering: KernelLowering, op: RemfOp) -> None:
    """The remainder of the quotient rounded toward zero, with the sign of the dividend.

    Each step subtracts an exact product.
    """
    type, emit = element_type(op.results[0].type), lowering.emit
    if type is None:
        lowering.refuse(op, f"has a result of type {op.results[0].type}, which registers do not hold")
    computed, bits, steps = _STEPS[type]
    numbers, count = lowering.operands(op, op.operands)
    x, y = (
        n if isinstance(n, Elements) and n.type is computed else emit.unary("mov", computed, n, count) for n in numbers
    )
    f = FloatSequence(emit, count, computed)
    rest, divisor = f.magnitude(x), f.magnitude(y)
    for step in reversed(range(steps)):
        rest = _reduced(f, rest, _scaled(f, divisor, bits * step))
    result = f.with_sign(f.choose(f.compare(y, Condition.NE, y), y, rest), x)
    lowering.values[op.results[0]] = result if type is computed else emit.unary("mov", type, result, count)


def _scaled(f: FloatSequence, value: Elements, exponent: int) -> Elements:
    """Returns a value times a power of two, exact unless it overflows."""
    while exponent:
        part = min(exponent, _LARGEST_FACTOR)
        value = f("mul", value, 2.0**part)
        exponent -= part
    return value


def _reduced(f: FloatSequence, rest: Elements, divisor: Elements) -> Elements:
    """Returns the remainder of a number that is less than 2^bits divisors.

    A quotient that was rounded up is one too large: its remainder is negative and gets the divisor back.
    """
    quotient = f("rndz", f("div", rest, divisor))
    less = f("mad", quotient, divisor, rest, negate=(True, False, False))
    less = f.choose(f.compare(less, Condition.LT, 0), f("add", less, divisor), less)
    return f.choose(f.compare(rest, Condition.GE, divisor), less, rest)
