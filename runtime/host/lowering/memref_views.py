"""Views of memrefs. Subviews are checked to lie within their source."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, MemRefType, UnrankedMemRefType
from xdsl.dialects.memref import CollapseShapeOp, DimOp, ExtractStridedMetaDataOp, SubviewOp, ViewOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from passes.support import normal_forms
from runtime.host.data.types import memory_type
from runtime.host.emission.emitter import REACH, FunctionEmitter, lowers
from runtime.host.emission.memref_descriptors import (
    CodeArithmetic,
    MemRefDescriptor,
    contiguous_strides,
    descriptor,
    element_address,
    load_element,
    memref_of,
    number_of,
    product,
    static_layout,
    total,
)
from runtime.host.lowering.arith_casts import resized
from runtime.llvm import Value, constant, integer, mangled
from xegpu.dialects.upstream.memref import (
    CastOp,
    ExpandShapeOp,
    ExtractAlignedPointerAsIndexOp,
    MemorySpaceCastOp,
    RankOp,
    ReinterpretCastOp,
    ReshapeOp,
    TransposeOp,
)

_HEADER = 24
"""Bytes of a descriptor in memory before the sizes and strides: two pointers and the offset."""


def _give(emitter: FunctionEmitter, op: Operation, made: MemRefDescriptor) -> None:
    """Binds the result to a descriptor, after checking the numbers that the result's type fixes."""
    type = memref_of(op.results[0].type)
    sizes, strides, offset = static_layout(emitter, op, type)
    _must_be(emitter, op, "the size {0} in dimension %d, expected {1}", sizes, made.sizes)
    _must_be(emitter, op, "the stride {0} in dimension %d, expected {1}", strides, made.strides)
    if offset is not None:
        _must_be(emitter, op, "the offset {0}, expected {1}", [offset], [made.offset])
    emitter.give(op.results[0], *made.parts)


def _must_be(
    emitter: FunctionEmitter, op: Operation, text: str, wanted: Sequence[int | None], values: Sequence[Value]
) -> None:
    for dimension, (number, value) in enumerate(zip(wanted, values, strict=True)):
        if number is None or number_of(value) == number:
            continue
        differs = emitter.code.compare("icmp ne", value, integer(number))
        emitter.fail_if(differs, op, "gives " + text.replace("%d", str(dimension)), value, integer(number))


def _mixed(emitter: FunctionEmitter, static: DenseArrayBase[IntegerType], operands: Sequence[SSAValue]) -> list[Value]:
    """Returns numbers of which some are in properties and the others are operands."""
    return normal_forms.mixed(
        static.get_values(), operands, lambda value: integer(value) if isinstance(value, int) else emitter.one(value)
    )


@lowers(SubviewOp)
def subview(emitter: FunctionEmitter, op: SubviewOp) -> None:
    arithmetic, source = CodeArithmetic(emitter.code), descriptor(emitter, op, op.source)
    offsets = _mixed(emitter, op.static_offsets, op.offsets)
    sizes = _mixed(emitter, op.static_sizes, op.sizes)
    steps = _mixed(emitter, op.static_strides, op.strides)
    for dimension, (*cut, extent) in enumerate(zip(offsets, sizes, steps, source.sizes, strict=True)):
        _check_inside(emitter, op, dimension, (cut[0], cut[1], cut[2]), extent)
    view = normal_forms.subview(arithmetic, source.view, offsets, sizes, steps)
    kept = normal_forms.kept_dimensions(arithmetic, view, memref_of(op.result.type))
    if kept is None:
        emitter.refuse(op, f"with a result of {op.result.type} is not supported: its dimensions are not the view's")
    _give(emitter, op, source.seen_as(view.keeping(kept)))


