"""Coordinates in compiled code: the texels around a place and their weights, as the interpreter computes them
(`runtime.simulator.machine.images.sampling`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.llvm import IRFunction, Value, float_splat, integer, mangled
from runtime.simulator.jit.images.texels import canonical
from runtime.simulator.machine.images.sampling import LARGEST_COORDINATE
from xegpu.isa.model import Addressing, Filter, SamplerState


@dataclass(frozen=True)
class Axis:
    """Indices along an axis: of one texel, or of two and the weight of the second."""

    indices: tuple[Value, ...]
    weight: Value | None = None


def place(code: IRFunction, coordinate: Value, size: Value, sampler: SamplerState, *, integers: bool) -> Axis:
    """Returns the texels along an axis for a coordinate, an f32; `integers` are never mixed."""
    u = _in_texels(code, coordinate, size, sampler)
    if sampler.filter != Filter.LINEAR or integers:
        return Axis((_wrapped(code, _whole(code, _floor(code, u)), size, sampler),))
    shifted = code.binary("fsub", u, _single(0.5))
    below = _floor(code, shifted)
    index = _whole(code, below)
    after = code.binary("add", index, integer(1))
    weight = code.binary("fsub", shifted, below)
    return Axis((_wrapped(code, index, size, sampler), _wrapped(code, after, size, sampler)), weight)


def layer(code: IRFunction, coordinate: Value, layers: Value) -> Axis:
    """Returns the layer of an array for a coordinate, an f32."""
    number = _limited(code, coordinate)
    nearest = _whole(code, code.call(mangled("roundeven", "float"), "float", number))
    return Axis((_clamped(code, nearest, layers),))


def between(code: IRFunction, first: Value, second: Value, weight: Value) -> Value:
    """Returns the bits of the number between two, whose bits are given."""
    p, q = (code.cast("bitcast", bits, "float") for bits in (first, second))
    return canonical(code, code.binary("fadd", p, code.binary("fmul", weight, code.binary("fsub", q, p))))


def corners(axes: Sequence[Axis]) -> list[tuple[Value, Value, Value]]:
    """Returns x, y and z of the texels to mix, x changing first."""
    xs, ys, zs = (axis.indices for axis in axes)
    return [(x, y, z) for z in zs for y in ys for x in xs]


def _single(value: float) -> Value:
    return float_splat(1, "float", value)


def _floor(code: IRFunction, number: Value) -> Value:
    return code.call(mangled("floor", "float"), "float", number)


def _whole(code: IRFunction, number: Value) -> Value:
    return code.cast("fptosi", number, "i64")


def _in_texels(code: IRFunction, s: Value, size: Value, sampler: SamplerState) -> Value:
    u = s
    if sampler.normalized:
        if sampler.addressing == Addressing.REPEAT:
            u = code.binary("fsub", u, _floor(code, u))
        elif sampler.addressing == Addressing.MIRROR:
            turns = _floor(code, code.binary("fmul", u, _single(0.5)))
            u = code.binary("fsub", u, code.binary("fmul", _single(2.0), turns))
        u = code.binary("fmul", u, code.cast("uitofp", size, "float"))
    return _limited(code, u)


def _limited(code: IRFunction, number: Value) -> Value:
    """Returns a number that is none as 0, and others so that they fit an integer."""
    low, high = _single(-LARGEST_COORDINATE), _single(LARGEST_COORDINATE)
    found = code.select(code.compare("fcmp olt", number, low), low, number)
    found = code.select(code.compare("fcmp ogt", found, high), high, found)
    return code.select(code.compare("fcmp uno", number, number), _single(0.0), found)


def _clamped(code: IRFunction, index: Value, size: Value) -> Value:
    low = code.call(mangled("smax", "i64"), "i64", index, integer(0))
    return code.call(mangled("smin", "i64"), "i64", low, code.binary("sub", size, integer(1)))


def _modulo(code: IRFunction, index: Value, size: Value) -> Value:
    rest = code.binary("srem", index, size)
    return code.select(code.compare("icmp slt", rest, integer(0)), code.binary("add", rest, size), rest)


def _wrapped(code: IRFunction, index: Value, size: Value, sampler: SamplerState) -> Value:
    match sampler.addressing:
        case Addressing.REPEAT:
            return _modulo(code, index, size)
        case Addressing.MIRROR:
            twice = code.binary("shl", size, integer(1))
            folded = _modulo(code, index, twice)
            back = code.binary("sub", code.binary("sub", twice, integer(1)), folded)
            return code.select(code.compare("icmp slt", folded, size), folded, back)
        case Addressing.CLAMP:
            return _clamped(code, index, size)
    return index
