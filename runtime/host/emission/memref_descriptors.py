"""Memrefs in compiled code: their parts, and addresses of elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.normal_forms import StridedView, row_major
from runtime.host.data.types import MemoryType, memory_type
from runtime.host.emission.emitter import FunctionEmitter, Parts
from runtime.llvm import IRFunction, Value, constant, integer
from runtime.simulator import POISON, POISON_BYTES
from xegpu.dialects.upstream.memref import memref_strides

AnyMemRef = MemRefType[Attribute]


@dataclass(frozen=True)
class MemRefDescriptor:
    """The parts of a ranked memref, constants where its type fixes them; the numbers count elements."""

    allocated: Value
    aligned: Value
    offset: Value
    sizes: tuple[Value, ...]
    strides: tuple[Value, ...]

    @property
    def view(self) -> StridedView[Value]:
        """The part of the descriptor that views of the buffer change."""
        return StridedView(self.offset, self.sizes, self.strides)

    def seen_as(self, view: StridedView[Value]) -> MemRefDescriptor:
        """Returns the descriptor of a view of the same memory."""
        return MemRefDescriptor(self.allocated, self.aligned, view.offset, view.sizes, view.strides)

    @property
    def parts(self) -> Parts:
        """The parts in the order of MLIR's descriptors."""
        return (self.allocated, self.aligned, self.offset, *self.sizes, *self.strides)


def memref_of(type: Attribute) -> AnyMemRef:
    """Returns a type that is known to be a ranked memref."""
    assert isa(type, AnyMemRef)
    return type


def static_layout(
    emitter: FunctionEmitter, op: Operation, type: AnyMemRef
) -> tuple[list[int | None], list[int | None], int | None]:
    """Returns sizes, strides and offset of a type, None where they are values. Refuses layouts without strides."""
    layout = memref_strides(type)
    if layout is None:
        emitter.refuse(op, f"uses {type}, whose layout has no strides, which host code does not support")
    return [None if size == DYNAMIC_INDEX else size for size in type.get_shape()], *layout


def descriptor(emitter: FunctionEmitter, op: Operation, value: SSAValue) -> MemRefDescriptor:
    """Returns a memref as its type and its parts describe it."""
    return descriptor_of(emitter, op, memref_of(value.type), emitter.parts(value))


def descriptor_of(emitter: FunctionEmitter, op: Operation, type: AnyMemRef, parts: Parts) -> MemRefDescriptor:
    """Returns the descriptor that consists of parts, with the numbers that the type fixes as constants."""
    sizes, strides, offset = static_layout(emitter, op, type)
    rank = len(sizes)
    return MemRefDescriptor(
        parts[0],
        parts[1],
        _fixed(offset, parts[2]),
        tuple(map(_fixed, sizes, parts[3 : 3 + rank])),
        tuple(map(_fixed, strides, parts[3 + rank :])),
    )


def _fixed(number: int | None, value: Value) -> Value:
    return value if number is None else integer(number)


def number_of(value: Value) -> int | None:
    """Returns the integer that a value is, None unless it is a constant."""
    text = value.name.removeprefix("-")
    return int(value.name) if text.isascii() and text.isdigit() else None


def product(code: IRFunction, a: Value, b: Value) -> Value:
    """Returns a product of two i64, folded for constants."""
    x, y = number_of(a), number_of(b)
    if x is not None and y is not None:
        return integer(x * y)
    if 0 in (x, y):
        return integer(0)
    if 1 in (x, y):
        return b if x == 1 else a
    return code.binary("mul nsw", a, b)


def total(code: IRFunction, a: Value, b: Value) -> Value:
    """Returns a sum of two i64, folded for constants."""
    x, y = number_of(a), number_of(b)
    if x is not None and y is not None:
        return integer(x + y)
    if 0 in (x, y):
        return b if x == 0 else a
    return code.binary("add nsw", a, b)


def check_indices(
    emitter: FunctionEmitter, op: Operation, memref: MemRefDescriptor, indices: Sequence[SSAValue]
) -> None:
    """Ends the program if an element does not exist, unless it is known to exist."""
    if op not in emitter.known:
        check_positions(emitter, op, memref, [emitter.one(index) for index in indices])


def check_positions(
    emitter: FunctionEmitter, op: Operation, memref: MemRefDescriptor, positions: Sequence[Value]
) -> None:
    """Ends the program if an element does not exist."""
    for dimension, (value, size) in enumerate(zip(positions, memref.sizes, strict=True)):
        outside = emitter.code.compare("icmp uge", value, size)
        text = f"is out of bounds: index {{0}} in dimension {dimension} of size {{1}}"
        emitter.fail_if(outside, op, text, value, size)


def element_address(
    emitter: FunctionEmitter, memref: MemRefDescriptor, indices: Sequence[Value], element: MemoryType
) -> Value:
    """Returns the address of an element that exists."""
    code, position = emitter.code, memref.offset
    for index, stride in zip(indices, memref.strides, strict=True):
        position = total(code, position, product(code, index, stride))
    return code.value("ptr", f"getelementptr inbounds {element.llvm}, {memref.aligned}, {position}")


def element_of_memref(emitter: FunctionEmitter, op: Operation, value: SSAValue, indices: Sequence[SSAValue]) -> Value:
    """Returns the address of an element, after checking that it exists."""
    memref = descriptor(emitter, op, value)
    check_indices(emitter, op, memref, indices)
    return element_address(
        emitter, memref, [emitter.one(i) for i in indices], memory_type(memref_of(value.type).element_type)
    )


def check_written(emitter: FunctionEmitter, op: Operation, address: Value, size: int) -> None:
    """Ends a program that is checked for it before it reads an element that nothing has written."""
    if not emitter.environment.finds_unwritten:
        return
    code = emitter.code
    mask = integer(-max(size, POISON_BYTES))
    place = code.call("llvm.ptrmask.p0.i64", "ptr", address, mask)
    is_poison = code.compare("icmp eq", code.load("i32", place, 4), constant("i32", POISON))
    emitter.fail_if(is_poison, op, "reads memory that nothing has written")


def load_element(emitter: FunctionEmitter, op: Operation, address: Value, type: Attribute) -> Value:
    """Returns an element as values of its type are held."""
    memory = memory_type(type)
    check_written(emitter, op, address, memory.size)
    value = emitter.code.load(memory.llvm, address, memory.size)
    return emitter.code.cast("trunc", value, "i1") if memory.llvm == "i8" and _is_bit(type) else value


def store_element(emitter: FunctionEmitter, value: Value, address: Value, type: Attribute) -> None:
    memory = memory_type(type)
    emitter.code.store(emitter.code.cast("zext", value, memory.llvm) if _is_bit(type) else value, address, memory.size)


def _is_bit(type: Attribute) -> bool:
    return str(type) == "i1"


@dataclass(frozen=True)
class CodeArithmetic:
    """Arithmetic on i64 in compiled code, folded for constants."""

    code: IRFunction

    def constant(self, value: int) -> Value:
        return integer(value)

    def known(self, number: Value) -> int | None:
        return number_of(number)

    def add(self, a: Value, b: Value) -> Value:
        return total(self.code, a, b)

    def multiply(self, a: Value, b: Value) -> Value:
        return product(self.code, a, b)


def contiguous_strides(code: IRFunction, sizes: Sequence[Value]) -> tuple[Value, ...]:
    """Returns the strides of a row-major buffer."""
    return row_major(CodeArithmetic(code), sizes)
