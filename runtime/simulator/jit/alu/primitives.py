"""The primitives of the instruction table's formulas as LLVM instructions, each once.

Arguments are carried values of the instruction's computation type. Integer arithmetic wraps; float results are rounded
to nearest even, or carry enough bits that one more rounding to the computation type gives that.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from runtime.llvm import IRFunction, Value, carrier, count_of, float_splat, lanes, mangled, single_to_odd, splat
from runtime.simulator.jit.alu.bits import BITS
from runtime.simulator.jit.alu.elementary import elementary
from runtime.simulator.machine.elementary import FUNCTIONS
from xegpu.isa import Condition, DataType
from xegpu.isa.model import float_bits, float_value

Primitive = Callable[..., Value]
"""Emits a primitive from the function, the computation type and the arguments."""


def _instruction(integer_op: str, float_op: str = "") -> Primitive:
    """Returns the emitter of a primitive that is one LLVM instruction."""

    def emit(code: IRFunction, type: DataType, a: Value, b: Value) -> Value:
        return code.binary(float_op if type.is_float else integer_op, a, b)

    return emit


def _shift(op: str) -> Primitive:
    def emit(code: IRFunction, type: DataType, a: Value, b: Value) -> Value:
        return code.binary(op, a, code.binary("and", b, _constant(a, type, type.bits - 1)))

    return emit


def _rounding(intrinsic: str) -> Primitive:
    def emit(code: IRFunction, type: DataType, a: Value) -> Value:
        return code.call(mangled(intrinsic, a.type), a.type, a)

    return emit


def _constant(like: Value, type: DataType, literal: object) -> Value:
    return splat(count_of(like.type), f"i{type.bits}", literal)


def _complement(code: IRFunction, type: DataType, a: Value) -> Value:
    return code.binary("xor", a, _constant(a, type, -1))


def _multiply_add(code: IRFunction, type: DataType, a: Value, b: Value, c: Value) -> Value:
    if not type.is_float:
        return code.binary("add", code.binary("mul", a, b), c)
    if type is not DataType.HF:
        return code.call(mangled("fma", a.type), a.type, a, b, c)
    # The product is exact in f64, and so is the sum wherever more bits could change the result in hf.
    a, b, c = (code.cast("fpext", x, lanes(count_of(x.type), "double")) for x in (a, b, c))
    return single_to_odd(code, code.binary("fadd", code.binary("fmul", a, b), c))


def _rotation(intrinsic: str) -> Primitive:
    def emit(code: IRFunction, type: DataType, a: Value, b: Value) -> Value:
        return code.call(mangled(intrinsic, a.type), a.type, a, a, b)

    return emit


def _average(code: IRFunction, type: DataType, a: Value, b: Value) -> Value:
    shift = "ashr" if type.is_signed else "lshr"
    half = code.binary(shift, code.binary("xor", a, b), _constant(a, type, 1))
    return code.binary("sub", code.binary("or", a, b), half)


def _carry(code: IRFunction, type: DataType, a: Value, b: Value) -> Value:
    return code.cast("zext", code.compare("icmp ult", code.binary("add", a, b), a), a.type)


def _borrow(code: IRFunction, type: DataType, a: Value, b: Value) -> Value:
    return code.cast("zext", code.compare("icmp ult", a, b), a.type)


def _square_root(code: IRFunction, type: DataType, a: Value) -> Value:
    return code.call(mangled("sqrt", a.type), a.type, a)


def _fraction(code: IRFunction, type: DataType, a: Value) -> Value:
    count, kind = count_of(a.type), carrier(type)
    infinite = code.compare("fcmp oeq", _magnitude(code, a), float_splat(count, kind, math.inf))
    rest = code.binary("fsub", a, code.call(mangled("floor", a.type), a.type, a))
    largest = float_splat(count, kind, float_value(float_bits(1.0, type) - 1, type))
    rest = code.select(code.compare("fcmp ogt", rest, largest), largest, rest)
    return code.select(infinite, float_splat(count, kind, 0.0), rest)


def _magnitude(code: IRFunction, a: Value) -> Value:
    return code.call(mangled("fabs", a.type), a.type, a)


def _elementary(name: str) -> Primitive:
    def emit(code: IRFunction, type: DataType, *arguments: Value) -> Value:
        double = lanes(count_of(arguments[0].type), "double")
        result = elementary(code, name, [code.cast("fpext", argument, double) for argument in arguments])
        if type is DataType.HF:
            return single_to_odd(code, result)
        return code.cast("fptrunc", result, arguments[0].type)

    return emit


def _multiply_high(code: IRFunction, type: DataType, a: Value, b: Value) -> Value:
    wide, extend = lanes(count_of(a.type), f"i{2 * type.bits}"), "sext" if type.is_signed else "zext"
    product = code.binary("mul", code.cast(extend, a, wide), code.cast(extend, b, wide))
    high = code.binary("lshr", product, splat(count_of(a.type), f"i{2 * type.bits}", type.bits))
    return code.cast("trunc", high, a.type)


def _divide(code: IRFunction, type: DataType, a: Value, b: Value) -> Value:
    if type.is_float:
        return code.binary("fdiv", a, b)
    zero = code.compare("icmp eq", b, _constant(b, type, 0))
    quotient = code.binary("sdiv" if type.is_signed else "udiv", a, _safe_divisor(code, type, a, b))
    return code.select(zero, _constant(a, type, -1), quotient)


def _remainder(code: IRFunction, type: DataType, a: Value, b: Value) -> Value:
    zero = code.compare("icmp eq", b, _constant(b, type, 0))
    remainder = code.binary("srem" if type.is_signed else "urem", a, _safe_divisor(code, type, a, b))
    return code.select(zero, a, remainder)


def _safe_divisor(code: IRFunction, type: DataType, a: Value, b: Value) -> Value:
    """Replaces divisors for which LLVM's division is undefined by 1; the quotient minimum / -1 is then the dividend."""
    unsafe = code.compare("icmp eq", b, _constant(b, type, 0))
    if type.is_signed:
        least = code.compare("icmp eq", a, _constant(a, type, -(1 << type.bits - 1)))
        minus_one = code.compare("icmp eq", b, _constant(b, type, -1))
        unsafe = code.binary("or", unsafe, code.binary("and", least, minus_one))
    return code.select(unsafe, _constant(b, type, 1), b)


