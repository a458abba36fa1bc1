"""Sampling in compiled code: from a lane's coordinates to the mix of texels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from runtime.llvm.text import IRFunction, IRModule, Value, constant, float_splat, integer, splat
from xegpu.isa import CANONICAL_NANS, DataType
from xegpu.isa.model.surface_states import Addressing

LARGEST_COORDINATE = 2.0**30

ADDRESSING, FILTER, NORMALIZED, BORDER, SAMPLER_RESERVED = 4, 5, 6, 7, 8
"""Bytes of a sampler state where fields begin."""


@dataclass(frozen=True)
class Axis:
    """Indices of texels along an axis, i64, the weight of the second, and whether there is one (i1)."""

    first: Value
    second: Value
    weight: Value
    is_mixed: Value


def mixed(code: IRFunction, axes: list[Axis], behind: list[Value], fetch: Callable[[list[Value]], Value]) -> Value:
    """Emits the mix along the last axis of what is mixed along those before it; texels are `<4 x i32>`."""
    if not axes:
        return fetch(behind)
    *before, axis = axes
    first = mixed(code, before, [axis.first, *behind], fetch)
    mix, done = code.new_label("mix"), code.new_label("mixed")
    from_ = code.block
    code.branch(axis.is_mixed, mix, done)
    code.label(mix)
    second = mixed(code, before, [axis.second, *behind], fetch)
    p, q = (code.cast("bitcast", texel, "<4 x float>") for texel in (first, second))
    part = code.binary("fmul", code.broadcast(axis.weight, 4), code.binary("fsub", q, p))
    value = code.binary("fadd", p, part)
    nan = code.compare("fcmp uno", value, value)
    result = code.select(nan, splat(4, "i32", CANONICAL_NANS[DataType.F]), code.cast("bitcast", value, first.type))
    last = code.block
    code.jump(done)
    code.label(done)
    return code.phi((first, from_), (result, last))


def axis(code: IRFunction, coordinate: Value, size: Value, addressing: Value, normalized: Value, linear: Value) -> Axis:
    """Texels along an axis of `size` texels (i64) for a coordinate (float); the last two are i1."""
    u = _texels(code, coordinate, size, addressing, normalized)
    half = code.select(linear, float_splat(1, "float", 0.5), float_splat(1, "float", 0.0))
    moved = code.binary("fsub", u, half)
    below = code.call("llvm.floor.f32", "float", moved)
    index = code.cast("fptosi", below, "i64")
    wrap = _wrap(code.module)
    first = code.call(wrap, "i64", index, size, addressing)
    second = code.call(wrap, "i64", code.binary("add", index, integer(1)), size, addressing)
    return Axis(first, second, code.binary("fsub", moved, below), linear)


def layer(code: IRFunction, coordinate: Value, layers: Value) -> Value:
    """The layer, i64, of a coordinate."""
    number = _number(code, coordinate)
    rounded = code.call("llvm.roundeven.f32", "float", _clamped(code, number))
    index = code.call("llvm.smax.i64", "i64", code.cast("fptosi", rounded, "i64"), integer(0))
    return code.call("llvm.smin.i64", "i64", index, code.binary("sub", layers, integer(1)))


def _number(code: IRFunction, value: Value) -> Value:
    return code.select(code.compare("fcmp uno", value, value), float_splat(1, "float", 0.0), value)


def _clamped(code: IRFunction, value: Value) -> Value:
    for op, limit in (("fcmp olt", -LARGEST_COORDINATE), ("fcmp ogt", LARGEST_COORDINATE)):
        bound = float_splat(1, "float", limit)
        value = code.select(code.compare(op, value, bound), bound, value)
    return value


def _texels(code: IRFunction, s: Value, size: Value, addressing: Value, normalized: Value) -> Value:
    """The coordinate in texels."""

    def floor(value: Value) -> Value:
        return code.call("llvm.floor.f32", "float", value)

    repeated = code.binary("fsub", s, floor(s))
    halves = floor(code.binary("fmul", s, float_splat(1, "float", 0.5)))
    mirrored = code.binary("fsub", s, code.binary("fmul", halves, float_splat(1, "float", 2.0)))
    u = s
    for mode, value in ((Addressing.REPEAT, repeated), (Addressing.MIRROR, mirrored)):
        u = code.select(code.compare("icmp eq", addressing, constant("i32", int(mode))), value, u)
    scaled = code.binary("fmul", u, code.cast("uitofp", size, "float"))
    return _clamped(code, _number(code, code.select(normalized, scaled, s)))


def _wrap(module: IRModule) -> str:
    """`i64 wrap(index, size, addressing)`: the texel that an index stands for; the border's are outside."""
    return module.function("image.wrap", "i64", "i64 %index, i64 %size, i32 %addressing", _wrapped)


def _wrapped(code: IRFunction) -> None:
    index, size = Value("i64", "%index"), Value("i64", "%size")
    modes = {Addressing.REPEAT: "repeat", Addressing.MIRROR: "mirror", Addressing.CLAMP: "clamp"}
    cases = " ".join(f"i32 {mode.value}, label %{label}" for mode, label in modes.items())
    code.line(f"switch i32 %addressing, label %border [{cases}]")
    code.label("border")
    code.give(index)
    code.label("repeat")
    code.give(_modulo(code, index, size))
    code.label("mirror")
    double = code.binary("shl", size, integer(1))
    folded = _modulo(code, index, double)
    back = code.binary("sub", code.binary("sub", double, integer(1)), folded)
    code.give(code.select(code.compare("icmp ult", folded, size), folded, back))
    code.label("clamp")
    low = code.call("llvm.smax.i64", "i64", index, integer(0))
    code.give(code.call("llvm.smin.i64", "i64", low, code.binary("sub", size, integer(1))))


def _modulo(code: IRFunction, index: Value, size: Value) -> Value:
    rest = code.binary("srem", index, size)
    negative = code.compare("icmp slt", rest, integer(0))
    return code.select(negative, code.binary("add", rest, size), rest)
