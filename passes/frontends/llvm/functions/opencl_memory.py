"""OpenCL C's functions on memory: vectors of consecutive elements, halfs, atomics."""

from __future__ import annotations

import math as constants
import re

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import DenseArrayBase, Float16Type, VectorType, i1, i64
from xdsl.dialects.llvm import ExtractValueOp, LoadOp, PtrToIntOp, StoreOp
from xdsl.ir import Attribute, SSAValue

from passes.frontends.llvm.functions.intrinsics import Integers
from passes.frontends.llvm.functions.math import Floats
from passes.frontends.llvm.functions.opencl_math import is_float
from passes.frontends.llvm.importer.calls import Call, builtin, builtins_like
from xegpu.dialects.upstream.arith import CmpiOp, ExtFOp, ExtSIOp, ExtUIOp, TruncFOp, TruncIOp
from xegpu.dialects.upstream.llvm import (
    AddrSpaceCastOp,
    AtomicCmpXchgOp,
    AtomicRMWOp,
    UpdateKind,
    alignment_of,
    size_of,
)

_HALF = Float16Type()
_SEQUENTIAL, _RELAXED = "seq_cst", "monotonic"
_SIGNED_ATOMIC = re.compile(r"(?:_Atomic|AS\dV?)[aslicx]")


def _place(call: Call, index: int, element: Attribute, count: int, *, aligned: bool) -> tuple[SSAValue, int]:
    """Returns the pointer to vector number `index` (the argument), and its alignment."""
    step = 4 if aligned and count == 3 else count
    size = size_of(element) or 1
    number, pointer = call.value(index), call.value(index + 1)
    scaled = call.builder.add(arith.MuliOp(number, call.builder.constant(number.type, step)))
    vector = VectorType(element, [count])
    return call.builder.element(pointer, scaled, size), alignment_of(vector) if aligned else size


@builtins_like(r"vload(2|3|4|8|16)")
def load_vector(call: Call) -> SSAValue:
    assert isinstance(call.type, VectorType)
    element = call.type.get_element_type()
    place, alignment = _place(call, 0, element, call.type.element_count(), aligned=False)
    return call.builder.add(LoadOp(place, call.type, alignment))


@builtins_like(r"vstore(2|3|4|8|16)")
def store_vector(call: Call) -> None:
    value = call.value(0)
    assert isinstance(value.type, VectorType)
    place, alignment = _place(call, 1, value.type.get_element_type(), value.type.element_count(), aligned=False)
    call.builder.insert(StoreOp(value, place, alignment))


def _halfs(type: Attribute) -> tuple[Attribute, int]:
    """Returns the type of as many halfs, and their number."""
    if isinstance(type, VectorType):
        return VectorType(_HALF, type.get_shape()), type.element_count()
    return _HALF, 1


@builtins_like(r"vloada?_half(2|3|4|8|16)?")
def load_halfs(call: Call) -> SSAValue:
    type, count = _halfs(call.type)
    place, alignment = _place(call, 0, _HALF, count, aligned=call.name.startswith("vloada"))
    return call.builder.add(ExtFOp(call.builder.add(LoadOp(place, type, alignment)), call.type))


@builtins_like(r"vstorea?_half(2|3|4|8|16)?(_rte)?")
def store_halfs(call: Call) -> None:
    value = call.value(0)
    type, count = _halfs(value.type)
    place, alignment = _place(call, 1, _HALF, count, aligned=call.name.startswith("vstorea"))
    call.builder.insert(StoreOp(call.builder.add(TruncFOp(value, type)), place, alignment))


# Atomics

