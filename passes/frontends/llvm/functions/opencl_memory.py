"""OpenCL C's atomics of version 2, and casts of generic pointers."""

from __future__ import annotations

import re
from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseArrayBase, i1, i64
from xdsl.dialects.llvm import ExtractValueOp, PtrToIntOp
from xdsl.ir import Attribute, SSAValue

from passes.frontends.llvm.functions.intrinsics import Integers
from passes.frontends.llvm.importer.builder import is_float
from passes.frontends.llvm.importer.calls import Call, builtin, builtins_like
from xegpu.dialects.upstream.arith import CmpiOp, ExtUIOp
from xegpu.dialects.upstream.llvm import (
    AddrSpaceCastOp,
    AtomicCmpXchgOp,
    AtomicRMWOp,
    LoadOp,
    StoreOp,
    UpdateKind,
    size_of,
)

_SEQUENTIAL = "seq_cst"
_SIGNED_ATOMIC = re.compile(r"(?:_Atomic|AS\dV?)[aslicx]")


_UPDATES = {
    "add": UpdateKind.ADD,
    "sub": UpdateKind.SUB,
    "exchange": UpdateKind.XCHG,
    "and": UpdateKind.AND,
    "or": UpdateKind.OR,
    "xor": UpdateKind.XOR,
    "min": UpdateKind.UMIN,
    "max": UpdateKind.UMAX,
}
_OF_SIGNED = {"min": UpdateKind.MIN, "max": UpdateKind.MAX}
_OF_FLOATS = {
    "add": UpdateKind.FADD,
    "sub": UpdateKind.FSUB,
    "min": UpdateKind.FMIN,
    "max": UpdateKind.FMAX,
    "exchange": UpdateKind.XCHG,
}


@builtins_like(r"atomic_(fetch_(add|sub|and|or|xor|min|max)|exchange)(_explicit)?")
def update(call: Call) -> SSAValue:
    type, word = call.type, call.name.removesuffix("_explicit").rpartition("_")[2]
    kind = _UPDATES[word]
    if is_float(type):
        if word not in _OF_FLOATS:
            call.builder.error(f"calls '{call.name}' of type {type}, which is not supported in a kernel")
        kind = _OF_FLOATS[word]
    elif _SIGNED_ATOMIC.search(call.symbol):
        kind = _OF_SIGNED.get(word, kind)
    return call.builder.add(AtomicRMWOp(kind, call.value(0), call.value(1), _SEQUENTIAL))


def _field(call: Call, result: SSAValue, index: int, type: Attribute) -> SSAValue:
    return call.builder.add(ExtractValueOp(DenseArrayBase.from_list(i64, [index]), result, type))


@builtins_like(r"atomic_compare_exchange_(strong|weak)(_explicit)?")
def compare_exchange(call: Call) -> SSAValue:
    """Stores the old value behind the second pointer, which changes only if the comparison fails."""
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


@builtin("__spirv_GenericPtrMemSemantics")
def semantics_of(call: Call) -> SSAValue:
    """The memory to which a generic pointer points, as a bit of memory semantics; private memory has none."""
    return _of_memory(call, {"Private": 0, "Local": 0x100}, 0x200)


@builtin("get_fence")
def fence_of(call: Call) -> SSAValue:
    """The memory to which a generic pointer points, as a flag of fences; private memory has none."""
    return _of_memory(call, {"Private": 0, "Local": 1}, 2)


def _of_memory(call: Call, numbers: Mapping[str, int], otherwise: int) -> SSAValue:
    """Returns the number of the memory to which a generic pointer points."""
    i, result = Integers(call.builder, i64), call.builder.constant(call.type, otherwise)
    tag = i.right(call.builder.add(PtrToIntOp(call.value(0), i64)), i.constant(61))
    for space, number in numbers.items():
        there = i.compare("eq", tag, i.constant(_TAGS[space]))
        result = i.choose(there, call.builder.constant(call.type, number), result)
    return result


@builtins_like("__spirv_GenericCastToPtrExplicit_To(Global|Local|Private)|__to_(global|local|private)")
def cast_if(call: Call) -> SSAValue:
    """The pointer, or null if it points to another memory."""
    builder, pointer = call.builder, call.value(0)
    i = Integers(builder, i64)
    tag = i.right(builder.add(PtrToIntOp(pointer, i64)), i.constant(61))
    space = call.name.rpartition("_")[2].removeprefix("To").capitalize()
    if space in _TAGS:
        there = i.compare("eq", tag, i.constant(_TAGS[space]))
    else:
        private, local = (i.compare("ne", tag, i.constant(number)) for number in _TAGS.values())
        there = builder.add(arith.AndIOp(private, local))
    found = builder.add(AddrSpaceCastOp(operands=[pointer], result_types=[call.type]))
    return i.choose(there, found, builder.zero(call.type))
