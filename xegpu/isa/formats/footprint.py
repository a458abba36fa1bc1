"""Which bytes of the register file an instruction reads and writes."""

from __future__ import annotations

from dataclasses import dataclass

from xegpu.isa.formats.image_validation import HANDLE_BYTES
from xegpu.isa.formats.validation import dpas_operand_bytes
from xegpu.isa.model.image_messages import ELEMENT_BYTES
from xegpu.isa.model.image_messages import block_bytes as image_block_bytes
from xegpu.isa.model.instruction import IllegalInstruction, Instruction
from xegpu.isa.model.messages import Message, block_bytes, data_bytes
from xegpu.isa.model.operands import (
    ADDRESS,
    ARCHITECTURE,
    CHANNEL_ENABLE,
    CONTROL,
    VXH,
    Register,
    RegisterFile,
    SourceRegister,
)
from xegpu.isa.model.table import InstructionFormat, MemoryAccessKind
from xegpu.isa.model.types import DataType
from xegpu.targets import Target

FIRST_ARCHITECTURE = 256
"""Number of the first architecture register in the register file of compiled code."""

_ARCHITECTURE_ORDER = tuple(ARCHITECTURE)

_BLOCK2D_PAYLOAD = ((0, 8), (8, 4), (12, 4), (16, 4), (20, 4), (24, 4), (28, 4))
"""Offset and size of the fields of a block-2D message's payload."""


@dataclass(frozen=True, slots=True)
class Span:
    """`size` bytes of the register file from byte `start` on, accessed in elements of `unit` bytes.

    `by_address` marks bytes that are handed to a function by address.
    """

    start: int
    size: int
    unit: int
    by_address: bool = False

    @property
    def end(self) -> int:
        return self.start + self.size

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Footprint:
    """What an instruction reads and writes; what it may leave unchanged of what it writes, it reads as well."""

    reads: tuple[Span, ...] = ()
    writes: tuple[Span, ...] = ()

    def depends_on(self, other: Footprint) -> bool:
        """Whether the two must keep their order."""
        pairs = ((self.reads, other.writes), (self.writes, other.reads), (self.writes, other.writes))
        return any(a.overlaps(b) for ours, theirs in pairs for a in ours for b in theirs)


def footprint(
    instruction: Instruction, target: Target, grf_count: int, mask: int | None, *, reads_control: bool = False
) -> Footprint:
    """The registers that an instruction touches; flags, the execution mask and memory are not included.

    `mask` is the execution mask, None if it is not known. Indirect operands may be anywhere in `grf_count` registers.
    With `reads_control`, what an ALU instruction computes depends on the control register.
    """
    match instruction.spec.format:
        case InstructionFormat.ALU:
            found = _alu(instruction, target, grf_count)
            if reads_control:
                control = byte_of(Register(RegisterFile.ARF, CONTROL.number), target)
                found = Footprint((*found.reads, Span(control, CONTROL.size, CONTROL.size)), found.writes)
        case InstructionFormat.DPAS:
            found = dpas_footprint(instruction, target)
        case InstructionFormat.MESSAGE:
            found = _message(instruction, target)
        case InstructionFormat.IMAGE:
            found = _image(instruction, target)
        case InstructionFormat.BARRIER:
            return _barrier(instruction, target)
        case InstructionFormat.CALL | InstructionFormat.INDIRECT_CALL | InstructionFormat.RETURN:
            return _subroutine(instruction, target)
        case _:
            return Footprint()
    strided = instruction.destination is not None and instruction.destination.stride > 1
    if strided or not _all_on(instruction, mask):
        return Footprint(found.reads + found.writes, found.writes)
    return found


def _all_on(instruction: Instruction, mask: int | None) -> bool:
    """Whether the instruction is known to write all of its channels."""
    if instruction.predicate is not None and instruction.mnemonic != "sel":
        return False
    channels = (1 << instruction.exec_size) - 1
    return instruction.no_mask or (mask is not None and mask >> instruction.channel_offset & channels == channels)


def byte_of(register: Register, target: Target) -> int:
    """Where a register, from its subregister on, starts in the register file.

    Architecture registers have numbers behind all general ones; they never are in memory.
    """
    number = register.number
    if register.file is RegisterFile.ARF:
        number = FIRST_ARCHITECTURE + _ARCHITECTURE_ORDER.index(number)
    return number * target.grf_bytes + register.byte


def is_apart(register: Register) -> bool:
    """Whether a register is not part of the register file, and so of no footprint: `null`, flags, execution mask."""
    return register.is_null or register.flag is not None or register.is_part_of(CHANNEL_ENABLE)


def _subroutine(instruction: Instruction, target: Target) -> Footprint:
    """Dwords: where to go, and (of the way back) the execution mask."""
    read: tuple[Span, ...] = ()
    written: tuple[Span, ...] = ()
    if instruction.returned is not None:
        written = (Span(byte_of(instruction.returned, target), 8, 4),)
    if instruction.address is not None:
        size = 4 if instruction.spec.format is InstructionFormat.INDIRECT_CALL else 8
        read = (Span(byte_of(instruction.address, target), size, 4),)
    return Footprint((*read, *written) if instruction.predicate is not None else read, written)


