"""Messages to images and samplers of Xe-HPG, which binding tables number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xegpu.isa.model.image_messages import CHANNELS, ELEMENT_BYTES, ImageMessage
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.kernel import BindingKind
from xegpu.isa.model.messages import Unit
from xegpu.isa.model.operands import CONTIGUOUS, Destination, Immediate, Register, SourceRegister, grf
from xegpu.isa.model.table import BY_MNEMONIC
from xegpu.isa.model.types import DataType
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.lowering import operands
from xegpu.isa.native.lowering.accesses import bits, is_null, lane_registers
from xegpu.isa.native.lowering.context import LoweringContext, UnsupportedInstruction
from xegpu.isa.native.lowering.control import NOP

_HALF_BYTES = 2

TYPED_READ, TYPED_WRITE = 0x05, 0x0D
"""The types of messages to the legacy data port that read and write texels."""

_FLUSH = 0x1F
"""The message that empties the sampler's cache, which is not modelled: what it returns tells that it is done."""

_SAMPLED: Mapping[int, tuple[str, tuple[int, ...]]] = {
    0x02: ("sample_l", (1, 2, 3, 0)),
    0x07: ("ld", (0, 2, 3, 1)),
    0x18: ("sample_lz", (0, 1, 2)),
    0x1A: ("ld", (0, 1, 2)),
}
"""Messages to the sampler, and the places of u, v, r and the level of detail among their parameters."""


def lower_sampler(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns a read of texels through the sampler, or nothing for its flush."""
    descriptor = instruction["desc"]
    if bits(descriptor, 16, 12) == _FLUSH:
        return (NOP,)
    found = _SAMPLED.get(bits(descriptor, 16, 12))
    if found is None or bits(descriptor, 19, 19) or instruction["ex_desc.indirect"]:
        raise _unsupported(instruction)
    mnemonic, order = found
    parameters = _payload(instruction, context)
    coordinates = [parameters[place] if place < len(parameters) else None for place in order]
    sampler = None
    if BY_MNEMONIC[mnemonic].sampler:
        sampler = context.bound(BindingKind.SAMPLER, bits(descriptor, 11, 8))
    if not bits(descriptor, 30, 30):
        channels = bits(descriptor, 24, 20) // lane_registers(instruction, ELEMENT_BYTES, context)
        return _image(instruction, mnemonic, coordinates, channels, context, sampler=sampler)
    each = lane_registers(instruction, _HALF_BYTES, context)
    channels = bits(descriptor, 24, 20) // each
    *moves, image = _image(instruction, mnemonic, coordinates, channels, context, sampler=sampler)
    return *moves, replace(image, returned=context.temporary(1)), *_halves(instruction, image, channels, each, context)


def _halves(
    instruction: NativeInstruction, image: Instruction, channels: int, each: int, context: LoweringContext
) -> list[Instruction]:
    """Returns the conversions of components to halves, each of which begins at a register."""
    whole = lane_registers(instruction, ELEMENT_BYTES, context)
    first = context.temporary(1).number
    return [
        Instruction(
            BY_MNEMONIC["mov"],
            image.exec_size,
            image.channel_offset,
            image.no_mask,
            image.predicate,
            destination=Destination(grf(instruction["dst.reg"] + each * channel), DataType.HF),
            sources=(SourceRegister(grf(first + whole * channel), DataType.F, CONTIGUOUS),),
        )
        for channel in range(channels)
    ]


def lower_typed(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns a read or write of texels through the data port. A write has its texels behind the coordinates."""
    descriptor = instruction["desc"]
    channels = {0b1110: 1, 0b1100: 2, 0b1000: 3, 0b0000: 4}.get(bits(descriptor, 11, 8))
    if channels is None or bits(descriptor, 19, 19) or instruction["ex_desc.indirect"]:
        raise _unsupported(instruction)
    payload = _payload(instruction, context)
    if bits(descriptor, 18, 14) == TYPED_READ:
        return _image(instruction, "load_quad", payload, channels, context)
    count = len(payload) - channels
    return _image(instruction, "store_quad", payload[:count], channels, context, data=payload[count:])


def _unsupported(instruction: NativeInstruction) -> UnsupportedInstruction:
    return UnsupportedInstruction(f"image messages {instruction['desc']:#x} are not supported")


def _payload(instruction: NativeInstruction, context: LoweringContext) -> list[Register]:
    """Returns the first register of each parameter, through both parts of the payload."""
    each = lane_registers(instruction, ELEMENT_BYTES, context)
    first = range(instruction["src0.reg"], instruction["src0.reg"] + bits(instruction["desc"], 28, 25))
    second = range(instruction["src1.reg"], instruction["src1.reg"] + instruction["src1.length"])
    parts = (first,) if is_null(instruction, "src1") else (first, second)
    return [grf(number) for number in [number for part in parts for number in part][::each]]


def _image(
    instruction: NativeInstruction,
    mnemonic: str,
    coordinates: Sequence[Register | None],
    channels: int,
    context: LoweringContext,
    *,
    sampler: Register | None = None,
    data: Sequence[Register] = (),
) -> tuple[Instruction, ...]:
    """Returns an image message, behind moves that put its parameters one after the other."""
    if not 0 < channels <= len(CHANNELS) or not 0 < len(coordinates) <= len(CHANNELS):
        raise _unsupported(instruction)
    spec = BY_MNEMONIC[mnemonic]
    is_sampled = spec.sampler or mnemonic == "ld"
    message = ImageMessage(Unit.SAMPLER if is_sampled else Unit.TYPED, (1 << channels) - 1, len(coordinates))
    image = Instruction(
        spec,
        operands.exec_size(instruction),
        operands.channel_offset(instruction),
        bool(instruction["no_mask"]),
        operands.predicate(instruction),
        image=message,
        returned=None if data else grf(instruction["dst.reg"]),
        address=context.temporary(),
        data=context.temporary(1) if data else None,
        surface=context.bound(BindingKind.SURFACE, bits(instruction["desc"], 7, 0)),
        sampler=sampler,
    )
    moves = [*_moves(instruction, coordinates, 0, context), *_moves(instruction, data, 1, context)]
    return *moves, image


def _moves(
    instruction: NativeInstruction, parts: Sequence[Register | None], temporary: int, context: LoweringContext
) -> list[Instruction]:
    """Returns moves of parts of a payload to a temporary; a part that is missing becomes zero."""
    each = lane_registers(instruction, ELEMENT_BYTES, context)
    first = context.temporary(temporary).number
    return [
        Instruction(
            BY_MNEMONIC["mov"],
            operands.exec_size(instruction),
            no_mask=True,
            destination=Destination(grf(first + each * index), DataType.UD),
            sources=(Immediate(DataType.UD, 0) if part is None else SourceRegister(part, DataType.UD, CONTIGUOUS),),
        )
        for index, part in enumerate(parts)
    ]
