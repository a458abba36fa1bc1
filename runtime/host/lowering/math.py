"""Mathematical functions: intrinsics of LLVM, or functions of the C library for each element."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import math
from xdsl.ir import Operation

from runtime.host.data.numbers import computed, held
from runtime.host.emission.emitter import FunctionEmitter, lowers
from runtime.host.lowering.arith_casts import resized
from runtime.llvm import IRFunction, Value, constant, count_of, element_of, mangled, splat
from xegpu.dialects.upstream.math import ErfcOp

_INTRINSICS: Mapping[type[Operation], str] = {
    math.AbsFOp: "fabs",
    math.CeilOp: "ceil",
    math.CosOp: "cos",
    math.ExpOp: "exp",
    math.Exp2Op: "exp2",
    math.FloorOp: "floor",
    math.FmaOp: "fma",
    math.LogOp: "log",
    math.Log10Op: "log10",
    math.Log2Op: "log2",
    math.PowFOp: "pow",
    math.RoundOp: "round",
    math.RoundEvenOp: "roundeven",
    math.SinOp: "sin",
    math.SqrtOp: "sqrt",
    math.TruncOp: "trunc",
}
_LIBRARY: Mapping[type[Operation], str] = {
    math.AcosOp: "acos",
    math.AcoshOp: "acosh",
    math.AsinOp: "asin",
    math.AsinhOp: "asinh",
    math.AtanOp: "atan",
    math.Atan2Op: "atan2",
    math.AtanhOp: "atanh",
    math.CbrtOp: "cbrt",
    math.CoshOp: "cosh",
    math.ErfOp: "erf",
    ErfcOp: "erfc",
    math.ExpM1Op: "expm1",
    math.Log1pOp: "log1p",
    math.SinhOp: "sinh",
    math.TanOp: "tan",
    math.TanhOp: "tanh",
}
_COUNTS: Mapping[type[Operation], str] = {
    math.CountLeadingZerosOp: "ctlz",
    math.CountTrailingZerosOp: "cttz",
    math.CtPopOp: "ctpop",
}


def _floats(emitter: FunctionEmitter, op: Operation) -> list[Value]:
    for result in op.results:
        emitter.types(op, result.type)
    return [computed(emitter.code, emitter.one(operand), operand.type) for operand in op.operands]


@lowers(*_INTRINSICS)
def intrinsic(emitter: FunctionEmitter, op: Operation) -> None:
    values = _floats(emitter, op)
    computed_type = values[0].type
    result = emitter.code.call(mangled(_INTRINSICS[type(op)], computed_type), computed_type, *values)
    emitter.give(op.results[0], held(emitter.code, result, op.results[0].type))


def _each(code: IRFunction, name: str, values: list[Value]) -> Value:
    """Returns a function of the C library, applied to every element."""
    type, element = values[0].type, element_of(values[0].type)
    symbol = name if element == "double" else f"{name}f"
    declared = code.module.intrinsic(symbol, element, [element] * len(values))
    if not type.startswith("<"):
        return code.call(declared, element, *values)
    result = Value(type, "poison")
    for lane in range(count_of(type)):
        one = code.call(declared, element, *(code.extract(value, lane) for value in values))
        result = code.value(type, f"insertelement {result}, {one}, i64 {lane}")
    return result


@lowers(*_LIBRARY)
def library(emitter: FunctionEmitter, op: Operation) -> None:
    result = _each(emitter.code, _LIBRARY[type(op)], _floats(emitter, op))
    emitter.give(op.results[0], held(emitter.code, result, op.results[0].type))


@lowers(math.AbsIOp)
def absolute(emitter: FunctionEmitter, op: Operation) -> None:
    """The absolute value of the least number is that number itself."""
    (value,) = (emitter.one(operand) for operand in op.operands)
    found = emitter.code.call(mangled("abs", value.type), value.type, value, constant("i1", "false"))
    emitter.give(op.results[0], found)


@lowers(*_COUNTS)
def count_bits(emitter: FunctionEmitter, op: Operation) -> None:
    """Counts all bits of zero as leading and as trailing zeros."""
    value, name = emitter.one(op.operands[0]), _COUNTS[type(op)]
    flags = [] if name == "ctpop" else [constant("i1", "false")]
    emitter.give(op.results[0], emitter.code.call(mangled(name, value.type), value.type, value, *flags))


@lowers(math.IPowIOp)
def integer_power(emitter: FunctionEmitter, op: Operation) -> None:
    """Exponentiation by squaring, modulo the range. Negative powers of 0 are an error."""
    code, base, exponent = emitter.code, emitter.one(op.operands[0]), emitter.one(op.operands[1])
    if base.type.startswith("<"):
        emitter.refuse(op, "of vectors is not supported in host code")
    zero, one = constant(base.type, 0), constant(base.type, 1)
    negative = code.compare("icmp slt", exponent, zero)
    undefined = code.binary("and", negative, code.compare("icmp eq", base, zero))
    emitter.fail_if(undefined, op, "raises 0 to the power {0}", resized(code, exponent, "i64", signed=True))
    with code.loop(one, base, code.select(negative, zero, exponent)) as power:
        result, square, left = power.values
        code.jump_if(code.compare("icmp eq", left, zero), power.after)
        odd = code.compare("icmp ne", code.binary("and", left, one), zero)
        product = code.select(odd, code.binary("mul", result, square), result)
        power.repeat(product, code.binary("mul", square, square), code.binary("lshr", left, one))
    minus = splat(1, base.type, -1)
    parity = code.compare("icmp ne", code.binary("and", exponent, one), zero)
    of_minus = code.select(parity, minus, one)
    inverse = code.select(code.compare("icmp eq", base, one), one, zero)
    inverse = code.select(code.compare("icmp eq", base, minus), of_minus, inverse)
    emitter.give(op.results[0], code.select(negative, inverse, result))