def _alu(instruction: Instruction, target: Target, grf_count: int) -> Footprint:
    size = instruction.exec_size

    def spans(register: Register, elements: int, unit: int) -> list[Span]:
        if is_apart(register):
            return []
        if register.file is not RegisterFile.INDIRECT:
            return [Span(byte_of(register, target), elements * unit, unit)]
        return [Span(0, grf_count * target.grf_bytes, 1, by_address=True)]

    def addresses(register: Register, words: int) -> list[Span]:
        """What holds the addresses of an indirect operand."""
        if register.file is not RegisterFile.INDIRECT:
            return []
        first = Register(RegisterFile.ARF, ADDRESS.number, 2 * register.number)
        return [Span(byte_of(first, target), 2 * words, 2)]

    reads: list[Span] = []
    for source in instruction.sources:
        if isinstance(source, SourceRegister):
            reads += spans(source.register, source.region.span(size), source.type.size)
            rows = size // source.region.width if source.region.vertical == VXH else 1
            reads += addresses(source.register, rows)
    destination = instruction.destination
    written = []
    if destination is not None:
        written += spans(destination.register, (size - 1) * destination.stride + 1, destination.type.size)
        reads += addresses(destination.register, 1)
        if destination.register.file is RegisterFile.INDIRECT:
            reads += written
    if instruction.carry is not None:
        unit = DataType.UD.size
        written.append(Span(byte_of(instruction.carry, target), size * unit, unit))
    return Footprint(tuple(reads), tuple(written))


def dpas_footprint(instruction: Instruction, target: Target) -> Footprint:
    """The registers that a dpas with all its columns on touches."""
    destination, c, b, a = dpas_registers(instruction)
    sizes = [used for used, _ in dpas_operand_bytes(instruction, target)]

    def span(register: Register, size: int) -> Span:
        return Span(byte_of(register, target), size, 4, by_address=True)

    reads = [span(r, size) for r, size in zip((c, b, a), sizes[1:], strict=True) if not r.is_null]
    return Footprint(tuple(reads), (span(destination, sizes[0]),))


def dpas_registers(instruction: Instruction) -> tuple[Register, Register, Register, Register]:
    """First registers of D, C (may be null), B and A."""
    c, b, a = (source for source in instruction.sources if isinstance(source, SourceRegister))
    if instruction.destination is None:
        raise IllegalInstruction("dpas: no destination")
    return instruction.destination.register, c.register, b.register, a.register


def _barrier(instruction: Instruction, target: Target) -> Footprint:
    registers = [source for source in instruction.sources if isinstance(source, SourceRegister)]
    return Footprint(tuple(Span(byte_of(s.register, target), s.type.size, s.type.size) for s in registers))


def _message(instruction: Instruction, target: Target) -> Footprint:
    message, address = instruction.message, instruction.address
    if message is None or address is None or instruction.spec.access is MemoryAccessKind.PREFETCH:
        return Footprint()
    start = byte_of(address, target)
    if message.block is not None:
        fields = [Span(start + offset, size, size) for offset, size in _BLOCK2D_PAYLOAD]
    else:
        unit = message.address_size.size
        fields = [Span(start, (1 if message.transposed else instruction.exec_size) * unit, unit)]
    data, returned = (
        spans(instruction, message, register, target) for register in (instruction.data, instruction.returned)
    )
    return Footprint((*fields, *data), returned)


def _image(instruction: Instruction, target: Target) -> Footprint:
    handles = [register for register in (instruction.surface, instruction.sampler) if register is not None]
    reads = [Span(byte_of(register, target), HANDLE_BYTES, HANDLE_BYTES) for register in handles]
    coordinates, data, returned = image_spans(instruction, target)
    return Footprint((*reads, *coordinates, *data), returned)


def image_spans(
    instruction: Instruction, target: Target
) -> tuple[tuple[Span, ...], tuple[Span, ...], tuple[Span, ...]]:
    """Coordinates, data and returned components of an image message: one span for each."""
    image, lanes = instruction.image, instruction.exec_size
    if image is None:
        raise IllegalInstruction(f"{instruction.mnemonic}: no image message")
    block = image_block_bytes(lanes, target.grf_bytes, target.physical_simd_width)

    def blocks(register: Register | None, count: int) -> tuple[Span, ...]:
        if register is None:
            return ()
        start = byte_of(register, target)
        return tuple(Span(start + n * block, lanes * ELEMENT_BYTES, ELEMENT_BYTES) for n in range(count))

    components = len(image.components)
    return (
        blocks(instruction.address, image.coordinates),
        blocks(instruction.data, components),
        blocks(instruction.returned, components),
    )


def data_spans(instruction: Instruction, message: Message, target: Target) -> tuple[Span, ...]:
    """The data of a load or store: one span per vector element of a gather, else one span."""
    return spans(instruction, message, instruction.returned or instruction.data, target)


def spans(instruction: Instruction, message: Message, register: Register | None, target: Target) -> tuple[Span, ...]:
    """What a message has from a register on: one span per element or operand of its lanes, else one span."""
    if register is None:
        return ()
    start, unit = byte_of(register, target), message.data_size.register_bytes
    if message.block is not None:
        return (Span(start, message.block.count * block_bytes(message, target.grf_bytes), unit, by_address=True),)
    if message.transposed:
        return (Span(start, message.vector * unit, unit),)
    whole = data_bytes(message, instruction.exec_size, target.grf_bytes, target.physical_simd_width)
    block = whole // message.vector
    count = message.vector
    if instruction.spec.access is MemoryAccessKind.ATOMIC and register is instruction.data:
        count = instruction.spec.sources
    return tuple(Span(start + v * block, instruction.exec_size * unit, unit) for v in range(count))