def _check_inside(
    emitter: FunctionEmitter, op: Operation, dimension: int, cut: tuple[Value, Value, Value], extent: Value
) -> None:
    """Ends the program unless the first and the last element of the subview exist; it may be empty."""
    code, (offset, size, step) = emitter.code, cut
    negative = code.compare("icmp slt", size, integer(0))
    emitter.fail_if(negative, op, f"has the size {{0}} in dimension {dimension}", size)
    last = total(code, offset, product(code, total(code, size, integer(-1)), step))
    some = code.compare("icmp ne", size, integer(0))
    for position in (offset, last):
        outside = code.binary("and", some, code.compare("icmp uge", position, extent))
        emitter.fail_if(
            outside, op, f"is out of bounds: it reaches {{0}} in dimension {dimension} of size {{1}}", position, extent
        )


@lowers(ReinterpretCastOp)
def reinterpret_cast(emitter: FunctionEmitter, op: ReinterpretCastOp) -> None:
    """The program is trusted, except that elements must not leave memory whose size is known."""
    if isinstance(op.source.type, UnrankedMemRefType):
        _, pointer = emitter.parts(op.source)
        allocated, aligned = (emitter.code.load("ptr", emitter.code.offset(pointer, at), 8) for at in (0, 8))
    else:
        allocated, aligned = emitter.parts(op.source)[:2]
    (offset,) = _mixed(emitter, op.static_offsets, op.offsets)
    sizes = tuple(_mixed(emitter, op.static_sizes, op.sizes))
    strides = tuple(_mixed(emitter, op.static_strides, op.strides))
    made = MemRefDescriptor(allocated, aligned, offset, sizes, strides)
    _check_reach(emitter, op, made)
    _give(emitter, op, made)


def _check_reach(emitter: FunctionEmitter, op: Operation, memref: MemRefDescriptor) -> None:
    """Ends the program if elements are outside of their memory; there may be none at all."""
    code = emitter.code
    first = last = memref.offset
    some = constant("i1", "true")
    for size, stride in zip(memref.sizes, memref.strides, strict=True):
        distance = product(code, total(code, size, integer(-1)), stride)
        for name in ("smin", "smax"):
            part = code.call(mangled(name, "i64"), "i64", distance, integer(0))
            first, last = (total(code, first, part), last) if name == "smin" else (first, total(code, last, part))
        some = code.binary("and", some, code.compare("icmp sgt", size, integer(0)))
    element = memory_type(memref_of(op.results[0].type).element_type)
    start = code.offset(memref.aligned, product(code, first, integer(element.size)))
    end = code.offset(memref.aligned, product(code, total(code, last, integer(1)), integer(element.size)))
    with code.if_(some):
        name = code.module.intrinsic(REACH, "i32", ["i32", "ptr", "ptr", "ptr"])
        emitter.fail_with(code.call(name, "i32", constant("i32", emitter.site(op, "")), memref.allocated, start, end))


@lowers(ViewOp)
def view(emitter: FunctionEmitter, op: ViewOp) -> None:
    code, source, type = emitter.code, descriptor(emitter, op, op.source), memref_of(op.result.type)
    given, shift = iter(op.sizes), emitter.one(op.byte_shift)
    sizes = tuple(emitter.one(next(given)) if s == DYNAMIC_INDEX else integer(s) for s in type.get_shape())
    end = integer(memory_type(type.element_type).size)
    for dimension, size in enumerate(sizes):
        if number_of(size) is None:
            wrong = code.compare("icmp ugt", size, integer(1 << 40))
            emitter.fail_if(wrong, op, f"has the size {{0}} in dimension {dimension}", size)
        end = product(code, end, size)
    end = total(code, end, shift)
    for wrong in (code.compare("icmp slt", shift, integer(0)), code.compare("icmp sgt", end, source.sizes[0])):
        emitter.fail_if(wrong, op, "is out of bounds: it ends at byte {0} of {1}", end, source.sizes[0])
    start = code.offset(source.aligned, total(code, source.offset, shift))
    strides = contiguous_strides(code, sizes)
    _give(emitter, op, MemRefDescriptor(source.allocated, start, integer(0), sizes, strides))