_UPDATES = {
    "add": UpdateKind.ADD,
    "sub": UpdateKind.SUB,
    "xchg": UpdateKind.XCHG,
    "exchange": UpdateKind.XCHG,
    "and": UpdateKind.AND,
    "or": UpdateKind.OR,
    "xor": UpdateKind.XOR,
    "inc": UpdateKind.ADD,
    "dec": UpdateKind.SUB,
    "min": UpdateKind.UMIN,
    "max": UpdateKind.UMAX,
}
_OF_SIGNED = {"min": UpdateKind.MIN, "max": UpdateKind.MAX}
_OF_FLOATS = {
    "add": UpdateKind.FADD,
    "sub": UpdateKind.FSUB,
    "min": UpdateKind.FMIN,
    "max": UpdateKind.FMAX,
    "xchg": UpdateKind.XCHG,
    "exchange": UpdateKind.XCHG,
}


def _update(call: Call, word: str, ordering: str) -> SSAValue:
    type = call.type
    value = call.builder.constant(type, 1) if word in ("inc", "dec") else call.value(1)
    kind = _UPDATES[word]
    if is_float(type):
        if word not in _OF_FLOATS:
            call.builder.error(f"calls '{call.name}' of type {type}, which is not supported in a kernel")
        kind = _OF_FLOATS[word]
    elif _SIGNED_ATOMIC.search(call.symbol):
        kind = _OF_SIGNED.get(word, kind)
    return call.builder.add(AtomicRMWOp(kind, call.value(0), value, ordering))


@builtins_like(r"atom(ic)?_(add|sub|xchg|and|or|xor|inc|dec|min|max)")
def update_relaxed(call: Call) -> SSAValue:
    return _update(call, call.name.rpartition("_")[2], _RELAXED)


@builtins_like(r"atomic_(fetch_(add|sub|and|or|xor|min|max)|exchange)(_explicit)?")
def update(call: Call) -> SSAValue:
    word = call.name.removesuffix("_explicit").rpartition("_")[2]
    return _update(call, word, _SEQUENTIAL)


@builtins_like(r"atom(ic)?_cmpxchg")
def exchange(call: Call) -> SSAValue:
    """Gives what memory held."""
    pointer, expected, value = call.values
    op = call.builder.add(AtomicCmpXchgOp(pointer, expected, value, _RELAXED, _RELAXED))
    return _field(call, op, 0, value.type)


def _field(call: Call, result: SSAValue, index: int, type: Attribute) -> SSAValue:
    return call.builder.add(ExtractValueOp(DenseArrayBase.from_list(i64, [index]), result, type))


@builtins_like(r"atomic_compare_exchange_(strong|weak)(_explicit)?")
def compare_exchange(call: Call) -> SSAValue:
    """What memory held goes behind the second pointer where it is not what was expected there; else it is equal."""
    pointer, place, value = call.value(0), call.value(1), call.value(2)
    expected = call.builder.add(LoadOp(place, value.type, size_of(value.type)))
    op = call.builder.add(AtomicCmpXchgOp(pointer, expected, value, _SEQUENTIAL, _SEQUENTIAL))
    call.builder.insert(StoreOp(_field(call, op, 0, value.type), place, size_of(value.type)))
    success = _field(call, op, 1, i1)
    return success if call.type == i1 else call.builder.add(ExtUIOp(success, call.type))


_ACQUIRE, _RELEASE = 4, 5


@builtins_like(r"atomic_load(_explicit)?")
def load(call: Call) -> SSAValue:
    return call.builder.add(LoadOp(call.value(0), call.type, size_of(call.type), _ACQUIRE))


@builtins_like(r"atomic_(store|init)(_explicit)?")
def store(call: Call) -> None:
    value = call.value(1)
    call.builder.insert(StoreOp(value, call.value(0), size_of(value.type), _RELEASE))


@builtins_like(r"atomic_flag_(test_and_set|clear)(_explicit)?")
def flag(call: Call) -> SSAValue | None:
    """A flag is a number, 0 or 1."""
    builder = call.builder
    number = builder.i32(1 if "set" in call.name else 0)
    old = builder.add(AtomicRMWOp(UpdateKind.XCHG, call.value(0), number, _SEQUENTIAL))
    if "clear" in call.name:
        return None
    was = builder.add(CmpiOp(old, builder.i32(0), "ne"))
    return was if call.type == i1 else builder.add(ExtUIOp(was, call.type))


