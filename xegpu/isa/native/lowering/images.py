"""Messages to images and samplers of Xe-HPG, which binding tables number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xegpu.isa.model.image_messages import CHANNELS, ELEMENT_BYTES, ImageMessage
from xegpu.isa.model.instruction import ConditionModifier, Instruction
from xegpu.isa.model.kernel import Binding, BindingKind
from xegpu.isa.model.messages import DataSize, Message, Unit
from xegpu.isa.model.operands import (
    ADDRESS,
    CONTIGUOUS,
    SCALAR,
    Destination,
    Immediate,
    Register,
    RegisterFile,
    SourceRegister,
    grf,
    indirect,
)
from xegpu.isa.model.surface_states import SURFACE_OFFSETS, SurfaceType
from xegpu.isa.model.table import BY_MNEMONIC, Condition
from xegpu.isa.model.types import DataType
from xegpu.isa.native.encoding import codes
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.lowering import operands
from xegpu.isa.native.lowering.accesses import bits, is_null, lane_registers
from xegpu.isa.native.lowering.context import LoweringContext, UnsupportedInstruction
from xegpu.isa.native.lowering.control import NOP
from xegpu.isa.native.scoreboard.footprint import place

_HALF_BYTES = 2

TYPED_READ, TYPED_WRITE = 0x05, 0x0D
"""The types of messages to the legacy data port that read and write texels."""

_FLUSH = 0x1F
"""The message that empties the sampler's cache, which is not modelled: what it returns tells that it is done."""

_SIZES = 0x0A
"""The message that asks for the sizes of an image."""

_STATE_WORDS = 8
"""The words of the state of an image in which its type and sizes are."""

_STATES = 2
"""The number of the temporary that has the addresses of states."""

_WORDS_OF_DWORD = 2

_MASK_BIT = 12
_MASK_BYTE, _SAMPLER_BYTE = 8, 12
"""The bytes of a header that have the components which are left out, and the sampler."""

_EVEN = 0xFFFE

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
    if bits(descriptor, 16, 12) == _SIZES:
        return _sizes(instruction, context)
    found = _SAMPLED.get(bits(descriptor, 16, 12))
    if found is None:
        raise _unsupported(instruction)
    mnemonic, order = found
    header = bits(descriptor, 19, 19)
    if header and context.words.get(_header_place(instruction)) not in _left_out(instruction, context):
        raise UnsupportedInstruction("a message to the sampler that leaves out components is not supported")
    parameters = _payload(instruction, context, header)
    coordinates = [parameters[place] if place < len(parameters) else None for place in order]
    if not BY_MNEMONIC[mnemonic].sampler:
        return _sampled(instruction, mnemonic, coordinates, context, None)
    sampler, found_by = _sampler(instruction, context)
    return *found_by, *_sampled(instruction, mnemonic, coordinates, context, sampler)


def has_header(instruction: NativeInstruction) -> bool:
    """Returns whether a message to the sampler has a header, of which a part must be a constant."""
    return codes.UNITS[instruction["unit"]] == "smpl" and bool(bits(instruction["desc"], 19, 19))


def _left_out(instruction: NativeInstruction, context: LoweringContext) -> tuple[int, int]:
    """Returns what the header may say of components that are not returned: nothing, or all behind the last one."""
    size = _HALF_BYTES if bits(instruction["desc"], 30, 30) else ELEMENT_BYTES
    channels = bits(instruction["desc"], 24, 20) // lane_registers(instruction, size, context)
    return 0, (0xF << channels & 0xF) << _MASK_BIT


def _header_place(instruction: NativeInstruction) -> int:
    return place(instruction.platform, True, instruction["src0.reg"], _MASK_BYTE)


def _sampled(
    instruction: NativeInstruction,
    mnemonic: str,
    coordinates: Sequence[Register | None],
    context: LoweringContext,
    sampler: Register | None,
) -> tuple[Instruction, ...]:
    """Returns a read of texels as floats, or as halves."""
    descriptor = instruction["desc"]
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
    if channels is None or bits(descriptor, 19, 19):
        raise _unsupported(instruction)
    payload = _payload(instruction, context)
    if bits(descriptor, 18, 14) == TYPED_READ:
        return _image(instruction, "load_quad", payload, channels, context)
    count = len(payload) - channels
    return _image(instruction, "store_quad", payload[:count], channels, context, data=payload[count:])


def _unsupported(instruction: NativeInstruction) -> UnsupportedInstruction:
    return UnsupportedInstruction(f"image messages {instruction['desc']:#x} are not supported")


