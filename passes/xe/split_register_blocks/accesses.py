"""The bytes of register blocks that an `xe` operation reads and writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import I32, ArrayAttr, IntegerAttr, i32
from xdsl.ir import Attribute, Operation

from xegpu.dialects.xe import (
    AluOp,
    DpasOp,
    GRFType,
    ImageOp,
    LookupOp,
    MessageOp,
    ReadAttr,
    WriteAttr,
    register_type,
)
from xegpu.isa import Destination, Instruction, SourceRegister
from xegpu.isa.formats import HANDLE_BYTES, dpas_footprint
from xegpu.isa.model import CONTIGUOUS, DataType, grf, touched_bytes
from xegpu.targets import Target


@dataclass(frozen=True)
class Access:
    """Bytes of a register block. `number` is that of the operand or result; `is_whole` excludes gaps and masks."""

    number: int
    offset: int
    size: int
    is_whole: bool = True


_SURFACE_BYTES = 32
"""The bytes of the address registers that a block-2D message reads."""


def reads(op: Operation, target: Target) -> Iterator[Access]:
    """Yields the bytes that an operation reads of its operands, without the operand that is tied to the result."""
    match op:
        case AluOp():
            first, size = len(op.operands) - len(op.inputs), op.exec_size.value.data
            registers = [read.data for read in op.reads if isinstance(read, ReadAttr)]
            for number, read in enumerate(registers, first):
                yield Access(number, read.offset, read.region.span(size) * read.type.size)
        case DpasOp():
            first = 0 if op.into is None else 1
            _, *sizes = _dpas_bytes(op, target)
            described = [read.data for read in op.reads][1 if op.c is None else 0 :]
            for number, (read, size) in enumerate(zip(described, sizes, strict=True), first):
                yield Access(number, read.offset, size)
        case MessageOp():
            message, size = op.message.data, op.exec_size.value.data
            first = sum(operand is not None for operand in (op.into, op.flag))
            addresses = (1 if message.transposed else size) * message.address_size.size
            if message.block is not None:
                addresses = _SURFACE_BYTES
            yield Access(first, _number(op.address_offset), addresses)
            if op.data is not None:
                used = touched_bytes(
                    message, size, target.platform.grf_bytes, target.platform.physical_simd_width, op.SPEC.sources
                )
                yield Access(first + 1, _number(op.data_offset), used)
        case ImageOp():
            coordinates, components = op.accesses(target)
            places = {"address": coordinates, "data": components}
            for number, name in _image_operands(op):
                yield Access(number, _number(getattr(op, f"{name}_offset")), places.get(name, HANDLE_BYTES))
        case LookupOp():
            first = 0 if op.into is None else 1
            yield Access(first, 0, register_type(op.source).size.data)
            yield Access(first + 1, op.offsets_at.value.data, op.exec_size.value.data * DataType.UW.size)
        case _:
            for number, operand in enumerate(op.operands):
                if isinstance(operand.type, GRFType):
                    yield Access(number, 0, operand.type.size.data)


def writes(op: Operation, target: Target) -> Iterator[Access]:
    """Yields the bytes that an operation writes of its results."""
    match op:
        case AluOp():
            size = op.exec_size.value.data
            if op.write is not None:
                write = op.write.data
                covers = write.stride == 1 and op.no_mask is not None and (op.flag is None or op.SPEC.mnemonic == "sel")
                yield Access(0, write.offset, ((size - 1) * write.stride + 1) * write.type.size, covers)
            if op.carry is not None:
                yield Access(len(op.results) - 1, 0, size * DataType.UD.size)
        case DpasOp():
            yield Access(0, op.write.data.offset, _dpas_bytes(op, target)[0])
        case MessageOp() if op.result is not None:
            message, size = op.message.data, op.exec_size.value.data
            used = touched_bytes(message, size, target.platform.grf_bytes, target.platform.physical_simd_width)
            yield Access(0, _number(op.result_offset), used, op.no_mask is not None and op.flag is None)
        case ImageOp() if op.result is not None:
            used = op.accesses(target)[1]
            is_whole = op.no_mask is not None and op.flag is None
            yield Access(0, _number(op.result_offset), used, is_whole)
        case LookupOp():
            write, size = op.write.data, op.exec_size.value.data
            used = ((size - 1) * write.stride + 1) * write.type.size
            yield Access(0, write.offset, used, write.stride == 1)
        case _:
            for number, result in enumerate(op.results):
                if isinstance(result.type, GRFType):
                    yield Access(number, 0, result.type.size.data)


def moved(op: Operation, operands: Mapping[int, int], results: Mapping[int, int]) -> dict[str, Attribute]:
    """Returns the properties of an operation whose accesses begin at other offsets.

    Args:
        op: The operation, whose own properties stay as they are.
        operands: The new offset in bytes of each operand that has moved.
        results: The new offset in bytes of each result that has moved.
    """
    properties = dict(op.properties)
    if 0 in results and (write := op.properties.get("write")) is not None:
        assert isinstance(write, WriteAttr)
        properties["write"] = WriteAttr(replace(write.data, offset=results[0]))
    elif 0 in results and isinstance(op, MessageOp | ImageOp):
        _state_offset(properties, "result_offset", results[0])
    match op:
        case AluOp() | DpasOp():
            properties["reads"] = ArrayAttr(_moved_reads(op, operands))
        case MessageOp():
            first = sum(operand is not None for operand in (op.into, op.flag))
            for number, name in ((first, "address_offset"), (first + 1, "data_offset")):
                if number in operands:
                    _state_offset(properties, name, operands[number])
        case ImageOp():
            for number, name in _image_operands(op):
                if number in operands:
                    _state_offset(properties, f"{name}_offset", operands[number])
        case LookupOp():
            number = len(op.operands) - 1
            if number in operands:
                properties["offsets_at"] = IntegerAttr(operands[number], i32)
        case _ if isinstance(read := op.properties.get("read"), ReadAttr) and 0 in operands:
            properties["read"] = ReadAttr(replace(read.data, offset=operands[0]))
        case _:
            pass
    return properties


def _image_operands(op: ImageOp) -> Iterator[tuple[int, str]]:
    """Yields the number and the name of each operand that an image message reads."""
    number = 0
    for name in ("surface", "sampler", "into", "flag", "address", "data"):
        if getattr(op, name) is not None:
            if name not in ("into", "flag"):
                yield number, name
            number += 1


def _state_offset(properties: dict[str, Attribute], name: str, offset: int) -> None:
    """States an offset that is left out where it is 0."""
    properties.pop(name, None)
    if offset:
        properties[name] = IntegerAttr(offset, i32)


def _moved_reads(op: AluOp | DpasOp, operands: Mapping[int, int]) -> Iterator[Attribute]:
    """Yields the descriptions of the sources; constants, and an accumulator that is zero, have no operand."""
    absent = isinstance(op, DpasOp) and op.c is None
    number = len(op.operands) - sum(isinstance(read, ReadAttr) for read in op.reads) + absent
    for read in op.reads:
        if absent or not isinstance(read, ReadAttr):
            absent = False
            yield read
            continue
        yield ReadAttr(replace(read.data, offset=operands.get(number, read.data.offset)))
        number += 1


def _dpas_bytes(op: DpasOp, target: Target) -> list[int]:
    """Returns the bytes of D, C (unless it is zero), B and A."""
    place = grf(0)
    described = [read.data for read in op.reads]
    sources = tuple(SourceRegister(place, read.type, CONTIGUOUS) for read in described)
    instruction = Instruction(
        op.SPEC,
        op.exec_size.value.data,
        destination=Destination(place, op.write.data.type),
        sources=sources,
        repeat=op.repeat.value.data,
    )
    found = dpas_footprint(instruction, target)
    reads = found.reads if op.c is not None else found.reads[1:]
    return [found.writes[0].size, *(span.size for span in reads)]


def _number(attribute: IntegerAttr[I32] | None) -> int:
    return 0 if attribute is None else attribute.value.data
