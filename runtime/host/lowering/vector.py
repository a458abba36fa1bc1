"""Vectors: memory accesses and printing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import AffineMapAttr, MemRefType
from xdsl.dialects.vector import TransferReadOp, TransferWriteOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr

from passes.support.normal_forms import shape_of
from runtime.host.data.callbacks import Foreign
from runtime.host.data.types import element_type, lanes_of, memory_type
from runtime.host.data.values import read_values
from runtime.host.emission.emitter import FunctionEmitter, lowers
from runtime.host.emission.memref_descriptors import (
    MemRefDescriptor,
    descriptor,
    element_address,
    load_element,
    memref_of,
    store_element,
    total,
)
from runtime.host.library.formatting import vector_text
from runtime.host.lowering.vector_shapes import as_vector, picked
from runtime.llvm import IRFunction, Value, constant, integer
from xegpu.dialects.upstream.vector import LoadOp, MaskedLoadOp, MaskedStoreOp, PrintOp, Punctuation, StoreOp

Places = Sequence[Sequence[Value]]
"""The indices of each element."""

# Memory: a row after another, checked as a whole. -------------------------------------------------------------------


def _lane_indices(type: Attribute, rank: int) -> list[tuple[int, ...]]:
    """Returns for each element its offsets to the indices of a memref, whose last dimensions are the vector's."""
    shape = shape_of(type)
    return [(0,) * (rank - len(shape)) + index for index in np.ndindex(*shape)]


def _check_box(
    emitter: FunctionEmitter, op: Operation, memref: MemRefDescriptor, indices: Sequence[Value], shape: Sequence[int]
) -> None:
    """Ends the program unless the elements from the indices on exist."""
    extents = [1] * (len(indices) - len(shape)) + list(shape)
    for dimension, (index, count, size) in enumerate(zip(indices, extents, memref.sizes, strict=True)):
        code = emitter.code
        last = total(code, index, integer(count - 1))
        outside = code.compare("icmp uge", last, size)
        if count > 1:
            outside = code.binary("or", outside, code.compare("icmp slt", index, integer(0)))
        emitter.fail_if(
            outside, op, f"is out of bounds: it reaches {{0}} in dimension {dimension} of size {{1}}", last, size
        )


def _is_row(memref: MemRefDescriptor, type: Attribute) -> bool:
    """Returns whether a vector is contiguous in memory: it has one dimension, and that has stride 1."""
    return len(shape_of(type)) == 1 and memref.strides[-1].name == "1"


def _values_of(emitter: FunctionEmitter, indices: Sequence[SSAValue]) -> list[Value]:
    return [emitter.one(index) for index in indices]


def _moved(code: IRFunction, indices: Sequence[Value], offsets: Sequence[int]) -> list[Value]:
    return [total(code, index, integer(offset)) for index, offset in zip(indices, offsets, strict=True)]


def _read_box(
    emitter: FunctionEmitter, op: Operation, memref: MemRefDescriptor, indices: Sequence[Value], type: Attribute
) -> Value:
    """Returns the elements of a vector from the indices on, which exist."""
    code, element = emitter.code, element_type(type)
    memory = memory_type(element)
    if _is_row(memref, type) and memory.llvm != "i8" and not emitter.environment.finds_unwritten:
        vector = f"<{lanes_of(type)} x {memory.llvm}>"
        return code.load(vector, element_address(emitter, memref, indices, memory), memory.size)
    result: Value | None = None
    for lane, offsets in enumerate(_lane_indices(type, len(indices))):
        address = element_address(emitter, memref, _moved(code, indices, offsets), memory)
        one = load_element(emitter, op, address, element)
        vector = f"<{lanes_of(type)} x {one.type}>"
        result = code.value(vector, f"insertelement {result or vector + ' poison'}, {one}, i64 {lane}")
    assert result is not None
    return result


def _write_box(
    emitter: FunctionEmitter, memref: MemRefDescriptor, indices: Sequence[Value], value: Value, type: Attribute
) -> None:
    code, element = emitter.code, element_type(type)
    memory = memory_type(element)
    if _is_row(memref, type) and memory.llvm != "i8":
        code.store(value, element_address(emitter, memref, indices, memory), memory.size)
        return
    for lane, offsets in enumerate(_lane_indices(type, len(indices))):
        address = element_address(emitter, memref, _moved(code, indices, offsets), memory)
        store_element(emitter, code.extract(value, lane), address, element)