def _select(code: IRFunction, type: DataType, predicate: Value, a: Value, b: Value) -> Value:
    return code.select(predicate, a, b)


def _extremum(condition: Condition) -> Primitive:
    """Selects the first argument where the comparison holds or the second argument is NaN, else the second."""
    name = "min" if condition is Condition.LT else "max"

    def emit(code: IRFunction, type: DataType, a: Value, b: Value) -> Value:
        if not type.is_float:
            return code.call(mangled(f"{'s' if type.is_signed else 'u'}{name}", a.type), a.type, a, b)
        first = code.binary("or", compare(code, type, condition, a, b), code.compare("fcmp uno", b, b))
        return code.select(first, a, b)

    return emit


def compare(code: IRFunction, type: DataType, condition: Condition, a: Value, b: Value) -> Value:
    """Returns whether a condition holds between values of `type`; a NaN only satisfies `ne` and `un`."""
    if condition is Condition.UN:
        return code.compare("fcmp uno", a, b)
    if type.is_float:
        return code.compare(f"fcmp {'une' if condition is Condition.NE else 'o' + condition.text}", a, b)
    if condition in (Condition.EQ, Condition.NE):
        return code.compare(f"icmp {condition.text}", a, b)
    return code.compare(f"icmp {'s' if type.is_signed else 'u'}{condition.text}", a, b)


PRIMITIVES: dict[str, Primitive] = {
    "add": _instruction("add", "fadd"),
    "sub": _instruction("sub", "fsub"),
    "mul": _instruction("mul", "fmul"),
    "mad": _multiply_add,
    "and": _instruction("and"),
    "or": _instruction("or"),
    "xor": _instruction("xor"),
    "not": _complement,
    "shl": _shift("shl"),
    "lshr": _shift("lshr"),
    "ashr": _shift("ashr"),
    "rol": _rotation("fshl"),
    "ror": _rotation("fshr"),
    "avg": _average,
    "carry": _carry,
    "borrow": _borrow,
    "mulh": _multiply_high,
    "div": _divide,
    "rem": _remainder,
    "floor": _rounding("floor"),
    "ceil": _rounding("ceil"),
    "trunc": _rounding("trunc"),
    "roundeven": _rounding("roundeven"),
    "min": _extremum(Condition.LT),
    "max": _extremum(Condition.GE),
    "select": _select,
    "sqrt": _square_root,
    "frc": _fraction,
    **{name: _elementary(name) for name in FUNCTIONS},
    **BITS,
}
"""All primitives except comparisons, which need the instruction's condition."""