_TAGS = {"Private": 1, "Local": 2}
"""The highest three bits of generic pointers to memory that is not global."""


@builtins_like("__spirv_GenericCastToPtrExplicit_To(Global|Local|Private)")
def cast_if(call: Call) -> SSAValue:
    """The pointer, or null if it points to another memory."""
    builder, pointer = call.builder, call.value(0)
    i = Integers(builder, i64)
    tag = i.right(builder.add(PtrToIntOp(pointer, i64)), i.constant(61))
    space = call.name.rpartition("_To")[2]
    if space in _TAGS:
        there = i.compare("eq", tag, i.constant(_TAGS[space]))
    else:
        private, local = (i.compare("ne", tag, i.constant(number)) for number in _TAGS.values())
        there = builder.add(arith.AndIOp(private, local))
    found = builder.add(AddrSpaceCastOp(operands=[pointer], result_types=[call.type]))
    return i.choose(there, found, builder.zero(call.type))


# Functions with a second result, which goes behind a pointer


def _fract(call: Call, f: Floats, x: SSAValue) -> tuple[SSAValue, SSAValue]:
    whole = f.do(math.FloorOp, x)
    largest = 1 - 2.0 ** -(f.mantissa + 1)
    rest = f.do(arith.MinnumfOp, f.do(arith.SubfOp, x, whole), largest)
    infinite = f.compare("oeq", f.do(math.AbsFOp, x), constants.inf)
    return f.choose(infinite, f.do(math.CopySignOp, 0.0, x), f.choose(f.compare("uno", x, x), x, rest)), whole


def _modf(call: Call, f: Floats, x: SSAValue) -> tuple[SSAValue, SSAValue]:
    whole = f.do(math.TruncOp, x)
    infinite = f.compare("oeq", f.do(math.AbsFOp, x), constants.inf)
    rest = f.choose(infinite, 0.0, f.do(arith.SubfOp, x, whole))
    return f.do(math.CopySignOp, rest, x), whole


def _sincos(call: Call, f: Floats, x: SSAValue) -> tuple[SSAValue, SSAValue]:
    return f.do(math.SinOp, x), f.do(math.CosOp, x)


def _frexp(call: Call, f: Floats, x: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The exponent of zeros, infinities and NaN is 0, and they are their own mantissa."""
    i, size = f.integers, f.do(math.AbsFOp, x)
    odd = call.builder.add(arith.OrIOp(f.compare("oeq", x, 0.0), f.compare("uno", x, x)))
    odd = call.builder.add(arith.OrIOp(odd, f.compare("oeq", size, constants.inf)))
    tiny = f.compare("olt", size, 2.0 ** (1 - f.bias))
    bits = f.as_bits(f.choose(tiny, f.do(arith.MulfOp, x, 2.0 ** (f.mantissa + 1)), x))
    field = i.constant((1 << f.bits - 1) - (1 << f.mantissa))
    exponent = i.right(i.both(bits, field), i.constant(f.mantissa))
    bias = i.choose(tiny, i.constant(f.bias + f.mantissa), i.constant(f.bias - 1))
    exponent = i.choose(odd, i.constant(0), i.subtract(exponent, bias))
    mantissa = i.either(i.both(bits, i.inverted(field)), i.constant(f.bias - 1 << f.mantissa))
    target = f.like(32)
    if i.bits != 32:
        exponent = call.builder.add((TruncIOp if i.bits > 32 else ExtSIOp)(exponent, target))
    return f.choose(odd, x, f.from_bits(mantissa)), exponent


_PAIRS = {"fract": _fract, "frexp": _frexp, "modf": _modf, "sincos": _sincos}


@builtin(*_PAIRS)
def with_second_result(call: Call) -> SSAValue:
    first, second = _PAIRS[call.name](call, Floats(call), call.value(0))
    call.builder.insert(StoreOp(second, call.value(1), alignment_of(second.type)))
    return first
