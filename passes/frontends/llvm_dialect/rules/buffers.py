"""Buffers that are descriptors: structures of two pointers, an offset, sizes and strides.

Upstream lowers the arguments of kernels before it lowers what reaches into buffers.

https://mlir.llvm.org/docs/TargetLLVMIR/#ranked-memref-types
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IntAttr,
    IntegerAttr,
    MemRefType,
    NoneAttr,
)
from xdsl.dialects.llvm import LLVMStructType
from xdsl.dialects.memref import ExtractStridedMetaDataOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from passes.frontends.llvm_dialect.writing.types import INDEX_BITS, type_text
from passes.frontends.llvm_dialect.writing.writer import (
    MOST_ALIGNED,
    SHARED,
    Buffer,
    FunctionWriter,
    Whole,
    is_buffer,
    writes,
)
from xegpu.dialects.upstream.memref import AtomicRMWOp, memref_strides

_ALIGNED, _OFFSET, _SIZES, _STRIDES = 1, 2, 3, 4
_NUMBER = f"i{INDEX_BITS}"


def _combined(writer: FunctionWriter, op: Operation, opcode: str, a: Whole, b: Whole) -> Whole:
    """Returns a sum or a product; numbers that are known are computed here."""
    is_sum = opcode == "add"
    if isinstance(a, int) and isinstance(b, int):
        return a + b if is_sum else a * b
    neutral = 0 if is_sum else 1
    if neutral in (a, b):
        return b if a == neutral else a
    return writer.step(op, f"{opcode} {_NUMBER} {a}, {b}")


def _moved(
    writer: FunctionWriter, op: Operation, start: Whole, places: Sequence[Whole], strides: Sequence[Whole]
) -> Whole:
    for place, stride in zip(places, strides, strict=True):
        start = _combined(writer, op, "add", start, _combined(writer, op, "mul", place, stride))
    return start


def _pointer_type(type: MemRefType[Attribute]) -> str:
    match type.memory_space:
        case IntegerAttr(value=IntAttr(data=space)) if space:
            return f"ptr addrspace({space})"
        case NoneAttr() | IntegerAttr():
            return "ptr"
        case _:
            return type_text(type)


def _of_structure(writer: FunctionWriter, op: Operation, structure: SSAValue, type: MemRefType[Attribute]) -> Buffer:
    """Returns the buffer of a descriptor, of which its type knows some parts."""
    layout, whole = memref_strides(type), writer.typed(structure)
    if layout is None:
        writer.refuse(op, f"makes {type}, whose layout has no strides")
    assert isinstance(structure.type, LLVMStructType)
    pointer = writer.type(structure.type.types.data[_ALIGNED])

    def part(known: int | None, path: str) -> Whole:
        return writer.step(op, f"extractvalue {whole}, {path}") if known is None else known

    sizes = [None if size == DYNAMIC_INDEX else size for size in type.get_shape()]
    return Buffer(
        f"{pointer} {part(None, str(_ALIGNED))}",
        part(layout[1], str(_OFFSET)),
        [part(size, f"{_SIZES}, {number}") for number, size in enumerate(sizes)],
        [part(stride, f"{_STRIDES}, {number}") for number, stride in enumerate(layout[0])],
    )


def _is_descriptor(type: Attribute, buffer: MemRefType[Attribute]) -> bool:
    """Returns whether a structure has the parts of a buffer."""
    parts = _STRIDES + 1 if buffer.get_num_dims() else _SIZES
    return isinstance(type, LLVMStructType) and len(type.types.data) == parts


def _structure(writer: FunctionWriter, op: Operation, buffer: Buffer, result: SSAValue) -> None:
    """Writes the descriptor of a buffer."""
    type, pointer = writer.type(result.type), buffer.pointer
    parts = [(pointer, "0"), (pointer, str(_ALIGNED)), (f"{_NUMBER} {buffer.offset}", str(_OFFSET))]
    for place, numbers in ((_SIZES, buffer.sizes), (_STRIDES, buffer.strides)):
        parts += [(f"{_NUMBER} {number}", f"{place}, {position}") for position, number in enumerate(numbers)]
    whole = "poison"
    for value, path in parts:
        whole = writer.step(op, f"insertvalue {type} {whole}, {value}, {path}")
    writer.emit(op, f"freeze {type} {whole}", result=result)


def _mixed(writer: FunctionWriter, op: Operation, name: str, dynamic: Sequence[SSAValue]) -> list[Whole]:
    """Returns a list of numbers, some of which are properties and the others operands."""
    numbers, rest = op.properties[f"static_{name}"], iter(dynamic)
    assert isinstance(numbers, DenseArrayBase)
    return [writer.value(next(rest)) if n == DYNAMIC_INDEX else n for n in map(int, numbers.get_values())]


def _parts(op: Operation) -> list[Sequence[SSAValue]]:
    """Returns the operands of a view: offsets, sizes and strides."""
    segments = op.properties["operandSegmentSizes"]
    assert isinstance(segments, DenseArrayBase)
    _, *counts = map(int, segments.get_values())
    found, place = [], 1
    for count in counts:
        found.append(op.operands[place : place + count])
        place += count
    return found


def _views(writer: FunctionWriter, op: Operation) -> tuple[Buffer | None, list[list[Whole]]]:
    """Returns the buffer of a view, and its offsets, sizes and strides."""
    names = ("offsets", "sizes", "strides")
    buffer = writer.buffers.get(op.operands[0])
    if buffer is None:
        return None, []
    return buffer, [_mixed(writer, op, name, part) for name, part in zip(names, _parts(op), strict=True)]


@writes("memref.subview")
def subview(writer: FunctionWriter, op: Operation) -> None:
    buffer, parts = _views(writer, op)
    if buffer is None:
        writer.call_foreign(op)
        return
    offsets, sizes, steps = parts
    strides = [_combined(writer, op, "mul", *pair) for pair in zip(steps, buffer.strides, strict=True)]
    (result,) = op.results
    assert isa(result.type, MemRefType[Attribute])
    kept = _kept(sizes, result.type.get_shape())
    start = _moved(writer, op, buffer.offset, offsets, buffer.strides)
    writer.buffers[result] = Buffer(buffer.pointer, start, [sizes[n] for n in kept], [strides[n] for n in kept])


def _kept(sizes: Sequence[Whole], shape: Sequence[int]) -> list[int]:
    """Returns the dimensions that a view keeps: dimensions of one element may go."""
    kept: list[int] = []
    for number, size in enumerate(sizes):
        wanted = shape[len(kept)] if len(kept) < len(shape) else None
        if wanted == (size if isinstance(size, int) else DYNAMIC_INDEX):
            kept.append(number)
    return kept


@writes("memref.reinterpret_cast")
def reinterpret(writer: FunctionWriter, op: Operation) -> None:
    buffer, parts = _views(writer, op)
    if buffer is None:
        writer.call_foreign(op)
        return
    ((offset,), sizes, strides) = parts
    writer.buffers[op.results[0]] = Buffer(buffer.pointer, offset, sizes, strides)


@writes("memref.cast", "memref.memory_space_cast")
def cast(writer: FunctionWriter, op: Operation) -> None:
    buffer, type = writer.buffers.get(op.operands[0]), op.results[0].type
    if buffer is None or not isa(type, MemRefType[Attribute]):
        writer.call_foreign(op)
        return
    pointer, wanted = buffer.pointer, _pointer_type(type)
    if pointer.rpartition(" ")[0] != wanted:
        pointer = f"{wanted} {writer.step(op, f'addrspacecast {pointer} to {wanted}')}"
    writer.buffers[op.results[0]] = Buffer(pointer, buffer.offset, buffer.sizes, buffer.strides)


@writes("memref.alloca", "memref.alloc")
def allocate(writer: FunctionWriter, op: Operation) -> None:
    (result,) = op.results
    type = result.type
    assert isa(type, MemRefType[Attribute])
    layout = memref_strides(type)
    if layout is None or DYNAMIC_INDEX in type.get_shape():
        writer.refuse(op, "allocates memory of a size that is computed at run time, which is not supported")
    given = op.properties.get("alignment")
    alignment = given.value.data if isinstance(given, IntegerAttr) else MOST_ALIGNED
    memory = f"[{type.element_count()} x {type_text(type.element_type)}]"
    if _pointer_type(type) == SHARED:
        pointer = f"{SHARED} {writer.share(memory, alignment)}"
    else:
        writer.allocate(op, f"alloca {memory}, align {alignment}", result)
        pointer = f"ptr {writer.value(result)}"
    writer.buffers[result] = Buffer(pointer, 0, list(type.get_shape()), [stride or 0 for stride in layout[0]])


def _element(writer: FunctionWriter, op: Operation, buffer: SSAValue, places: Sequence[SSAValue]) -> str | None:
    """Returns the pointer to an element of a buffer, with its type; None for a buffer that is no descriptor."""
    known = writer.buffers.get(buffer)
    if known is None:
        return None
    assert isa(buffer.type, MemRefType[Attribute])
    number = _moved(writer, op, known.offset, [writer.value(place) for place in places], known.strides)
    address = f"getelementptr {type_text(buffer.type.element_type)}, {known.pointer}, {_NUMBER} {number}"
    return f"{known.pointer.rpartition(' ')[0]} {writer.step(op, address)}"


@writes("memref.load")
def load(writer: FunctionWriter, op: Operation) -> None:
    pointer = _element(writer, op, op.operands[0], op.operands[1:])
    if pointer is None:
        writer.call_foreign(op)
        return
    (result,) = op.results
    writer.emit(op, f"load {writer.type(result.type)}, {pointer}", result=result)


@writes("memref.store")
def store(writer: FunctionWriter, op: Operation) -> None:
    pointer = _element(writer, op, op.operands[1], op.operands[2:])
    if pointer is None:
        writer.call_foreign(op)
        return
    writer.emit(op, f"store {writer.typed(op.operands[0])}, {pointer}")


_UPDATES = {
    "addf": "fadd",
    "addi": "add",
    "andi": "and",
    "assign": "xchg",
    "ori": "or",
    "xori": "xor",
    "maxs": "max",
    "maxu": "umax",
    "mins": "min",
    "minu": "umin",
    "maximumf": "fmaximum",
    "maxnumf": "fmax",
    "minimumf": "fminimum",
    "minnumf": "fmin",
}
"""The instructions of LLVM IR for kinds of updates."""


@writes("memref.atomic_rmw")
def update(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, AtomicRMWOp)
    opcode = _UPDATES.get(op.kind_name)
    pointer = None if opcode is None else _element(writer, op, op.memref, op.indices)
    if pointer is None:
        writer.call_foreign(op)
        return
    writer.emit(op, f"atomicrmw {opcode} {pointer}, {writer.typed(op.value)} monotonic", result=op.results[0])


@writes("memref.extract_aligned_pointer_as_index")
def aligned_pointer(writer: FunctionWriter, op: Operation) -> None:
    found = writer.buffers.get(op.operands[0])
    if found is None:
        writer.call_foreign(op)
        return
    writer.emit(op, f"ptrtoint {found.pointer} to {_NUMBER}", result=op.results[0])


@writes("memref.extract_strided_metadata")
def strided_metadata(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, ExtractStridedMetaDataOp)
    found = writer.buffers.get(op.source)
    if found is None:
        writer.call_foreign(op)
        return
    writer.buffers[op.base_buffer] = Buffer(found.pointer, 0, [], [])
    results = [op.offset, *op.sizes, *op.strides]
    for result, number in zip(results, [found.offset, *found.sizes, *found.strides], strict=True):
        writer.emit(op, f"add {_NUMBER} {number}, 0", result=result)


@writes("memref.dim")
def dimension(writer: FunctionWriter, op: Operation) -> None:
    found, place = writer.buffers.get(op.operands[0]), writer.value(op.operands[1])
    if found is None or not place.isdigit():
        writer.call_foreign(op)
        return
    writer.emit(op, f"add {_NUMBER} {found.sizes[int(place)]}, 0", result=op.results[0])


@writes("builtin.unrealized_conversion_cast")
def unrealized_cast(writer: FunctionWriter, op: Operation) -> None:
    """Writes a cast between two types with one form in LLVM IR; that of a descriptor to a buffer is none by itself."""
    if len(op.operands) == len(op.results) == 1:
        before, after = op.operands[0], op.results[0]
        if isa(after.type, MemRefType[Attribute]) and _is_descriptor(before.type, after.type):
            writer.buffers[after] = _of_structure(writer, op, before, after.type)
            return
        if (buffer := writer.buffers.get(before)) is not None and isinstance(after.type, LLVMStructType):
            _structure(writer, op, buffer, after)
            return
        if not is_buffer(before.type) and writer.type(before.type) == writer.type(after.type):
            writer.emit(op, f"bitcast {writer.typed(before)} to {writer.type(after.type)}", result=after)
            return
    if any(True for result in op.results for _ in result.uses):
        types = (", ".join(str(value.type) for value in values) for values in (op.operands, op.results))
        writer.refuse(op, "casts {} to {}, which have no common form in LLVM IR".format(*types))
