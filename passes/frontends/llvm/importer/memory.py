"""Imports instructions that make pointers and access memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, UnitAttr, i1, i64
from xdsl.dialects.llvm import AllocaOp, ExtractValueOp, IntToPtrOp, LLVMPointerType, PtrToIntOp
from xdsl.ir import Attribute, SSAValue

from passes.frontends.llvm.importer.function import FunctionImporter, Parts, imports, source_type
from passes.frontends.llvm.importer.layout import MOST_LEAVES, alignment, leaf_count, leaves, plain
from passes.frontends.llvm.reader import Access, Instruction, Source
from xegpu.dialects.upstream.llvm import (
    AddrSpaceCastOp,
    AtomicCmpXchgOp,
    AtomicRMWOp,
    FenceOp,
    LoadOp,
    StoreOp,
    UpdateKind,
)

_ORDERINGS = {None: 0, "unordered": 1, "monotonic": 2, "acquire": 4, "release": 5, "acq_rel": 6, "seq_cst": 7}
_KINDS = {str(kind).removeprefix("_"): kind for kind in UpdateKind}


def load(importer: FunctionImporter, pointer: SSAValue, type: Attribute, access: Access) -> Parts:
    """Loads the value behind a pointer, part by part."""
    found = []
    for leaf, offset, known in _placed(importer, type, access):
        importer.check(leaf)
        place = importer.builder.offset(pointer, offset)
        loaded = LoadOp.create(operands=[place], result_types=[leaf], properties=_properties(known, access))
        found.append(importer.builder.add(loaded))
    return tuple(found)


def store(importer: FunctionImporter, parts: Parts, pointer: SSAValue, type: Attribute, access: Access) -> None:
    """Stores the parts of a value behind a pointer."""
    for part, (_, offset, known) in zip(parts, _placed(importer, type, access), strict=True):
        place = importer.builder.offset(pointer, offset)
        importer.builder.insert(StoreOp.create(operands=[part, place], properties=_properties(known, access)))


def _properties(alignment: int, access: Access) -> dict[str, Attribute]:
    """Returns what loads and stores have besides operands."""
    return _known_properties(alignment, _ORDERINGS[access.ordering], access.volatile)


@cache
def _known_properties(alignment: int, ordering: int, is_volatile: bool) -> dict[str, Attribute]:
    properties: dict[str, Attribute] = {
        "ordering": IntegerAttr(ordering, i64),
        "alignment": IntegerAttr(alignment, i64),
    }
    return properties | {"volatile_": UnitAttr()} if is_volatile else properties


def _placed(importer: FunctionImporter, type: Attribute, access: Access) -> Sequence[tuple[Attribute, int, int]]:
    """Returns types of parts, their offsets, and their alignments."""
    if leaf_count(type) > MOST_LEAVES:
        importer.builder.error(f"accesses a value of type {type}, which consists of more than {MOST_LEAVES} parts")
    start = access.alignment or alignment(type)
    return [(leaf, offset, min(start, offset & -offset) if offset else start) for leaf, offset in leaves(type)]


def access_of(instruction: Instruction) -> Access:
    """Returns how an instruction accesses memory."""
    assert isinstance(instruction.detail, Access)
    return instruction.detail


@imports("load")
def import_load(importer: FunctionImporter, instruction: Instruction) -> Parts:
    return load(importer, importer.value(instruction.operands[0]), instruction.type, access_of(instruction))


@imports("store")
def import_store(importer: FunctionImporter, instruction: Instruction) -> Parts | None:
    value, pointer = instruction.operands
    store(importer, importer.parts(value), importer.value(pointer), value.type, access_of(instruction))
    return None


@imports("alloca")
def allocate(importer: FunctionImporter, instruction: Instruction) -> Parts:
    type, detail = source_type(instruction), instruction.detail
    assert isinstance(detail, Source)
    count = importer.value(instruction.operands[0])
    return (importer.builder.add(AllocaOp(count, plain(type), detail.alignment or alignment(type))),)


@imports("getelementptr")
def element_pointer(importer: FunctionImporter, instruction: Instruction) -> Parts:
    pointer, *indices = instruction.operands
    inbounds = "inbounds" in instruction.flags
    return (importer.element_pointer(importer.value(pointer), source_type(instruction), indices, inbounds=inbounds),)


@imports("addrspacecast")
def cast_space(importer: FunctionImporter, instruction: Instruction) -> Parts:
    pointer = importer.value(instruction.operands[0])
    return (importer.builder.add(AddrSpaceCastOp(operands=[pointer], result_types=[instruction.type])),)


@imports("ptrtoint", "ptrtoaddr")
def pointer_number(importer: FunctionImporter, instruction: Instruction) -> Parts:
    importer.check(instruction.type)
    return (importer.builder.add(PtrToIntOp(importer.value(instruction.operands[0]), instruction.type)),)


@imports("inttoptr")
def number_pointer(importer: FunctionImporter, instruction: Instruction) -> Parts:
    number = importer.value(instruction.operands[0])
    return (importer.builder.add(IntToPtrOp.create(operands=[number], result_types=[instruction.type])),)


@imports("atomicrmw")
def update(importer: FunctionImporter, instruction: Instruction) -> Parts:
    access = access_of(instruction)
    kind = _KINDS.get(access.update or "")
    if kind is None:
        importer.builder.error(f"is an atomic update '{access.update}', which is not supported in a kernel")
    pointer, value = (importer.value(operand) for operand in instruction.operands)
    importer.check(value.type)
    if isinstance(value.type, LLVMPointerType):
        number = importer.builder.add(PtrToIntOp(value, i64))
        old = importer.builder.add(AtomicRMWOp(kind, pointer, number, access.ordering or "monotonic"))
        return (importer.builder.add(IntToPtrOp.create(operands=[old], result_types=[value.type])),)
    return (importer.builder.add(AtomicRMWOp(kind, pointer, value, access.ordering or "monotonic")),)


@imports("cmpxchg")
def exchange(importer: FunctionImporter, instruction: Instruction) -> Parts:
    pointer, expected, value = (importer.value(operand) for operand in instruction.operands)
    importer.check(value.type)
    if isinstance(value.type, LLVMPointerType):
        importer.builder.error("exchanges pointers, which is not supported in a kernel")
    ordering = access_of(instruction).ordering or "monotonic"
    failure = {"release": "monotonic", "acq_rel": "acquire"}.get(ordering, ordering)
    result = importer.builder.add(AtomicCmpXchgOp(pointer, expected, value, ordering, failure))
    return tuple(
        importer.builder.add(ExtractValueOp(DenseArrayBase.from_list(i64, [index]), result, type))
        for index, type in enumerate((value.type, i1))
    )


@imports("fence")
def fence(importer: FunctionImporter, instruction: Instruction) -> Parts | None:
    importer.builder.insert(FenceOp(access_of(instruction).ordering or "seq_cst"))
    return None
