"""Lowers `math` operations that are one instruction or a short sequence.

In f32, functions that are instructions are as exact as those (`docs/isa.md`); `exp`, `log`, `log10` and `tan` are
within 2 units in the last place, `erf`, `expm1`, `log1p` and `tanh` within 5. Those of f16 and bf16 are computed in f32
and rounded; those of f64 are in `f64_functions` and `f64_powers`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from xdsl.dialects.math import (
    AbsIOp,
    CosOp,
    CountLeadingZerosOp,
    CountTrailingZerosOp,
    CtPopOp,
    ErfOp,
    Exp2Op,
    ExpM1Op,
    ExpOp,
    Log1pOp,
    Log2Op,
    Log10Op,
    LogOp,
    PowFOp,
    RsqrtOp,
    SinOp,
    SqrtOp,
    TanhOp,
    TanOp,
)
from xdsl.ir import Operation, SSAValue

from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, UniformConstant
from passes.convert_xegpu_to_xe.math.f64_powers import DOUBLE_FUNCTIONS
from passes.convert_xegpu_to_xe.math.sequences import FloatSequence, chebyshev
from passes.kernel.register_types import BOOLEAN, element_type
from xegpu.dialects.upstream.math import ClampFOp
from xegpu.isa.model import Condition, DataType, Immediate, integer

_F = DataType.F
_DWORD = DataType.UD
_ERF_IS_ONE = 3.95
"""The error function rounds to 1 from here on: erfc(3.95) is less than 2^-25, half a unit in the last place of an f32
below 1.
"""


def _split(value: float) -> tuple[float, float]:
    """Returns a number as an f32 and the rest that the f32 leaves out."""
    high = float(Immediate.of(value, _F).value())
    return high, value - high


def exp(f: FloatSequence, x: Elements) -> Elements:
    """e^x as 2^(x log2 e).

    The rounding error of the exponent is computed by fused multiply-adds and applied as a factor. Where the power is
    infinite or the exponent is, the sum is NaN or the power itself.
    """
    high, low = _split(1 / math.log(2))
    exponent = f("mul", x, high)
    lost = f("mad", x, low, f("mad", x, high, exponent, negate=(False, False, True)))
    power = f("math.exp", exponent)
    corrected = f("mad", f("mul", power, lost), math.log(2), power)
    return f.choose(f.compare(corrected, Condition.EQ, corrected), corrected, power)


def expm1(f: FloatSequence, x: Elements) -> Elements:
    """e^x - 1 as (e^x - 1) x / log(e^x): the rounding errors of both factors cancel (Kahan)."""
    power = exp(f, x)
    less = f("add", power, -1)
    result = f("div", f("mul", less, x), log(f, power))
    result = f.choose(f.compare(power, Condition.EQ, 1), x, result)
    # Far from zero the difference is exact enough, and the product could overflow.
    return f.choose(f.compare(f.magnitude(x), Condition.GT, 1), less, result)


def log(f: FloatSequence, x: Elements) -> Elements:
    return f("mul", f("math.log", x), math.log(2))


def _log10(f: FloatSequence, x: Elements) -> Elements:
    return f("mul", f("math.log", x), math.log10(2))


def log1p(f: FloatSequence, x: Elements) -> Elements:
    """log(1 + x) as log(u) x / (u - 1) with u = 1 + x: the quotient corrects the rounding of u (Kahan)."""
    sum = f("add", x, 1)
    logarithm = log(f, sum)
    result = f("div", f("mul", logarithm, x), f("add", sum, -1))
    result = f.choose(f.compare(f.magnitude(x), Condition.GT, 1), logarithm, result)
    return f.choose(f.compare(sum, Condition.EQ, 1), x, result)


def _tanh(f: FloatSequence, x: Elements) -> Elements:
    """With t = e^(-2|x|) - 1, tanh |x| is -t / (t + 2), which keeps its digits near zero."""
    t = expm1(f, f("mul", f.magnitude(x), -2))
    return f.with_sign(f("div", t, f("add", t, 2)), x)


def _tan(f: FloatSequence, x: Elements) -> Elements:
    return f("div", f("math.sin", x), f("math.cos", x))


def erf(f: FloatSequence, x: Elements) -> Elements:
    """Below 1, x times a function of x^2, and above a function of |x|, both as Chebyshev expansions."""
    magnitude = f.magnitude(x)
    near = f("mul", x, chebyshev(f, lambda z: math.erf(math.sqrt(z)) / math.sqrt(z), f("mul", x, x), 0, 1))
    far = chebyshev(f, math.erf, magnitude, 1, _ERF_IS_ONE)
    far = f.choose(f.compare(magnitude, Condition.LT, _ERF_IS_ONE), far, 1)
    result = f.with_sign(f.choose(f.compare(magnitude, Condition.LT, 1), near, far), x)
    return f.choose(f.compare(x, Condition.NE, x), x, result)


def _one(mnemonic: str) -> Callable[[FloatSequence, Elements], Elements]:
    return lambda f, x: f(mnemonic, x)


_FUNCTIONS: Mapping[type[Operation], Callable[[FloatSequence, Elements], Elements]] = {
    CosOp: _one("math.cos"),
    ErfOp: erf,
    ExpOp: exp,
    Exp2Op: _one("math.exp"),
    ExpM1Op: expm1,
    LogOp: log,
    Log10Op: _log10,
    Log1pOp: log1p,
    Log2Op: _one("math.log"),
    RsqrtOp: _one("math.rsqt"),
    SinOp: _one("math.sin"),
    SqrtOp: _one("sqrtm"),
    TanOp: _tan,
    TanhOp: _tanh,
}
"""Functions of one number, computed in f32."""


def _type(lowering: KernelLowering, op: Operation, value: SSAValue) -> DataType:
    type = element_type(value.type)
    if type is None:
        lowering.refuse(op, f"of {value.type} is not supported: registers do not hold it")
    return type


def _argument(lowering: KernelLowering, op: Operation, type: DataType) -> tuple[Elements, int]:
    """Returns the operand in registers, converted to a type, and its number of elements."""
    (value,), count = lowering.operands(op, op.operands[:1])
    if isinstance(value, UniformConstant) or value.type is not type:
        value = lowering.emit.unary("mov", type, value, count)
    return value, count


def _rounded(lowering: KernelLowering, value: Elements, type: DataType) -> Elements:
    return value if value.type is type else lowering.emit.unary("mov", type, value, value.count)


@lowers(*_FUNCTIONS)
def function(lowering: KernelLowering, op: Operation) -> None:
    compute(lowering, op, _FUNCTIONS[type(op)])


def compute(lowering: KernelLowering, op: Operation, function: Callable[..., Elements]) -> None:
    """Binds the result of an operation to a function of its operands, computed in f32.

    f64 has functions of its own, which are computed in f64.
    """
    element = _type(lowering, op, op.results[0])
    computed = DataType.DF if element is DataType.DF else _F
    chosen = DOUBLE_FUNCTIONS.get(type(op)) if element is DataType.DF else function
    if chosen is None:
        lowering.refuse(op, "of f64 is not supported")
    numbers, count = lowering.operands(op, op.operands)
    operands = [
        lowering.emit.unary("mov", computed, n, count)
        if isinstance(n, UniformConstant) or n.type is not computed
        else n
        for n in numbers
    ]
    result = chosen(FloatSequence(lowering.emit, count, computed), *operands)
    lowering.values[op.results[0]] = _rounded(lowering, result, element)


@lowers(PowFOp)
def power(lowering: KernelLowering, op: PowFOp) -> None:
    compute(lowering, op, lambda f, base, exponent: f("pow", base, exponent))


@lowers(ClampFOp)
def clamp(lowering: KernelLowering, op: ClampFOp) -> None:
    type, emit = _type(lowering, op, op.results[0]), lowering.emit
    (value, low, high), count = lowering.operands(op, op.operands)
    raised = emit.alu("sel", type, [value, low], count, condition=Condition.GE)
    lowering.values[op.results[0]] = emit.alu("sel", type, [raised, high], count, condition=Condition.LT)


# Integers ------------------------------------------------------------------------------------------------------------


@lowers(AbsIOp)
def absolute(lowering: KernelLowering, op: AbsIOp) -> None:
    type = _type(lowering, op, op.results[0])
    if type is BOOLEAN:
        lowering.refuse(op, "of i1 is not supported")
    x, count = _argument(lowering, op, type)
    signed = x.as_type(integer(type.bits, signed=True))
    result = lowering.emit.alu(
        "sel", signed.type, [signed, signed], count, negate=(False, True), condition=Condition.GE
    )
    lowering.values[op.results[0]] = result.as_type(type)


@lowers(CountLeadingZerosOp, CountTrailingZerosOp, CtPopOp)
def count_bits(lowering: KernelLowering, op: CountLeadingZerosOp | CountTrailingZerosOp | CtPopOp) -> None:
    """Counts bits of dwords; a qword is counted as two of them."""
    type, emit = _type(lowering, op, op.results[0]), lowering.emit
    if type is BOOLEAN:
        lowering.refuse(op, "of i1 is not supported")
    x, count = _argument(lowering, op, type)
    low = emit.unary("mov", _DWORD, x, count)
    if type.bits != 64:
        lowering.values[op.results[0]] = emit.unary("mov", type, _counted(emit, op, low, type.bits, count), count)
        return
    high = emit.unary("mov", _DWORD, emit.alu("shr", type, [x, UniformConstant(type, 32)], count), count)
    first, second = (_counted(emit, op, part, 32, count) for part in (low, high))
    total = emit.alu("add", _DWORD, [first, second], count)
    if not isinstance(op, CtPopOp):
        near, far = (second, high) if isinstance(op, CountLeadingZerosOp) else (first, low)
        empty = emit.alu("cmp", BOOLEAN, [far, UniformConstant(_DWORD, 0)], count, condition=Condition.EQ)
        total = emit.alu("sel", _DWORD, [total, near], count, predicate=empty)
    lowering.values[op.results[0]] = emit.unary("mov", type, total, count)


def _counted(emit: XeEmitter, op: Operation, dword: Elements, bits: int, count: int) -> Elements:
    """Returns the count of the low `bits` bits of a dword."""
    if isinstance(op, CtPopOp):
        return emit.alu("cbit", _DWORD, [dword], count)
    if isinstance(op, CountLeadingZerosOp):
        zeros = emit.alu("lzd", _DWORD, [dword], count)
        return zeros if bits == 32 else emit.alu("add", _DWORD, [zeros, UniformConstant(_DWORD, bits - 32)], count)
    lowest = emit.alu("fbl", _DWORD, [dword], count)
    # Of zero it is all ones, more than any count.
    return emit.alu("sel", _DWORD, [lowest, UniformConstant(_DWORD, bits)], count, condition=Condition.LT)
