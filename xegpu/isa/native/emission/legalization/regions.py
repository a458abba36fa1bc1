"""Regions: the places of operands, which the hardware restricts for floats, for 64 bits and for changes of size."""

from __future__ import annotations

from dataclasses import replace

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import Destination, Immediate, RegisterFile, SourceRegister, strided
from xegpu.isa.model.types import PACKED_AS, DataType
from xegpu.isa.native.emission.legalization.parts import (
    SIGN_SHIFT,
    WIDE_BITS,
    bits_of,
    contiguous,
    half,
    half_of,
    is_scalar,
    moved,
    overlap,
    plain,
    reach,
)
from xegpu.isa.native.emission.words.context import EmissionContext, UnsupportedEmission
from xegpu.isa.native.encoding.instruction import NativeInstruction

_Steps = list[Instruction | NativeInstruction]
_REGISTERS = 2
"""The registers that an operand may touch."""


def copy_bits(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns a move that changes nothing as one of integers of at most 32 bits, which may have any place."""
    destination = instruction.destination
    if instruction.mnemonic != "mov" or destination is None or instruction.condition is not None:
        return None
    (source,) = instruction.sources
    if isinstance(source, Immediate) or source.type.bits != destination.type.bits or instruction.saturate:
        return None
    both_whole = not source.type.is_float and not destination.type.is_float
    if (source.type is not destination.type and not both_whole) or source.negate or source.absolute:
        return None
    lanes = instruction.exec_size
    if source.type.bits == WIDE_BITS:
        if is_scalar(source, lanes) or _is_placed(source, destination, context):
            whole = bits_of(source.type)
            changed = replace(
                instruction, destination=replace(destination, type=whole), sources=(replace(source, type=whole),)
            )
            return None if changed == instruction else [changed]
        if overlap(destination, source, lanes, context.platform.grf_bytes):
            if lanes * source.type.size > _REGISTERS * context.platform.grf_bytes:
                raise UnsupportedEmission("a move of 64 bits onto a part of its source")
            aside = Destination(context.temporary(0), source.type)
            back = replace(instruction, sources=(contiguous(aside.register, aside.type, lanes),))
            return [replace(instruction, destination=aside, predicate=None), back]
        return [
            replace(instruction, destination=half_of(destination, is_high), sources=(half(source, is_high),))
            for is_high in (False, True)
        ]
    bits = bits_of(source.type)
    changed = replace(instruction, destination=replace(destination, type=bits), sources=(replace(source, type=bits),))
    return None if changed == instruction else [changed]


def resize(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns moves between integers of 64 bits and fewer, and between those and floats of other sizes, in steps."""
    destination = instruction.destination
    if instruction.mnemonic != "mov" or destination is None or instruction.exec_size == 1:
        return None
    (source,) = instruction.sources
    if isinstance(source, Immediate) or is_scalar(source, instruction.exec_size):
        return None
    wide, narrow = destination.type, source.type
    if wide.is_float or narrow.is_float:
        return _converted(instruction, destination, source, context)
    if wide.bits == WIDE_BITS and narrow.bits < WIDE_BITS:
        return _widen(instruction, destination, source, context)
    if narrow.bits == WIDE_BITS and wide.bits < WIDE_BITS:
        return _narrow(instruction, destination, source, context)
    return None


def _converted(
    instruction: Instruction, destination: Destination, source: SourceRegister, context: EmissionContext
) -> _Steps | None:
    """Returns a conversion from integers of another size than the float by way of those of its size."""
    if source.type.is_float or source.type.bits >= destination.type.bits or destination.type.bits > 32:
        return None
    type = DataType.D if source.type.is_signed else DataType.UD
    register = moved(context.temporary(0), destination.register.byte, context.platform.grf_bytes)
    return [
        plain(instruction, "mov", Destination(register, type), source),
        replace(instruction, sources=(contiguous(register, type, instruction.exec_size),)),
    ]


def _widen(
    instruction: Instruction, destination: Destination, source: SourceRegister, context: EmissionContext
) -> _Steps:
    """Returns a move to 64 bits: to the low halves, and zero or the sign to the high ones."""
    lanes = instruction.exec_size
    type = DataType.D if source.type.is_signed else DataType.UD
    steps: _Steps = []
    if (
        source.type.bits < 32
        or source.negate
        or source.absolute
        or overlap(destination, source, lanes, context.platform.grf_bytes)
    ):
        register = context.temporary(0)
        steps.append(plain(instruction, "mov", Destination(register, type), source))
        source = contiguous(register, type, lanes)
    low = replace(plain(instruction, "mov", half_of(destination, False), replace(source, type=DataType.UD)))
    if source.type.is_signed:
        high = plain(instruction, "asr", replace(half_of(destination, True), type=DataType.D), source, SIGN_SHIFT)
    else:
        high = plain(instruction, "mov", half_of(destination, True), Immediate(DataType.UD, 0))
    return [*steps, *(replace(step, predicate=instruction.predicate) for step in (low, high))]


def _narrow(
    instruction: Instruction, destination: Destination, source: SourceRegister, context: EmissionContext
) -> _Steps | None:
    """Returns a move from 64 bits: of the low halves, or of what saturates there."""
    if _is_placed(source, destination, context):
        return None
    if not instruction.saturate:
        return [replace(instruction, sources=(half(source, False),))]
    register = context.temporary(0)
    there = Destination(register, destination.type, 8 // destination.type.size)
    back = SourceRegister(register, destination.type, strided(there.stride))
    if destination.type.bits != 32:
        raise UnsupportedEmission("integers of 64 bits that saturate to fewer than 32")
    return [
        replace(instruction, destination=there, predicate=None),
        replace(plain(instruction, "mov", destination, back), predicate=instruction.predicate),
    ]


def _is_placed(source: SourceRegister, destination: Destination, context: EmissionContext) -> bool:
    """Returns whether the elements of a source lie in their registers as those of the destination do."""
    stride = source.region.vertical if source.region.width == 1 else None
    same_stride = stride is not None and stride * source.type.size == destination.stride * destination.type.size
    return same_stride and source.register.byte == destination.register.byte


def align_sources(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns an instruction on floats or 64 bits behind copies of sources that lie otherwise than its result."""
    destination = instruction.destination
    if destination is None or instruction.spec.is_matrix_product or not _is_restricted(instruction):
        return None
    lanes = instruction.exec_size
    steps: _Steps = []
    sources = list(instruction.sources)
    place = destination.register.byte if destination.register.file is RegisterFile.GRF else None
    for index, source in enumerate(instruction.sources):
        if isinstance(source, Immediate) or is_scalar(source, lanes):
            continue
        if source.register.file is RegisterFile.INDIRECT:
            raise UnsupportedEmission("floats in registers by address")
        if place is None:
            place = source.register.byte
        if _fits(source, destination, place):
            continue
        register = moved(context.temporary(index), place, context.platform.grf_bytes)
        stride = destination.stride * destination.type.size // source.type.size
        copy = Destination(register, source.type, stride or 1)
        if lanes * copy.stride * source.type.size > _REGISTERS * context.platform.grf_bytes - place:
            raise UnsupportedEmission("sources of two registers at another place than the result")
        steps.append(plain(instruction, "mov", copy, replace(source, negate=False, absolute=False)))
        sources[index] = replace(source, register=register, region=strided(copy.stride))
    return [*steps, replace(instruction, sources=tuple(sources))] if steps else None


def _fits(source: SourceRegister, destination: Destination, place: int) -> bool:
    if source.region.width != 1 or source.register.byte != place:
        return False
    size = destination.type.size if not destination.register.is_null else source.type.size
    return source.region.vertical * source.type.size == destination.stride * size


def _is_restricted(instruction: Instruction) -> bool:
    """Returns whether operands must lie alike: floats and 64 bits, but for moves between floats of 16 and 32 bits."""
    destination = instruction.destination
    types = [source.type for source in instruction.sources if source.type not in PACKED_AS]
    if destination is not None:
        types.append(destination.type)
    if instruction.mnemonic == "mov" and all(type.is_float for type in types):
        return any(type.bits == WIDE_BITS for type in types) and len({type.bits for type in types}) == 1
    return any(type.is_float or type.bits == WIDE_BITS for type in types)


def split(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns an instruction of which an operand touches more than two registers as two for half the channels."""
    destination = instruction.destination
    if destination is None or instruction.spec.is_matrix_product or instruction.exec_size == 1:
        return None
    size, lanes = context.platform.grf_bytes, instruction.exec_size
    ends = []
    if destination.register.file is RegisterFile.GRF:
        ends.append(destination.register.byte + ((lanes - 1) * destination.stride + 1) * destination.type.size)
    ends += [
        source.register.byte + reach(source, lanes)
        for source in instruction.sources
        if isinstance(source, SourceRegister) and source.register.file is RegisterFile.GRF
    ]
    return halves_of_channels(instruction, context) if max(ends, default=0) > _REGISTERS * size else None


def halves_of_channels(instruction: Instruction, context: EmissionContext) -> _Steps:
    """Returns an instruction for the first half of its channels, and one for the others."""
    lanes, size = instruction.exec_size // 2, context.platform.grf_bytes
    destination = instruction.destination
    depends_on_channels = not instruction.no_mask or instruction.predicate or instruction.condition
    if destination is None or (depends_on_channels and lanes % context.encoding.channels_per_offset):
        raise UnsupportedEmission(f"'{instruction.mnemonic}' with operands of more than two registers")
    first = replace(instruction, exec_size=lanes)
    target = replace(
        destination, register=moved(destination.register, lanes * destination.stride * destination.type.size, size)
    )
    sources: list[SourceRegister | Immediate] = []
    for source in instruction.sources:
        if isinstance(source, Immediate):
            if source.type in PACKED_AS:
                raise UnsupportedEmission("a packed constant for more channels than it has")
            sources.append(source)
            continue
        if source.register.file is RegisterFile.INDIRECT:
            raise UnsupportedEmission("registers by address for so many channels")
        step = source.region.element(lanes) * source.type.size
        later = replace(source, register=moved(source.register, step, size))
        if overlap(destination, later, lanes, size):
            raise UnsupportedEmission(f"'{instruction.mnemonic}' onto sources of channels that come later")
        sources.append(later)
    second = replace(
        first,
        channel_offset=instruction.channel_offset + (lanes if depends_on_channels else 0),
        destination=target,
        sources=tuple(sources),
        carry=instruction.carry and moved(instruction.carry, lanes * DataType.UD.size, size),
    )
    return [first, second]
