"""Operands of native instructions as operands of the model."""

from __future__ import annotations

from xegpu.isa.model.instruction import Combination, Predicate
from xegpu.isa.model.operands import (
    ARCHITECTURE,
    CONTIGUOUS,
    CONTROL,
    NULL,
    VXH,
    Destination,
    Flag,
    Immediate,
    Region,
    Register,
    RegisterFile,
    SourceRegister,
    grf,
    indirect,
    strided,
)
from xegpu.isa.model.types import BY_TEXT, DataType
from xegpu.isa.native.encoding import codes
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.lowering.context import LoweringContext, UnsupportedInstruction
from xegpu.isa.native.text.formatter import HALF_BITS, signed

_ACCUMULATOR = 0x20
"""The number of the first accumulator among the architecture registers."""

_NOTIFICATION = 0x90
"""The number of the notification register n0, whose first bit says that the barrier of the group has completed."""

_COMBINATIONS = {"": Combination.NONE, "any": Combination.ANY, "all": Combination.ALL}


def exec_size(instruction: NativeInstruction) -> int:
    """Returns the number of channels."""
    return codes.EXEC_SIZES[instruction["exec_size"]]


def channel_offset(instruction: NativeInstruction) -> int:
    """Returns the first channel."""
    return instruction["channel_offset"] * instruction.encoding.channels_per_offset


def flag(instruction: NativeInstruction) -> Flag:
    """Returns the flag of predicate and condition."""
    return Flag(instruction["flag"], instruction["flag_half"])


def predicate(instruction: NativeInstruction) -> Predicate | None:
    """Returns the predicate."""
    code = instruction["predicate"]
    if not code:
        return None
    combination = _COMBINATIONS.get(instruction.encoding.predicates[code])
    if combination is None:
        raise UnsupportedInstruction("predicates over groups of channels are not supported")
    return Predicate(flag(instruction), bool(instruction["inverted"]), combination)


def data_type(instruction: NativeInstruction, name: str) -> DataType:
    """Returns the type of an operand."""
    text = codes.operand_type(instruction.fields, instruction.opcode.form, name) or ""
    if text not in BY_TEXT:
        raise UnsupportedInstruction(f"type {text} is not supported")
    return BY_TEXT[text]


def register(instruction: NativeInstruction, name: str, context: LoweringContext) -> Register:
    """Returns the register of an operand."""
    if instruction[f"{name}.indirect"]:
        offset = signed(instruction[f"{name}.addr_offset"], instruction.encoding.address_bits)
        return indirect(instruction[f"{name}.addr_reg"], offset)
    number, byte = instruction[f"{name}.reg"], instruction[f"{name}.subreg"]
    if instruction[f"{name}.file"]:
        return grf(number, byte)
    if number == NULL.number:
        return NULL
    if number & ~0xF == _ACCUMULATOR:
        return context.accumulator(number & 0xF, byte)
    if number == CONTROL.number and byte >= CONTROL.size:
        return context.control(byte)
    if number not in ARCHITECTURE:
        raise UnsupportedInstruction(f"register {codes.ARCHITECTURE[number >> 4]}{number & 0xF} is not supported")
    return Register(RegisterFile.ARF, number, byte)


def destination(instruction: NativeInstruction, context: LoweringContext) -> Destination:
    """Returns the operand that gets the result."""
    if "float" in instruction.fields:
        stride = instruction["dst.stride"] + 1
    else:
        stride = codes.STRIDES[instruction["dst.stride"]]
    return Destination(register(instruction, "dst", context), data_type(instruction, "dst"), stride or 1)


def source(instruction: NativeInstruction, name: str, context: LoweringContext) -> SourceRegister | Immediate:
    """Returns a source."""
    type = data_type(instruction, name)
    if instruction[f"{name}.immediate"]:
        bits = instruction[f"{name}.imm"]
        if "float" in instruction.fields and type.is_signed and type.bits > HALF_BITS:
            bits = signed(bits, HALF_BITS)
        return Immediate(type, bits & ((1 << type.bits) - 1))
    if reads_notification(instruction, name):
        return Immediate(type, 1)
    modifier = instruction[f"{name}.modifier"]
    return SourceRegister(
        register(instruction, name, context),
        type,
        region(instruction, name),
        negate=bool(modifier & 2),
        absolute=bool(modifier & 1),
    )


def reads_notification(instruction: NativeInstruction, name: str) -> bool:
    """Returns whether a source is what says that the barrier has completed."""
    place = ("immediate", "file", "indirect", "subreg")
    return instruction[f"{name}.reg"] == _NOTIFICATION and not any(instruction[f"{name}.{part}"] for part in place)


def region(instruction: NativeInstruction, name: str) -> Region:
    """Returns the region of a source."""
    if f"{name}.hstride" not in instruction.fields:
        return CONTIGUOUS
    horizontal = codes.STRIDES[instruction[f"{name}.hstride"]]
    if "float" not in instruction.fields:
        vertical = instruction[f"{name}.vstride"]
        width = codes.WIDTHS[instruction[f"{name}.width"]]
        if vertical == instruction.encoding.indirect_rows:
            return Region(VXH, width, horizontal)
        return _plain(Region(codes.VERTICAL_STRIDES[vertical], width, horizontal))
    if f"{name}.vstride" not in instruction.fields:
        return _plain(strided(horizontal))
    vertical = codes.VERTICAL_STRIDES_3[instruction[f"{name}.vstride"]]
    if horizontal > vertical or (horizontal and vertical % horizontal):
        raise UnsupportedInstruction(f"region <{vertical};{horizontal}> of {name} is not supported")
    return _plain(strided(horizontal or vertical))


def _plain(found: Region) -> Region:
    """Returns a region as the model writes it: rows that continue each other are one sequence."""
    if found.width > 1 and found.vertical == found.width * found.horizontal:
        return strided(found.horizontal)
    return strided(found.vertical) if found.width == 1 else found