def _memref(emitter: FunctionEmitter, op: Operation, value: SSAValue, type: Attribute) -> MemRefDescriptor:
    if not isinstance(value.type, MemRefType):
        emitter.refuse(op, f"of {value.type} is not supported in host code")
    if memref_of(value.type).element_type != element_type(type):
        emitter.refuse(op, f"between {type} and {value.type} is not supported in host code")
    return descriptor(emitter, op, value)


@lowers(LoadOp)
def load(emitter: FunctionEmitter, op: LoadOp) -> None:
    memref, indices = _memref(emitter, op, op.base, op.result.type), _values_of(emitter, op.indices)
    _check_box(emitter, op, memref, indices, shape_of(op.result.type))
    emitter.give(op.result, _read_box(emitter, op, memref, indices, op.result.type))


@lowers(StoreOp)
def store(emitter: FunctionEmitter, op: StoreOp) -> None:
    type = op.vector.type
    memref, indices = _memref(emitter, op, op.base, type), _values_of(emitter, op.indices)
    _check_box(emitter, op, memref, indices, shape_of(type))
    _write_box(emitter, memref, indices, emitter.one(op.vector), type)


def _read_lanes(
    emitter: FunctionEmitter,
    op: Operation,
    memref: MemRefDescriptor,
    where: Sequence[Sequence[Value]],
    wanted: Sequence[Value],
    start: Value,
) -> Value:
    """Returns elements at given indices where a condition holds; the others stay what they are in `start`."""
    code, element = emitter.code, memory_type(memref_of(_source(op).type).element_type)
    for lane, (indices, condition) in enumerate(zip(where, wanted, strict=True)):
        with code.if_(condition) as choice:
            address = element_address(emitter, memref, indices, element)
            one = load_element(emitter, op, address, memref_of(_source(op).type).element_type)
            changed = code.value(start.type, f"insertelement {start}, {one}, i64 {lane}")
        start = choice.merged(changed, start)
    return start


def _source(op: Operation) -> SSAValue:
    return op.operands[1] if isinstance(op, TransferWriteOp) else op.operands[0]


def _inside(code: IRFunction, memref: MemRefDescriptor, indices: Sequence[Value]) -> Value:
    """Returns whether an element exists."""
    found = constant("i1", "true")
    for index, size in zip(indices, memref.sizes, strict=True):
        found = code.binary("and", found, code.compare("icmp ult", index, size))
    return found


def _transfer_places(
    emitter: FunctionEmitter, op: TransferReadOp | TransferWriteOp, type: Attribute
) -> list[list[Value]]:
    """Returns the indices of each element of a transfer."""
    indices = _values_of(emitter, op.indices)
    assert isinstance(op.permutation_map, AffineMapAttr)
    results = op.permutation_map.data.results
    places = []
    for lane in np.ndindex(*shape_of(type)):
        place = list(indices)
        for number, result in zip(lane, results, strict=True):
            if isinstance(result, AffineDimExpr):
                place[result.position] = total(emitter.code, place[result.position], integer(number))
            elif not isinstance(result, AffineConstantExpr):
                emitter.refuse(op, f"with the map {op.permutation_map} is not supported in host code")
        places.append(place)
    return places


def _masked(emitter: FunctionEmitter, op: TransferReadOp | TransferWriteOp, conditions: list[Value]) -> list[Value]:
    if op.mask is None:
        return conditions
    code, mask = emitter.code, as_vector(emitter.code, emitter.one(op.mask))
    return [code.binary("and", condition, code.extract(mask, lane)) for lane, condition in enumerate(conditions)]


@lowers(TransferReadOp)
def transfer_read(emitter: FunctionEmitter, op: TransferReadOp) -> None:
    """Elements out of bounds are the padding, also in dimensions that claim to be in bounds."""
    code, type = emitter.code, op.result.type
    memref = _memref(emitter, op, op.source, type)
    places = _transfer_places(emitter, op, type)
    wanted = _masked(emitter, op, [_inside(code, memref, place) for place in places])
    (held_type,) = emitter.types(op, type)
    padding = picked(code, [emitter.one(op.padding)], [(0, 0)] * lanes_of(type), held_type)
    emitter.give(op.result, _read_lanes(emitter, op, memref, places, wanted, padding))