@lowers(TransposeOp)
def transpose(emitter: FunctionEmitter, op: TransposeOp) -> None:
    source = descriptor(emitter, op, op.source)
    order = [result.position for result in op.permutation.data.results if isinstance(result, AffineDimExpr)]
    _give(emitter, op, source.seen_as(source.view.keeping(order)))


@lowers(ReshapeOp)
def reshape(emitter: FunctionEmitter, op: ReshapeOp) -> None:
    """Takes the sizes from a memref; they must amount to the same number of elements."""
    type = op.result.type
    if not isinstance(op.source.type, MemRefType) or not isinstance(type, MemRefType):
        emitter.refuse(op, "of unranked memrefs is not supported in host code")
    code, source, shape = emitter.code, descriptor(emitter, op, op.source), descriptor(emitter, op, op.shape)
    element = memref_of(op.shape.type).element_type
    rank = type.get_num_dims()
    sizes = tuple(
        resized(code, load_element(emitter, op, _size_place(emitter, shape, n, element), element), "i64", signed=True)
        for n in range(rank)
    )
    wanted, present = integer(1), integer(1)
    for size in sizes:
        wanted = product(code, wanted, size)
    for size in source.sizes:
        present = product(code, present, size)
    emitter.fail_if(code.compare("icmp ne", wanted, present), op, "makes {0} elements of {1}", wanted, present)
    strides = contiguous_strides(code, sizes)
    _give(emitter, op, MemRefDescriptor(source.allocated, source.aligned, source.offset, sizes, strides))


def _size_place(emitter: FunctionEmitter, shape: MemRefDescriptor, number: int, element: Attribute) -> Value:
    return element_address(emitter, shape, [integer(number)], memory_type(element))


@lowers(ExpandShapeOp)
def expand_shape(emitter: FunctionEmitter, op: ExpandShapeOp) -> None:
    code, source, groups = emitter.code, descriptor(emitter, op, op.src), normal_forms.groups_of(op)
    sizes = _mixed(emitter, op.static_output_shape, op.output_shape)
    for dimension, (group, extent) in enumerate(zip(groups, source.sizes, strict=False)):
        whole = integer(1)
        for member in reversed(group):
            whole = product(code, whole, sizes[member])
        if whole != extent:
            text = f"makes {{0}} elements of {{1}} in dimension {dimension}"
            emitter.fail_if(code.compare("icmp ne", whole, extent), op, text, whole, extent)
    _give(emitter, op, source.seen_as(normal_forms.expanded(CodeArithmetic(code), source.view, groups, sizes)))


@lowers(CollapseShapeOp)
def collapse_shape(emitter: FunctionEmitter, op: CollapseShapeOp) -> None:
    code, source, groups = emitter.code, descriptor(emitter, op, op.src), normal_forms.groups_of(op)
    for group in groups:
        for inner, outer in zip(group[:0:-1], group[-2::-1], strict=True):
            expected = product(code, source.strides[inner], source.sizes[inner])
            if source.strides[outer] != expected and source.sizes[outer].name != "1":
                apart = code.compare("icmp ne", source.strides[outer], expected)
                several = code.compare("icmp ugt", source.sizes[outer], integer(1))
                text = f"joins dimensions {outer} and {inner}, which do not lie side by side"
                emitter.fail_if(code.binary("and", apart, several), op, text)
    _give(emitter, op, source.seen_as(normal_forms.collapsed(CodeArithmetic(code), source.view, groups)))


@lowers(CastOp)
def cast(emitter: FunctionEmitter, op: Operation) -> None:
    source, target = op.operands[0].type, op.results[0].type
    if isinstance(source, MemRefType) and isinstance(target, MemRefType):
        _give(emitter, op, descriptor(emitter, op, op.operands[0]))
    elif isinstance(source, MemRefType):
        _to_unranked(emitter, op, descriptor(emitter, op, op.operands[0]))
    elif isinstance(target, MemRefType):
        _from_unranked(emitter, op)
    else:
        emitter.give(op.results[0], *emitter.parts(op.operands[0]))


