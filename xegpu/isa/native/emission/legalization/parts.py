"""Parts of instructions that rules of legalization put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import (
    CONTIGUOUS,
    SCALAR,
    Destination,
    Immediate,
    Region,
    Register,
    RegisterFile,
    SourceRegister,
    grf,
)
from xegpu.isa.model.table import BY_MNEMONIC
from xegpu.isa.model.types import DataType, integer
from xegpu.isa.native.emission.words.context import UnsupportedEmission

Source = SourceRegister | Immediate

WIDE_BITS = 64
HALF_BYTES = 4
SIGN_SHIFT = Immediate.of(31, DataType.UW)
"""The count that leaves the sign of a dword."""


def plain(
    like: Instruction, mnemonic: str, destination: Destination, *sources: Source, lanes: int | None = None
) -> Instruction:
    """Returns an instruction for the same channels, without predicate and condition."""
    return Instruction(
        BY_MNEMONIC[mnemonic],
        like.exec_size if lanes is None else lanes,
        like.channel_offset if lanes is None else 0,
        like.no_mask if lanes is None else True,
        destination=destination,
        sources=sources,
    )


def scalar_move(register: Register, immediate: Immediate) -> Instruction:
    """Returns the move of a constant to one element."""
    return Instruction(
        BY_MNEMONIC["mov"], no_mask=True, destination=Destination(register, immediate.type), sources=(immediate,)
    )


def copy_dword(like: Instruction, target: Register, source: Register) -> Instruction:
    """Returns the move of a dword."""
    return plain(like, "mov", Destination(target, DataType.UD), SourceRegister(source, DataType.UD, SCALAR), lanes=1)


def is_scalar(source: SourceRegister, lanes: int) -> bool:
    """Returns whether all channels read the same element."""
    return lanes == 1 or source.region == SCALAR


def contiguous(register: Register, type: DataType, lanes: int) -> SourceRegister:
    """Returns a register as a source."""
    return SourceRegister(register, type, CONTIGUOUS if lanes > 1 else SCALAR)


def half(source: Source, is_high: bool, *, signed: bool = False) -> Source:
    """Returns the low or high dword of a source of 64 bits, with a sign or without."""
    type = DataType.D if signed else DataType.UD
    if isinstance(source, Immediate):
        return Immediate(type, source.bits >> 32 * is_high & 0xFFFFFFFF)
    if source.negate or source.absolute:
        raise UnsupportedEmission("a changed sign of an integer of 64 bits")
    if source.register.file is not RegisterFile.GRF:
        raise UnsupportedEmission("64 bits of an architecture register or by address")
    register = replace(source.register, byte=source.register.byte + HALF_BYTES * is_high)
    return SourceRegister(register, type, doubled(source.region))


def half_of(destination: Destination, is_high: bool) -> Destination:
    """Returns the low or high dwords of a destination of 64 bits."""
    register = replace(destination.register, byte=destination.register.byte + HALF_BYTES * is_high)
    return Destination(register, DataType.UD, 2 * destination.stride)


def doubled(region: Region) -> Region:
    """Returns a region in elements of half the size."""
    return Region(2 * region.vertical, region.width, 2 * region.horizontal)


def is_wide(instruction: Instruction) -> bool:
    """Returns whether an instruction has integers of 64 bits."""
    types = [source.type for source in instruction.sources]
    if instruction.destination is not None:
        types.append(instruction.destination.type)
    return any(type.bits == WIDE_BITS and not type.is_float for type in types)


def bits_of(type: DataType) -> DataType:
    """Returns the unsigned integer of the size of a type."""
    return integer(type.bits, signed=False)


def end(register: Register, grf_bytes: int, span: int) -> tuple[int, int]:
    """Returns the first byte of an operand in the file, and that behind it."""
    first = register.number * grf_bytes + register.byte
    return first, first + span


def reach(source: SourceRegister, lanes: int) -> int:
    """Returns the bytes from the start of a source to the end of its last element."""
    return source.region.span(lanes) * source.type.size


def overlap(destination: Destination, source: SourceRegister, lanes: int, grf_bytes: int) -> bool:
    """Returns whether a destination covers bytes of a source."""
    if source.register.file is not RegisterFile.GRF or destination.register.file is not RegisterFile.GRF:
        return False
    size = ((lanes - 1) * destination.stride + 1) * destination.type.size
    first, last = end(destination.register, grf_bytes, size)
    start, stop = end(source.register, grf_bytes, reach(source, lanes))
    return first < stop and start < last


def moved(register: Register, bytes_: int, grf_bytes: int) -> Register:
    """Returns the register some bytes further on."""
    if register.file is not RegisterFile.GRF:
        return register
    number, byte = divmod(register.number * grf_bytes + register.byte + bytes_, grf_bytes)
    return grf(number, byte)


def widened(like: Instruction, source: Source, register: Register, type: DataType) -> tuple[list[Instruction], Source]:
    """Returns what makes a source one of a wider type, and that source."""
    is_changed = isinstance(source, SourceRegister) and (source.negate or source.absolute)
    if source.type.bits == type.bits and not is_changed:
        return [], source
    if isinstance(source, Immediate):
        return [], Immediate.of(source.value(), type)
    lanes = 1 if is_scalar(source, like.exec_size) else like.exec_size
    move = plain(like, "mov", Destination(register, type), source, lanes=lanes)
    return [move], contiguous(register, type, lanes)


def mixed_signs(sources: Sequence[Source]) -> bool:
    """Returns whether some sources have signs and others not."""
    return len({source.type.is_signed for source in sources}) > 1
