"""Mathematical functions: intrinsics of LLVM, or functions of the C library for each element."""

from __future__ import annotations

from xdsl.ir import Operation

from runtime.host.emitter import FunctionEmitter, lowers
from runtime.host.lowering.arith_casts import resized
from runtime.host.numbers import computed, held
from runtime.llvm import IRFunction, Value, constant, count_of, element_of, mangled, splat

_INTRINSICS = {
    "math.absf": "fabs",
    "math.ceil": "ceil",
    "math.cos": "cos",
    "math.exp": "exp",
    "math.exp2": "exp2",
    "math.floor": "floor",
    "math.fma": "fma",
    "math.log": "log",
    "math.log10": "log10",
    "math.log2": "log2",
    "math.powf": "pow",
    "math.round": "round",
    "math.roundeven": "roundeven",
    "math.sin": "sin",
    "math.sqrt": "sqrt",
    "math.trunc": "trunc",
}
_LIBRARY = {
    f"math.{name}": name
    for name in (
        *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cosh"),
        *("erf", "erfc", "expm1", "log1p", "sinh", "tan", "tanh"),
    )
}
_COUNTS = {"math.ctlz": "ctlz", "math.cttz": "cttz", "math.ctpop": "ctpop"}


def _floats(emitter: FunctionEmitter, op: Operation) -> list[Value]:
    for result in op.results:
        emitter.types(op, result.type)
    return [computed(emitter.code, emitter.one(operand), operand.type) for operand in op.operands]


@lowers(*_INTRINSICS)
def intrinsic(emitter: FunctionEmitter, op: Operation) -> None:
    values = _floats(emitter, op)
    type = values[0].type
    result = emitter.code.call(mangled(_INTRINSICS[op.name], type), type, *values)
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
    result = _each(emitter.code, _LIBRARY[op.name], _floats(emitter, op))
    emitter.give(op.results[0], held(emitter.code, result, op.results[0].type))


@lowers("math.absi")
def absolute(emitter: FunctionEmitter, op: Operation) -> None:
    """The absolute value of the least number is that number itself."""
    (value,) = (emitter.one(operand) for operand in op.operands)
    found = emitter.code.call(mangled("abs", value.type), value.type, value, constant("i1", "false"))
    emitter.give(op.results[0], found)


@lowers(*_COUNTS)
def count_bits(emitter: FunctionEmitter, op: Operation) -> None:
    """Counts all bits of zero as leading and as trailing zeros."""
    value, name = emitter.one(op.operands[0]), _COUNTS[op.name]
    flags = [] if name == "ctpop" else [constant("i1", "false")]
    emitter.give(op.results[0], emitter.code.call(mangled(name, value.type), value.type, value, *flags))


@lowers("math.ipowi")
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