@lowers(TransferWriteOp)
def transfer_write(emitter: FunctionEmitter, op: TransferWriteOp) -> None:
    """Elements out of bounds are skipped."""
    code, type = emitter.code, op.vector.type
    memref = _memref(emitter, op, op.source, type)
    places = _transfer_places(emitter, op, type)
    wanted = _masked(emitter, op, [_inside(code, memref, place) for place in places])
    _write_lanes(emitter, memref, places, wanted, emitter.one(op.vector), element_type(type))


def _write_lanes(
    emitter: FunctionEmitter,
    memref: MemRefDescriptor,
    where: Sequence[Sequence[Value]],
    wanted: Sequence[Value],
    value: Value,
    element: Attribute,
) -> None:
    vector = as_vector(emitter.code, value)
    for lane, (indices, condition) in enumerate(zip(where, wanted, strict=True)):
        with emitter.code.if_(condition):
            address = element_address(emitter, memref, indices, memory_type(element))
            store_element(emitter, emitter.code.extract(vector, lane), address, element)


@lowers(MaskedLoadOp)
def masked_load(emitter: FunctionEmitter, op: MaskedLoadOp) -> None:
    memref, places, wanted = _masked_row(emitter, op, op.result.type)
    emitter.give(op.result, _read_lanes(emitter, op, memref, places, wanted, emitter.one(op.pass_thru)))


@lowers(MaskedStoreOp)
def masked_store(emitter: FunctionEmitter, op: MaskedStoreOp) -> None:
    type = op.value_to_store.type
    memref, places, wanted = _masked_row(emitter, op, type)
    _write_lanes(emitter, memref, places, wanted, emitter.one(op.value_to_store), element_type(type))


def _masked_row(
    emitter: FunctionEmitter, op: MaskedLoadOp | MaskedStoreOp, type: Attribute
) -> tuple[MemRefDescriptor, Places, list[Value]]:
    """Returns the indices of the elements of a vector, and the conditions under which they are accessed."""
    memref, indices = _memref(emitter, op, op.base, type), _values_of(emitter, op.indices)
    places = [_moved(emitter.code, indices, offsets) for offsets in _lane_indices(type, len(indices))]
    return memref, places, _lanes_that_exist(emitter, op, memref, places, emitter.one(op.mask))


def _lanes_that_exist(
    emitter: FunctionEmitter, op: Operation, memref: MemRefDescriptor, places: Sequence[Sequence[Value]], mask: Value
) -> list[Value]:
    """Returns the conditions of a mask; ends the program if an element that it selects does not exist."""
    code, wanted = emitter.code, list[Value]()
    for lane, place in enumerate(places):
        bit = code.extract(mask, lane)
        missing = code.binary("xor", _inside(code, memref, place), constant("i1", "true"))
        emitter.fail_if(code.binary("and", bit, missing), op, f"is out of bounds in element {lane} of the vector")
        wanted.append(bit)
    return wanted


@lowers(PrintOp)
def print_(emitter: FunctionEmitter, op: PrintOp) -> None:
    """Prints a vector in round brackets, or a string, and the punctuation of the operation."""
    end = _PUNCTUATION[op.punctuation.data]
    write = emitter.environment.write
    if op.source is None:
        text = end if op.string_literal is None else op.string_literal.data

        def print_text(arguments: int, results: int) -> None:
            write(text)

        emitter.call_foreign(op, Foreign(op.name, ([], []), print_text, op), [])
        return
    type = op.source.type

    def print_value(arguments: int, results: int) -> None:
        write(vector_text(read_values([type], arguments)[0]) + end)

    emitter.call_foreign(op, Foreign(op.name, ([type], []), print_value, op), emitter.parts(op.source))


_PUNCTUATION = {
    Punctuation.NO_PUNCTUATION: "",
    Punctuation.NEWLINE: "\n",
    Punctuation.COMMA: ", ",
    Punctuation.OPEN: "( ",
    Punctuation.CLOSE: " )",
}
