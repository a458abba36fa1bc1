"""Arithmetic on integers and floating-point numbers, scalars and vectors; `index` is computed as i64.

Results that MLIR leaves undefined are errors where that is cheap to detect (a division by zero), else a definite
number: oversized shifts give 0 or the sign.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.arith import (
    AddfOp,
    AddiOp,
    AndIOp,
    ConstantOp,
    DivfOp,
    FastMathFlagsAttr,
    MaximumfOp,
    MaxnumfOp,
    MaxSIOp,
    MaxUIOp,
    MinimumfOp,
    MinnumfOp,
    MinSIOp,
    MinUIOp,
    MulfOp,
    MuliOp,
    MulSIExtendedOp,
    MulUIExtendedOp,
    NegfOp,
    OrIOp,
    RemSIOp,
    RemUIOp,
    ShLIOp,
    SubfOp,
    SubiOp,
    XOrIOp,
)
from xdsl.dialects.ub import PoisonOp
from xdsl.ir import Operation

from runtime.host.data.numbers import attribute_numbers, computed, constant_of, held, width
from runtime.host.data.types import element_type, float_type
from runtime.host.emission.emitter import FunctionEmitter, lowers
from runtime.llvm import Value, count_of, lanes, mangled, splat, zero
from xegpu.dialects.upstream.arith import CmpfOp, CmpiOp, DivSIOp, DivUIOp, RemfOp, SelectOp, ShRSIOp, ShRUIOp
from xegpu.isa import DataType

_INTEGER: Mapping[type[Operation], str] = {
    AddiOp: "add",
    AndIOp: "and",
    MuliOp: "mul",
    OrIOp: "or",
    SubiOp: "sub",
    XOrIOp: "xor",
}
_CHOSEN: Mapping[type[Operation], str] = {MaxSIOp: "smax", MaxUIOp: "umax", MinSIOp: "smin", MinUIOp: "umin"}
_FLOAT: Mapping[type[Operation], str] = {
    AddfOp: "fadd",
    DivfOp: "fdiv",
    MulfOp: "fmul",
    RemfOp: "frem",
    SubfOp: "fsub",
}
_FLOAT_CHOSEN: Mapping[type[Operation], str] = {
    MaximumfOp: "maximum",
    MaxnumfOp: "maxnum",
    MinimumfOp: "minimum",
    MinnumfOp: "minnum",
}
_SHIFTS: Mapping[type[Operation], str] = {ShLIOp: "shl", ShRSIOp: "ashr", ShRUIOp: "lshr"}
_WIDEST_DIVISION = 64
"""Bits of the widest division: a wider one would need a library."""

_DIVISIONS: Mapping[type[Operation], str] = {DivSIOp: "sdiv", DivUIOp: "udiv", RemSIOp: "srem", RemUIOp: "urem"}


@lowers(ConstantOp)
def constant(emitter: FunctionEmitter, op: ConstantOp) -> None:
    attribute = op.value
    numbers = attribute_numbers(attribute)
    if numbers is None:
        emitter.refuse(op, f"has a value that host code does not support: {attribute}")
    emitter.types(op, op.results[0].type)
    emitter.give(op.results[0], constant_of(op.results[0].type, numbers))


def _numbers(emitter: FunctionEmitter, op: Operation) -> list[Value]:
    """Returns the operands, each of which has one part, after checking that the result's type is supported."""
    emitter.types(op, op.results[0].type)
    return [emitter.one(operand) for operand in op.operands]


@lowers(PoisonOp)
def poison(emitter: FunctionEmitter, op: PoisonOp) -> None:
    """Any value is correct, and zero is the same in each run."""
    emitter.give(op.result, *map(zero, emitter.types(op, op.result.type)))


@lowers(*_INTEGER)
def integer(emitter: FunctionEmitter, op: Operation) -> None:
    a, b = _numbers(emitter, op)
    emitter.give(op.results[0], emitter.code.binary(_INTEGER[type(op)], a, b))


@lowers(*_CHOSEN)
def smaller_or_larger(emitter: FunctionEmitter, op: Operation) -> None:
    a, b = _numbers(emitter, op)
    emitter.give(op.results[0], emitter.code.call(mangled(_CHOSEN[type(op)], a.type), a.type, a, b))


@lowers(*_SHIFTS)
def shift(emitter: FunctionEmitter, op: Operation) -> None:
    code, (a, amount), operation = emitter.code, _numbers(emitter, op), _SHIFTS[type(op)]
    bits = width(op.results[0].type)
    if bits == 1:  # by nothing, or everything out but the sign
        kept = a if operation == "ashr" else splat(count_of(a.type), "i1", "false")
        emitter.give(op.results[0], code.select(amount, kept, a))
        return
    most = splat(count_of(a.type), f"i{bits}", bits - 1)
    limited = code.call(mangled("umin", a.type), a.type, amount, most)
    shifted = code.binary(operation, a, limited)
    if operation != "ashr":
        beyond = code.compare("icmp ugt", amount, most)
        shifted = code.select(beyond, splat(count_of(a.type), f"i{bits}", 0), shifted)
    emitter.give(op.results[0], shifted)