def _payload(instruction: NativeInstruction, context: LoweringContext, header: int = 0) -> list[Register]:
    """Returns the first register of each parameter, through both parts of the payload, behind the header's."""
    each = lane_registers(instruction, ELEMENT_BYTES, context)
    first = range(instruction["src0.reg"] + header, instruction["src0.reg"] + bits(instruction["desc"], 28, 25))
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
    surface, found_by = _surface(instruction, context)
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
        surface=surface,
        sampler=sampler,
    )
    moves = [*found_by, *_moves(instruction, coordinates, 0, context), *_moves(instruction, data, 1, context)]
    return *moves, image


def _surface(instruction: NativeInstruction, context: LoweringContext) -> tuple[Register, tuple[Instruction, ...]]:
    """Returns the register with the address of an image's state, and what fills it if `a0` names the image."""
    if not instruction["ex_desc.indirect"]:
        return context.bound(BindingKind.SURFACE, bits(instruction["desc"], 7, 0)), ()
    kept = context.temporary(_STATES)
    return kept, (_move(kept, DataType.UQ, indirect(_WORDS_OF_DWORD * instruction["ex_desc.subreg"])),)


def _sampler(instruction: NativeInstruction, context: LoweringContext) -> tuple[Register, tuple[Instruction, ...]]:
    """Returns the register with the address of a sampler's state, and what fills it if the header names the sampler.

    What the header says of it is odd. A word of `a0` finds it, which is put back.
    """
    if not bits(instruction["desc"], 19, 19):
        return context.bound(BindingKind.SAMPLER, bits(instruction["desc"], 11, 8)), ()
    states = context.temporary(_STATES)
    kept, saved = grf(states.number, Binding.SIZE), grf(states.number, 2 * Binding.SIZE)
    word = Register(RegisterFile.ARF, ADDRESS.number)
    named = SourceRegister(grf(instruction["src0.reg"], _SAMPLER_BYTE), DataType.UW, SCALAR)
    return kept, (
        _move(saved, DataType.UW, word),
        Instruction(
            BY_MNEMONIC["and"],
            no_mask=True,
            destination=Destination(word, DataType.UW),
            sources=(named, Immediate(DataType.UW, _EVEN)),
        ),
        _move(kept, DataType.UQ, indirect(0)),
        _move(word, DataType.UW, saved),
    )


def _move(target: Register, type: DataType, source: Register) -> Instruction:
    return Instruction(
        BY_MNEMONIC["mov"],
        no_mask=True,
        destination=Destination(target, type),
        sources=(SourceRegister(source, type, SCALAR),),
    )


def _sizes(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns what asks for width, height, depth or layers, and the number of levels, of which there is one.

    One-dimensional images have their layers in the place of the height.
    """
    surface, found_by = _surface(instruction, context)
    each = lane_registers(instruction, ELEMENT_BYTES, context)
    read = context.temporary().number
    load = Instruction(
        BY_MNEMONIC["load"],
        no_mask=True,
        message=Message(Unit.UGM, DataSize.D32, _STATE_WORDS, transposed=True),
        returned=grf(read),
        address=surface,
    )

    def scalar(byte: int, type: DataType = DataType.UD) -> SourceRegister:
        return SourceRegister(grf(read, byte), type, SCALAR)

    def computed(
        mnemonic: str, byte: int, *sources: SourceRegister | Immediate, choice: Condition | None = None
    ) -> Instruction:
        condition = None if choice is None else ConditionModifier(choice, None)
        result = Destination(grf(read, byte), DataType.UD)
        return Instruction(
            BY_MNEMONIC[mnemonic], no_mask=True, destination=result, sources=sources, condition=condition
        )

    width, height, depth = (SURFACE_OFFSETS[name] for name in ("width", "height", "depth"))
    work = 0  # the signature, which no more is read
    is_other = scalar(SURFACE_OFFSETS["type"], DataType.UB), Immediate(DataType.UD, SurfaceType.IMAGE_1D_ARRAY)
    layers = (
        computed("xor", work, *is_other),
        computed("sel", work, scalar(work), Immediate(DataType.UD, 1), choice=Condition.LT),
        computed("mul", work, scalar(work), Immediate(DataType.UD, 31)),
        computed("shr", work, scalar(depth), scalar(work)),
        computed("sel", height, scalar(height), scalar(work), choice=Condition.GE),
    )
    numbers = [scalar(width), scalar(height), scalar(depth)]
    moves = [
        Instruction(
            BY_MNEMONIC["mov"],
            operands.exec_size(instruction),
            operands.channel_offset(instruction),
            bool(instruction["no_mask"]),
            operands.predicate(instruction),
            destination=Destination(grf(instruction["dst.reg"] + each * channel), DataType.UD),
            sources=(numbers[channel] if channel < len(numbers) else Immediate(DataType.UD, 1),),
        )
        for channel in range(bits(instruction["desc"], 24, 20) // each)
    ]
    return *found_by, load, *layers, *moves


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