def _to_unranked(emitter: FunctionEmitter, op: Operation, source: MemRefDescriptor) -> None:
    """Binds the result to a descriptor in memory, which is written here."""
    memory = emitter.variable(f"[{_HEADER + 16 * len(source.sizes)} x i8]")
    for number, part in enumerate(source.parts):
        emitter.code.store(part, emitter.code.offset(memory, 8 * number), 8)
    emitter.give(op.results[0], integer(len(source.sizes)), memory)


def _from_unranked(emitter: FunctionEmitter, op: Operation) -> None:
    code, (rank, memory), type = emitter.code, emitter.parts(op.operands[0]), memref_of(op.results[0].type)
    wanted = integer(type.get_num_dims())
    emitter.fail_if(code.compare("icmp ne", rank, wanted), op, "has a memref of rank {0}, expected {1}", rank, wanted)
    types = emitter.types(op, type)
    parts = tuple(code.load(part, code.offset(memory, 8 * number), 8) for number, part in enumerate(types))
    rank_of = type.get_num_dims()
    _give(emitter, op, MemRefDescriptor(parts[0], parts[1], parts[2], parts[3 : 3 + rank_of], parts[3 + rank_of :]))


@lowers(MemorySpaceCastOp)
def memory_space_cast(emitter: FunctionEmitter, op: Operation) -> None:
    """The host has one memory."""
    emitter.give(op.results[0], *emitter.parts(op.operands[0]))


@lowers(DimOp)
def dim(emitter: FunctionEmitter, op: DimOp) -> None:
    code, index = emitter.code, emitter.one(op.index)
    if isinstance(op.source.type, UnrankedMemRefType):
        rank, memory = emitter.parts(op.source)
        outside = code.compare("icmp uge", index, rank)
        emitter.fail_if(outside, op, "asks for dimension {0} of {1}", index, rank)
        distance = total(code, integer(_HEADER), product(code, index, integer(8)))
        emitter.give(op.result, code.load("i64", code.offset(memory, distance), 8))
        return
    sizes = descriptor(emitter, op, op.source).sizes
    if (number := number_of(index)) is not None and 0 <= number < len(sizes):
        emitter.give(op.result, sizes[number])
        return
    rank = integer(len(sizes))
    emitter.fail_if(code.compare("icmp uge", index, rank), op, "asks for dimension {0} of {1}", index, rank)
    found = sizes[-1] if sizes else integer(0)
    for number, size in enumerate(sizes[:-1]):
        found = code.select(code.compare("icmp eq", index, integer(number)), size, found)
    emitter.give(op.result, found)


@lowers(RankOp)
def rank(emitter: FunctionEmitter, op: RankOp) -> None:
    type = op.source.type
    emitter.give(op.rank, integer(type.get_num_dims()) if isinstance(type, MemRefType) else emitter.parts(op.source)[0])


@lowers(ExtractAlignedPointerAsIndexOp)
def aligned_pointer(emitter: FunctionEmitter, op: Operation) -> None:
    source = op.operands[0]
    parts = emitter.parts(source)
    pointer = parts[1]
    if isinstance(source.type, UnrankedMemRefType):
        pointer = emitter.code.load("ptr", emitter.code.offset(parts[1], 8), 8)
    emitter.give(op.results[0], emitter.code.cast("ptrtoint", pointer, "i64"))


@lowers(ExtractStridedMetaDataOp)
def strided_metadata(emitter: FunctionEmitter, op: ExtractStridedMetaDataOp) -> None:
    source = descriptor(emitter, op, op.source)
    emitter.give(op.base_buffer, source.allocated, source.aligned, integer(0))
    emitter.give(op.offset, source.offset)
    for values, parts in ((op.sizes, source.sizes), (op.strides, source.strides)):
        for value, part in zip(values, parts, strict=True):
            emitter.give(value, part)