@lowers(*_DIVISIONS)
def division(emitter: FunctionEmitter, op: Operation) -> None:
    code, (a, b), operation = emitter.code, _numbers(emitter, op), _DIVISIONS[type(op)]
    count, bits = count_of(a.type), width(op.results[0].type)
    if bits > _WIDEST_DIVISION:
        emitter.refuse(op, f"of integers of more than {_WIDEST_DIVISION} bits is not supported in host code")
    none = code.compare("icmp eq", b, splat(count, f"i{bits}", 0))
    emitter.fail_if(code.any(none), op, "divides by zero")
    if operation[0] == "s":
        least = code.compare("icmp eq", a, splat(count, f"i{bits}", -(1 << bits - 1)))
        negative = code.compare("icmp eq", b, splat(count, f"i{bits}", -1))
        emitter.fail_if(code.any(code.binary("and", least, negative)), op, "overflows: the least number by -1")
    emitter.give(op.results[0], code.binary(operation, a, b))


@lowers(MulUIExtendedOp, MulSIExtendedOp)
def whole_product(emitter: FunctionEmitter, op: Operation) -> None:
    code, (a, b) = emitter.code, _numbers(emitter, op)
    bits, count = width(op.results[0].type), count_of(a.type)
    extension, wide = "sext" if isinstance(op, MulSIExtendedOp) else "zext", lanes(count, f"i{2 * bits}")
    product = code.binary("mul", code.cast(extension, a, wide), code.cast(extension, b, wide))
    high = code.binary("lshr", product, splat(count, f"i{2 * bits}", bits))
    emitter.give(op.results[0], code.cast("trunc", product, a.type))
    emitter.give(op.results[1], code.cast("trunc", high, a.type))


@lowers(CmpiOp)
def compare_integers(emitter: FunctionEmitter, op: CmpiOp) -> None:
    a, b = _numbers(emitter, op)
    emitter.give(op.results[0], emitter.code.compare(f"icmp {op.predicate_name}", a, b))


@lowers(CmpfOp)
def compare_floats(emitter: FunctionEmitter, op: CmpfOp) -> None:
    a, b = (computed(emitter.code, emitter.one(value), value.type) for value in op.operands)
    emitter.give(op.results[0], emitter.code.compare(f"fcmp {op.predicate_name}", a, b))


@lowers(SelectOp)
def select(emitter: FunctionEmitter, op: Operation) -> None:
    condition, then, otherwise = op.operands
    chooser = emitter.one(condition)
    chosen = zip(emitter.parts(then), emitter.parts(otherwise), strict=True)
    emitter.give(op.results[0], *(emitter.code.select(chooser, a, b) for a, b in chosen))


def fast_math(op: Operation) -> str:
    """Returns the fast-math flags of an operation, as LLVM writes them between operation and operands."""
    flags = op.properties.get("fastmath")
    return "".join(f" {flag.value}" for flag in flags.data) if isinstance(flags, FastMathFlagsAttr) else ""


def _floats(emitter: FunctionEmitter, op: Operation) -> list[Value]:
    emitter.types(op, op.results[0].type)
    return [computed(emitter.code, emitter.one(operand), operand.type) for operand in op.operands]


@lowers(*_FLOAT)
def floating(emitter: FunctionEmitter, op: Operation) -> None:
    a, b = _floats(emitter, op)
    value = emitter.code.binary(_FLOAT[type(op)] + fast_math(op), a, b)
    emitter.give(op.results[0], held(emitter.code, value, op.results[0].type))


@lowers(*_FLOAT_CHOSEN)
def smaller_or_larger_float(emitter: FunctionEmitter, op: Operation) -> None:
    a, b = _floats(emitter, op)
    value = emitter.code.call(mangled(_FLOAT_CHOSEN[type(op)], a.type), a.type, a, b)
    emitter.give(op.results[0], held(emitter.code, value, op.results[0].type))


@lowers(NegfOp)
def negate(emitter: FunctionEmitter, op: Operation) -> None:
    code, (a,) = emitter.code, _numbers(emitter, op)
    if float_type(element_type(op.results[0].type)) in (DataType.HF, DataType.BF):
        emitter.give(op.results[0], code.binary("xor", a, splat(count_of(a.type), "i16", -0x8000)))
    else:
        emitter.give(op.results[0], code.unary("fneg", a))
