"""Which bytes of the register file an instruction reads and writes."""

from __future__ import annotations

from dataclasses import dataclass

from xegpu.isa import DataType, Format, IllegalInstruction, Instruction, Register, Source
from xegpu.isa.messages import Message, block_bytes, data_bytes
from xegpu.isa.table import Access
from xegpu.isa.validation import dpas_operand_bytes
from xegpu.targets import Target

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


def footprint(instruction: Instruction, target: Target, mask: int | None) -> Footprint:
    """The registers that an instruction touches; flags and memory are not included.

    `mask` is the execution mask, None if it is not known.
    """
    match instruction.spec.format:
        case Format.ALU:
            found = _alu(instruction, target)
        case Format.DPAS:
            found = _dpas(instruction, target)
        case Format.MESSAGE:
            found = _message(instruction, target)
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
    """Where a general register, from its subregister on, starts in the register file."""
    return register.number * target.grf_bytes + register.byte


def _alu(instruction: Instruction, target: Target) -> Footprint:
    size = instruction.exec_size
    reads = tuple(
        Span(byte_of(s.register, target), s.region.span(size) * s.type.size, s.type.size)
        for s in instruction.sources
        if isinstance(s, Source)
    )
    destination = instruction.destination
    written = []
    if destination is not None and not destination.register.is_null:
        unit = destination.type.size
        start = byte_of(destination.register, target)
        written.append(Span(start, ((size - 1) * destination.stride + 1) * unit, unit))
    if instruction.carry is not None:
        unit = DataType.UD.size
        written.append(Span(byte_of(instruction.carry, target), size * unit, unit))
    return Footprint(reads, tuple(written))


def _dpas(instruction: Instruction, target: Target) -> Footprint:
    destination, c, b, a = dpas_registers(instruction)
    sizes = [used for used, _ in dpas_operand_bytes(instruction, target)]

    def span(register: Register, size: int) -> Span:
        return Span(byte_of(register, target), size, 4, by_address=True)

    reads = [span(r, size) for r, size in zip((c, b, a), sizes[1:], strict=True) if not r.is_null]
    return Footprint(tuple(reads), (span(destination, sizes[0]),))


def dpas_registers(instruction: Instruction) -> tuple[Register, Register, Register, Register]:
    """First registers of D, C (may be null), B and A."""
    c, b, a = (source for source in instruction.sources if isinstance(source, Source))
    if instruction.destination is None:
        raise IllegalInstruction("dpas: no destination")
    return instruction.destination.register, c.register, b.register, a.register


def _message(instruction: Instruction, target: Target) -> Footprint:
    message, address = instruction.message, instruction.address
    if message is None or address is None or instruction.spec.access is Access.PREFETCH:
        return Footprint()
    start = byte_of(address, target)
    if message.block is not None:
        fields = [Span(start + offset, size, size) for offset, size in _BLOCK2D_PAYLOAD]
    else:
        unit = message.address_size.size
        fields = [Span(start, (1 if message.transposed else instruction.exec_size) * unit, unit)]
    data = data_spans(instruction, message, target)
    if instruction.spec.access is Access.STORE:
        return Footprint((*fields, *data))
    return Footprint(tuple(fields), data)


def data_spans(instruction: Instruction, message: Message, target: Target) -> tuple[Span, ...]:
    """The data of a load or store: one span per vector element of a gather, else one span."""
    register = instruction.returned or instruction.data
    if register is None:
        return ()
    start, unit = byte_of(register, target), message.data_size.register_bytes
    if message.block is not None:
        return (Span(start, message.block.count * block_bytes(message, target.grf_bytes), unit, by_address=True),)
    if message.transposed:
        return (Span(start, message.vector * unit, unit),)
    whole = data_bytes(message, instruction.exec_size, target.grf_bytes, target.physical_simd_width)
    block = whole // message.vector
    return tuple(Span(start + v * block, instruction.exec_size * unit, unit) for v in range(message.vector))
