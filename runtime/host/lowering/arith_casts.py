"""Conversions between number types. Floats become integers by rounding toward zero, clamped to the integer's range."""

from __future__ import annotations

from xdsl.dialects.arith import BitcastOp
from xdsl.ir import Attribute, Operation

from runtime.host.data.numbers import computed, held, width
from runtime.host.data.types import element_type, float_type
from runtime.host.emission.emitter import FunctionEmitter, lowers
from runtime.llvm import IRFunction, Value, conversions, count_of, lanes, mangled, splat
from xegpu.dialects.upstream.arith import (
    ExtFOp,
    ExtSIOp,
    ExtUIOp,
    FPToSIOp,
    FPToUIOp,
    IndexCastOp,
    IndexCastUIOp,
    SIToFPOp,
    TruncFOp,
    TruncIOp,
    UIToFPOp,
)
from xegpu.isa import DataType


def resized(code: IRFunction, value: Value, type: str, *, signed: bool) -> Value:
    """Returns an integer with more or fewer bits."""
    if value.type == type:
        return value
    have, want = (int(text.rsplit("i", 1)[1].rstrip(">")) for text in (value.type, type))
    return code.cast("trunc" if have > want else "sext" if signed else "zext", value, type)


@lowers(ExtSIOp, ExtUIOp, TruncIOp, IndexCastOp, IndexCastUIOp)
def resize(emitter: FunctionEmitter, op: Operation) -> None:
    (type,) = emitter.types(op, op.results[0].type)
    signed = isinstance(op, ExtSIOp | IndexCastOp)
    emitter.give(op.results[0], resized(emitter.code, emitter.one(op.operands[0]), type, signed=signed))


@lowers(ExtFOp)
def extend_float(emitter: FunctionEmitter, op: Operation) -> None:
    emitter.types(op, op.results[0].type)
    value = computed(emitter.code, emitter.one(op.operands[0]), op.operands[0].type)
    emitter.give(op.results[0], held(emitter.code, value, op.results[0].type))


@lowers(TruncFOp)
def truncate_float(emitter: FunctionEmitter, op: TruncFOp) -> None:
    """Rounds to nearest even, and corrects the result by one unit where the rounding mode asks for its neighbor.

    Floats of one sign are ordered like their bits: the neighbor away from zero has one unit more.
    """
    code, type = emitter.code, op.result.type
    emitter.types(op, type)
    value = computed(code, emitter.one(op.operands[0]), op.operands[0].type)
    nearest = held(code, value, type)
    kind = float_type(element_type(type))
    assert kind is not None
    count = count_of(value.type)
    bits = lanes(count, f"i{kind.bits}")
    unit = 1 << 13 if kind is DataType.TF32 else 1
    raw = code.cast("bitcast", nearest, bits)

    def wide(number: Value) -> Value:
        single = conversions.decode(code, number, kind)
        return code.cast("fpext", single, value.type) if single.type != value.type else single

    def size(number: Value) -> Value:
        return code.call(mangled("fabs", value.type), value.type, number)

    def moved(distance: int) -> Value:
        return code.binary("add", raw, splat(count, f"i{kind.bits}", distance))

    back = wide(raw)
    negative = code.compare("icmp slt", raw, splat(count, f"i{kind.bits}", 0))
    match op.rounding:
        case "downward":
            wrong, other = code.compare("fcmp ogt", back, value), code.select(negative, moved(unit), moved(-unit))
        case "upward":
            wrong, other = code.compare("fcmp olt", back, value), code.select(negative, moved(-unit), moved(unit))
        case "toward_zero":
            wrong, other = code.compare("fcmp ogt", size(back), size(value)), moved(-unit)
        case "to_nearest_away":
            other = moved(unit)
            # Both distances are exact, as differences of close numbers are.
            rest, room = code.binary("fsub", value, back), code.binary("fsub", wide(other), value)
            tie = code.compare("fcmp oeq", rest, room)
            wrong = code.binary("and", code.compare("fcmp olt", size(back), size(value)), tie)
        case _:
            emitter.give(op.result, nearest)
            return
    emitter.give(op.result, code.cast("bitcast", code.select(wrong, other, raw), nearest.type))


def _integer_kind(type: Attribute, *, signed: bool) -> DataType:
    """Returns the integer format, of 32 or 64 bits, that holds all integers of a type."""
    if width(type) <= DataType.D.bits:
        return DataType.D if signed else DataType.UD
    return DataType.Q if signed else DataType.UQ


@lowers(SIToFPOp, UIToFPOp)
def integer_to_float(emitter: FunctionEmitter, op: Operation) -> None:
    code, signed, source = emitter.code, isinstance(op, SIToFPOp), op.operands[0].type
    (type,) = emitter.types(op, op.results[0].type)
    if width(source) > DataType.Q.bits:
        emitter.refuse(op, f"from {source} is not supported in host code")
    kind, target = _integer_kind(source, signed=signed), float_type(element_type(op.results[0].type))
    assert target is not None
    value = emitter.one(op.operands[0])
    wide = resized(code, value, lanes(count_of(value.type), f"i{kind.bits}"), signed=signed)
    raw = conversions.encode(code, wide, kind, target)
    emitter.give(op.results[0], code.cast("bitcast", raw, type))


@lowers(FPToSIOp, FPToUIOp)
def float_to_integer(emitter: FunctionEmitter, op: Operation) -> None:
    code, name = emitter.code, "fptosi.sat" if isinstance(op, FPToSIOp) else "fptoui.sat"
    (type,) = emitter.types(op, op.results[0].type)
    value = computed(code, emitter.one(op.operands[0]), op.operands[0].type)
    emitter.give(op.results[0], code.call(mangled(name, type, value.type), type, value))


@lowers(BitcastOp)
def bitcast(emitter: FunctionEmitter, op: Operation) -> None:
    (type,) = emitter.types(op, op.results[0].type)
    emitter.give(op.results[0], emitter.code.cast("bitcast", emitter.one(op.operands[0]), type))
