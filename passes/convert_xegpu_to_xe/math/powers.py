"""Lowers cube roots, powers with integer exponents, and the complementary error function."""

from __future__ import annotations

import math

from xdsl.dialects.math import CbrtOp, FPowIOp, IPowIOp

from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.convert_xegpu_to_xe.math.elementwise import signed
from passes.convert_xegpu_to_xe.math.f64_powers import power as double_power
from passes.convert_xegpu_to_xe.math.functions import compute, erf, exp
from passes.convert_xegpu_to_xe.math.sequences import FloatSequence, chebyshev
from passes.kernel.register_types import BOOLEAN, element_type
from xegpu.dialects.upstream.math import ErfcOp
from xegpu.isa.model import Condition, DataType, integer

_ERFC_IS_ZERO = 10.06
"""erfc(10.06) is less than 2^-150, half of the smallest f32, and rounds to 0."""


@lowers(CbrtOp)
def cube_root(lowering: KernelLowering, op: CbrtOp) -> None:
    """The result is within 1 unit in the last place."""
    compute(lowering, op, _cbrt)


def _cbrt(f: FloatSequence, x: Elements) -> Elements:
    """A power with the exponent 1 / 3, corrected by one Newton step."""
    magnitude = f.magnitude(x)
    root = f("pow", magnitude, 1 / 3)
    wanted = f("div", magnitude, f("mul", root, root))
    root = f("mad", f("add", wanted, root, negate=(False, True)), 1 / 3, root)
    is_regular = f.emit.alu(
        "and",
        BOOLEAN,
        [f.compare(magnitude, Condition.GT, 0), f.compare(magnitude, Condition.LT, math.inf)],
        f.count,
    )
    return f.choose(is_regular, f.with_sign(root, x), x)


@lowers(ErfcOp)
def complementary_error(lowering: KernelLowering, op: ErfcOp) -> None:
    """Results that are not subnormal are within 10 units in the last place, those of f64 within 14."""
    compute(lowering, op, _erfc)


def _erfc(f: FloatSequence, x: Elements) -> Elements:
    """Up to 0.5, 1 - erf(x).

    Above, e^(-x^2) times a function of 1 / (x + 2) that is smooth enough for a Chebyshev expansion.

    The rounding error of x^2 is computed by a fused multiply-add and applied as a factor.
    """
    near = f("add", erf(f, x), 1, negate=(True, False))
    last = f.choose(f.compare(x, Condition.LT, _ERFC_IS_ZERO), x, _ERFC_IS_ZERO)
    square = f("mul", last, last)
    lost = f("mad", last, last, square, negate=(False, False, True))
    power = exp(f, f("mov", square, negate=(True,)))
    power = f("mad", power, lost, power, negate=(False, True, False))
    place = f("div", 1, f("add", last, 2))
    factor = chebyshev(f, _scaled_erfc, place, 1 / (_ERFC_IS_ZERO + 2), 1 / 2.5)
    far = f.choose(f.compare(x, Condition.LT, _ERFC_IS_ZERO), f("mul", power, factor), 0)
    result = f.choose(f.compare(x, Condition.LE, 0.5), near, far)
    return f.choose(f.compare(x, Condition.NE, x), x, result)


def _scaled_erfc(place: float) -> float:
    x = 1 / place - 2
    return math.erfc(x) * math.exp(x * x)


@lowers(FPowIOp)
def float_power(lowering: KernelLowering, op: FPowIOp) -> None:
    """The result is as exact as `math.powf` of the magnitude; exponents are rounded to f32 or f64.

    Odd powers keep the sign.
    """
    base, exponent = op.operands
    type = element_type(base.type)
    if type is None or element_type(exponent.type) in (None, BOOLEAN):
        lowering.refuse(op, f"of {base.type} and {exponent.type} is not supported")
    numbers, count = lowering.operands(op, op.operands)
    emit = lowering.emit
    if type is DataType.DF:
        doubles = [emit.unary("mov", type, signed(number), count) for number in numbers]
        lowering.values[op.results[0]] = double_power(FloatSequence(emit, count, type), *doubles)
        return
    x = emit.unary("mov", DataType.F, numbers[0], count)
    f = FloatSequence(emit, count)
    power = f("pow", f.magnitude(x), emit.unary("mov", DataType.F, signed(numbers[1]), count))
    odd = _is_odd(emit, numbers[1], count)
    result = f.choose(odd, f.with_sign(power, x), power)
    lowering.values[op.results[0]] = result if type is DataType.F else emit.unary("mov", type, result, count)


def _is_odd(emit: XeEmitter, number: Number, count: int) -> Elements:
    last = emit.alu("and", number.type, [number, UniformConstant(number.type, 1)], count)
    return emit.alu("cmp", BOOLEAN, [last, UniformConstant(number.type, 0)], count, condition=Condition.NE)


@lowers(IPowIOp)
def integer_power(lowering: KernelLowering, op: IPowIOp) -> None:
    """The power is taken modulo the width of the type.

    A negative exponent gives 1 over the power, rounded toward 0, and 0 for the base 0.
    """
    type, emit = element_type(op.results[0].type), lowering.emit
    if type is None or type is BOOLEAN:
        lowering.refuse(op, f"of {op.results[0].type} is not supported: it needs integers of 8 to 64 bits")
    (base, exponent), count = lowering.operands(op, op.operands)
    one, zero = UniformConstant(type, 1), UniformConstant(type, 0)
    square: Number = emit.unary("mov", type, base, count)
    result: Number = emit.unary("mov", type, one, count)
    for bit in range(type.bits - 1):
        mask = UniformConstant(type, 1 << bit)
        is_set = emit.alu("cmp", BOOLEAN, [emit.alu("and", type, [exponent, mask], count), zero], count, condition=_NE)
        result = emit.alu(
            "sel", type, [emit.alu("mul", type, [result, square], count), result], count, predicate=is_set
        )
        square = emit.alu("mul", type, [square, square], count)
    reads = integer(type.bits, signed=True)
    negative = emit.alu("cmp", BOOLEAN, [signed(exponent), UniformConstant(reads, 0)], count, condition=Condition.LT)
    # Of a number whose magnitude is 1, powers are 1 and itself in turn, whatever the sign of the exponent.
    low = emit.alu("add", type, [base, one], count)
    unit = emit.alu("cmp", BOOLEAN, [low, UniformConstant(type, 3)], count, condition=Condition.LT)
    nonzero = emit.alu("cmp", BOOLEAN, [base, zero], count, condition=_NE)
    unit = emit.alu("and", BOOLEAN, [unit, nonzero], count)
    alternating = emit.alu("sel", type, [base, one], count, predicate=_is_odd(emit, exponent, count))
    inverse = emit.alu("sel", type, [alternating, zero], count, predicate=unit)
    lowering.values[op.results[0]] = emit.alu("sel", type, [inverse, result], count, predicate=negative)


_NE = Condition.NE
