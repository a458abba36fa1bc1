"""Copying and filling memory."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.arith import MuliOp
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Attribute, SSAValue

from passes.frontends.llvm.importer.builder import i32, i64
from passes.frontends.llvm.importer.calls import Call, intrinsic
from passes.frontends.llvm.importer.loops import counted_loop
from passes.frontends.llvm.reader import constant_value
from xegpu.dialects.upstream.arith import ExtUIOp
from xegpu.dialects.upstream.llvm import LoadOp, StoreOp
from xegpu.dialects.upstream.vector import BroadcastOp

_MOST_UNROLLED = 32
"""The pieces that are moved one by one; more take a loop."""
_LARGEST_UNIT = 8


_LONGEST_VECTOR = 4


def _pieces(length: int | None, alignment: int) -> list[tuple[Attribute, int]] | None:
    """Returns the types and offsets of the moves: full vectors first, then the remainder.

    It is None for a length that takes too many, or that the kernel computes.
    """
    unit = min(alignment & -alignment, _LARGEST_UNIT)
    if length is None or length > _MOST_UNROLLED * _LONGEST_VECTOR * unit:
        return None
    found: list[tuple[Attribute, int]] = []
    at = 0
    while at < length:
        while unit > length - at:
            unit //= 2
        count = min((length - at) // unit, _LONGEST_VECTOR)
        element = IntegerType(8 * unit)
        found.append((VectorType(element, [count]) if count > 1 else element, at))
        at += count * unit
    return found if len(found) <= _MOST_UNROLLED else None


def _loop(call: Call, count: SSAValue, body: Callable[[SSAValue], None]) -> None:
    """Executes `body` for each number below a count of 64 bits."""

    def step(index: SSAValue, _: list[SSAValue]) -> list[SSAValue]:
        body(index)
        return []

    counted_loop(call.builder, call.builder.i64(0), count, call.builder.i64(1), [], step)


def _length(call: Call) -> int | None:
    return constant_value(call.operand(2))


@intrinsic("memcpy", "memcpy.inline", "memmove")
def copy(call: Call) -> None:
    target, source = call.value(0), call.value(1)
    alignment = min(call.alignments[0] or 1, call.alignments[1] or 1)
    builder, length = call.builder, _length(call)
    pieces = _pieces(length, alignment)
    if pieces is not None:
        # All is read before anything is written: the memory may overlap.
        found = []
        for type, at in pieces:
            known = min(alignment, at & -at) if at else alignment
            found.append((builder.add(LoadOp(builder.offset(source, at), type, known)), at, known))
        for value, at, known in found:
            builder.insert(StoreOp(value, builder.offset(target, at), known))
        return
    if call.name == "memmove":
        builder.error("moves memory that may overlap, of a size that is large or computed at run time")
    unit = min(alignment & -alignment, _LARGEST_UNIT) if length is not None and length % alignment == 0 else 1
    count = call.builder.i64(length // unit) if length is not None else _wide(call, call.value(2))

    def one(index: SSAValue) -> None:
        element = IntegerType(8 * unit)
        value = builder.add(LoadOp(builder.element(source, index, unit), element, unit))
        builder.insert(StoreOp(value, builder.element(target, index, unit), unit))

    _loop(call, count, one)


@intrinsic("memset", "memset.inline")
def fill(call: Call) -> None:
    target, byte, builder = call.value(0), call.value(1), call.builder
    alignment, length = call.alignments[0] or 1, _length(call)
    pieces = _pieces(length, alignment)
    if pieces is not None:
        for type, at in pieces:
            known = min(alignment, at & -at) if at else alignment
            builder.insert(StoreOp(_repeated(call, byte, type), builder.offset(target, at), known))
        return
    unit = min(alignment & -alignment, _LARGEST_UNIT) if length is not None and length % alignment == 0 else 1
    count = builder.i64(length // unit) if length is not None else _wide(call, call.value(2))
    value = _repeated(call, byte, IntegerType(8 * unit))
    _loop(call, count, lambda index: builder.insert(StoreOp(value, builder.element(target, index, unit), unit)))


def _repeated(call: Call, byte: SSAValue, type: Attribute) -> SSAValue:
    """Returns a value whose bytes are all the same."""
    known = constant_value(call.operand(1))
    element = type.get_element_type() if isinstance(type, VectorType) else type
    assert isinstance(element, IntegerType)
    size = element.width.data // 8
    factor = int.from_bytes(b"\1" * size, "little")
    if known is not None:
        return call.builder.constant(type, (known & 0xFF) * factor)
    if size > 1:
        wide = call.builder.add(ExtUIOp(byte, element))
        byte = call.builder.add(MuliOp(wide, call.builder.constant(element, factor)))
    return call.builder.add(BroadcastOp(byte, type)) if isinstance(type, VectorType) else byte


def _wide(call: Call, number: SSAValue) -> SSAValue:
    """Returns a length with 64 bits."""
    return call.builder.add(ExtUIOp(number, i64)) if number.type == i32 else number
