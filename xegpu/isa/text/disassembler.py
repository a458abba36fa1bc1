"""Instructions to text, in the notation of Intel's assemblers as far as the virtual instruction set allows.

What is written here `xegpu.isa.text.assembler` reads back to the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from xegpu.isa.code.program import VERSION, Program, decode_program
from xegpu.isa.formats.image_validation import image_register_counts
from xegpu.isa.formats.message_validation import cache_text
from xegpu.isa.model.instruction import Instruction, Predicate
from xegpu.isa.model.messages import DataSize, Message, data_bytes
from xegpu.isa.model.operands import (
    ARCHITECTURE,
    VXH,
    Destination,
    Flag,
    Immediate,
    Register,
    RegisterFile,
    SourceRegister,
    float_bits,
    float_value,
)
from xegpu.isa.model.table import (
    Extra,
    InstructionFormat,
    MemoryAccessKind,
    Modifiers,
)
from xegpu.isa.model.types import PACKED_IMMEDIATES, DataType
from xegpu.targets import Dpas

DEPTH = Dpas.depth
"""Systolic depth, which is written but not encoded: all targets have the same."""


_NO_COMMENTS: Mapping[int, str] = {}


def disassemble(code: bytes, offsets: bool = False) -> str:
    """The text of a kernel's code (`format_program`). Raises `DecodeError`."""
    return format_program(decode_program(code), offsets)


def format_program(
    program: Program,
    offsets: bool = False,
    comments: Mapping[int, str] = _NO_COMMENTS,
    cycles: Sequence[int] = (),
) -> str:
    """The text of a program: header directives, and one instruction or label a line.

    `offsets` puts the byte offset of every instruction before it, as a comment, and `cycles` (one number for each
    instruction) what it costs; `comments` have lines of their own before the instructions at the byte offsets that they
    are for.
    """
    names = label_names(program)
    lines = [f".isa {VERSION[0]}.{VERSION[1]}", f".grf {program.grf_bytes}"]
    for index, offset in enumerate(program.offsets):
        if index in names:
            lines.append(f"{names[index]}:")
        if offset in comments:
            lines.append(f"// {comments[offset]}")
        text = format_labelled(program, index, names)
        margin = [f"{offset:06x}"] if offsets else []
        margin += [f"{cycles[index]:>4}"] if cycles else []
        lines.append(f"/* {' '.join(margin)} */  {text}" if margin else f"    {text}")
    return "\n".join(lines) + "\n"


def label_names(program: Program) -> dict[int, str]:
    """Names for the instructions that others go to, by index."""
    targets = {target for index in range(len(program.instructions)) for target in _targets(program, index)}
    return {index: f"L{n}" for n, index in enumerate(sorted(t for t in targets if t is not None), 1)}


def format_labelled(program: Program, index: int, names: Mapping[int, str]) -> str:
    """One instruction of a program, with the names of the places that it goes to (`label_names`)."""
    found = [None if target is None else names[target] for target in _targets(program, index)]
    labels = [name for name in found if name is not None]
    label = " ".join(labels) if labels and len(labels) == len(found) else None
    return format_instruction(program.instructions[index], label=label, grf_bytes=program.grf_bytes)


def _targets(program: Program, index: int) -> list[int | None]:
    """Indices of the instructions that an instruction names."""
    offset = program.offsets[index]
    return [program.index_of(offset + distance) for distance in program.instructions[index].distances]


def format_instruction(instruction: Instruction, *, label: str | None = None, grf_bytes: int | None = None) -> str:
    """One instruction on one line.

    `label` names where a branch goes (both places, of a goto); without it distances in bytes are written. With
    `grf_bytes` known, messages show how many registers they use.
    """
    parts = [_control(instruction), instruction.mnemonic + _QUALIFIERS[instruction.spec.format](instruction)]
    size, offset = instruction.exec_size, instruction.channel_offset
    if instruction.spec.format not in (InstructionFormat.PLAIN, InstructionFormat.BARRIER) or (size, offset) != (1, 0):
        parts.append(f"({size}|M{offset})")
    parts += _OPERANDS[instruction.spec.format](instruction, label, grf_bytes)
    return " ".join(part for part in parts if part)


def _control(instruction: Instruction) -> str:
    parts = ["W"] if instruction.no_mask else []
    if instruction.predicate is not None:
        parts.append(_predicate(instruction.predicate))
    return f"({'&'.join(parts)})" if parts else ""


def _predicate(predicate: Predicate) -> str:
    combination = f".{predicate.combination.text}" if predicate.combination.text else ""
    return ("~" if predicate.inverted else "") + _flag(predicate.flag) + combination


def _flag(flag: Flag) -> str:
    return f"f{flag.number}.{flag.half}"


# Operands ------------------------------------------------------------------------------------------------------------


def format_register(register: Register, type: DataType) -> str:
    """`rN.S`, where S counts elements; a byte offset inside of an element, which no target allows, is marked `b`."""
    if register.is_null:
        return "null"
    if register.file is RegisterFile.INDIRECT:
        return f"r[a0.{register.number}, {register.byte}]"
    name = ARCHITECTURE[register.number].text if register.file is RegisterFile.ARF else f"r{register.number}"
    element, rest = divmod(8 * register.byte, type.bits)
    return f"{name}.{register.byte}b" if rest else f"{name}.{element}"


def format_destination(destination: Destination) -> str:
    return f"{format_register(destination.register, destination.type)}<{destination.stride}>:{destination.type.text}"


def format_source(source: SourceRegister | Immediate, modifiers: Modifiers) -> str:
    if isinstance(source, Immediate):
        return format_immediate(source)
    sign = ("~" if modifiers is Modifiers.LOGIC else "-") if source.negate else ""
    region = source.region
    rows = "" if region.vertical == VXH else f"{region.vertical};"
    return (
        f"{sign}{'(abs)' if source.absolute else ''}{format_register(source.register, source.type)}"
        f"<{rows}{region.width},{region.horizontal}>:{source.type.text}"
    )


def format_immediate(immediate: Immediate) -> str:
    """`-5:d`, `0xff:ud`, `0x76543210:v`, `1.5:f`: signed integers and floats in decimal, bits (and NaNs) in hex."""
    bits, type = immediate.bits, immediate.type
    number: str | None = None
    if type in PACKED_IMMEDIATES:
        number = None
    elif type.is_float:
        number = _decimal(bits, type)
    elif type.is_signed:
        number = str(immediate.value())
    return f"{number or f'{bits:#x}'}:{type.text}"


def _decimal(bits: int, type: DataType) -> str | None:
    """The shortest decimal that rounds to the bits; None when no number does (a NaN, unused bits of tf32)."""
    value = float_value(bits, type)
    if math.isnan(value) or float_bits(value, type) != bits:
        return None
    digits = (f"{value:.{n}g}" for n in range(1, 18))
    text = next(t for t in digits if float_bits(float(t), type) == bits)
    return text if any(c in text for c in ".en") else text + ".0"


def _alu(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    condition, destination = instruction.condition, instruction.destination
    assert destination is not None
    parts = []
    if condition is not None:
        parts.append(f"({condition.condition.text})" + (_flag(condition.flag) if condition.flag else ""))
    parts.append(("(sat)" if instruction.saturate else "") + format_destination(destination))
    if instruction.carry is not None:
        parts.append(format_destination(Destination(instruction.carry, DataType.UD)))
    return parts + [format_source(source, instruction.spec.modifiers) for source in instruction.sources]


def _dpas(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    assert instruction.destination is not None
    operands: list[Destination | SourceRegister] = [instruction.destination]
    operands += [source for source in instruction.sources if isinstance(source, SourceRegister)]
    return [f"{format_register(o.register, o.type)}:{o.type.text}" for o in operands]


def _branch(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    return [label or " ".join(f"{distance:+d}" for distance in instruction.distances)]


def _call(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    assert instruction.returned is not None
    return [format_register(instruction.returned, DataType.UD), *_branch(instruction, label, grf_bytes)]


def _indirect_call(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    assert instruction.returned is not None
    return [format_register(instruction.returned, DataType.UD), *_return(instruction, label, grf_bytes)]


def _return(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    assert instruction.address is not None
    return [format_register(instruction.address, DataType.UD)]


def _barrier(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    return [format_source(source, Modifiers.NONE) for source in instruction.sources]


def _plain(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    return []


# Messages ------------------------------------------------------------------------------------------------------------


def _message_qualifiers(instruction: Instruction) -> str:
    message = _message_of(instruction)
    shape = message.data_size.text
    if message.block is None and (message.vector > 1 or message.transposed):
        shape += f"x{message.vector}"
    shape += ("t" if message.transposed else "") + ("v" if message.vnni else "")
    parts = [message.unit.text, shape, message.address_size.text]
    if message.cache.code:
        assert instruction.spec.access is not None
        parts.append(cache_text(message.cache, instruction.spec.access))
    return "." + ".".join(parts)


def _message(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    message, address = _message_of(instruction), instruction.address
    assert address is not None
    returned = addressed = data = ""
    if grf_bytes is not None:
        returned, addressed, data = (f":{n}" for n in register_counts(instruction, grf_bytes))
    offset = f"{'-' if message.offset < 0 else '+'}{abs(message.offset):#x}" if message.offset else ""
    parts = [f"{message.model.text}[r{address.number}{offset}]{addressed}"]
    if instruction.returned is not None:
        parts.insert(0, f"r{instruction.returned.number}{returned}")
    elif instruction.spec.access is MemoryAccessKind.ATOMIC:
        parts.insert(0, "null")
    if instruction.data is not None:
        parts.append(f"r{instruction.data.number}{data}")
    if message.block is not None:
        parts.append(f"{message.block.width}x{message.block.height}x{message.block.count}")
    return parts


def register_counts(instruction: Instruction, grf_bytes: int) -> tuple[int, int, int]:
    """Number of registers of what a message returns, of its address payload, and of its data."""
    message = _message_of(instruction)
    dwords = grf_bytes // 4
    data = data_bytes(message, instruction.exec_size, grf_bytes, dwords)
    lanes = 1 if message.transposed or message.block else instruction.exec_size
    addresses = -(-lanes * message.address_size.size // grf_bytes)
    return data // grf_bytes, addresses, instruction.spec.sources * data // grf_bytes


def _image_qualifiers(instruction: Instruction) -> str:
    image = instruction.image
    assert image is not None
    assert instruction.spec.access is not None
    parts = [image.unit.text, DataSize.D32.text, image.shape]
    if image.cache.code:
        parts.append(cache_text(image.cache, instruction.spec.access))
    return "." + ".".join(parts)


def _image(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    surface, address = instruction.surface, instruction.address
    assert surface is not None
    assert address is not None
    returned = coordinates = data = ""
    if grf_bytes is not None:
        returned, coordinates, data = (f":{n}" for n in image_register_counts(instruction, grf_bytes))
    parts = [f"r{instruction.returned.number}{returned}"] if instruction.returned is not None else []
    parts.append(f"bss[{format_register(surface, DataType.UQ)}][r{address.number}{coordinates}]")
    if instruction.sampler is not None:
        parts.append(f"sampler[{format_register(instruction.sampler, DataType.UQ)}]")
    if instruction.data is not None:
        parts.append(f"r{instruction.data.number}{data}")
    return parts


def _fence_qualifiers(instruction: Instruction) -> str:
    fence = instruction.fence
    assert fence is not None
    return f".{fence.unit.text}.{fence.flush.text}.{fence.scope.text}"


def _message_of(instruction: Instruction) -> Message:
    assert instruction.message is not None
    return instruction.message


_QUALIFIERS: dict[InstructionFormat, Callable[[Instruction], str]] = {
    InstructionFormat.ALU: lambda instruction: (
        f".{instruction.table:#04x}" if instruction.spec.extra is Extra.TABLE else ""
    ),
    InstructionFormat.DPAS: lambda instruction: f".{DEPTH}x{instruction.repeat}",
    InstructionFormat.MESSAGE: _message_qualifiers,
    InstructionFormat.IMAGE: _image_qualifiers,
    InstructionFormat.FENCE: _fence_qualifiers,
    InstructionFormat.BARRIER: lambda instruction: "",
    **dict.fromkeys(
        (
            InstructionFormat.BRANCH,
            InstructionFormat.GOTO,
            InstructionFormat.JOIN,
            InstructionFormat.CALL,
            InstructionFormat.INDIRECT_CALL,
            InstructionFormat.RETURN,
        ),
        lambda instruction: "",
    ),
    InstructionFormat.PLAIN: lambda instruction: "",
}
_OPERANDS: dict[InstructionFormat, Callable[[Instruction, str | None, int | None], list[str]]] = {
    InstructionFormat.ALU: _alu,
    InstructionFormat.DPAS: _dpas,
    InstructionFormat.MESSAGE: _message,
    InstructionFormat.IMAGE: _image,
    InstructionFormat.FENCE: _plain,
    InstructionFormat.BARRIER: _barrier,
    InstructionFormat.BRANCH: _branch,
    InstructionFormat.GOTO: _branch,
    InstructionFormat.JOIN: _branch,
    InstructionFormat.CALL: _call,
    InstructionFormat.INDIRECT_CALL: _indirect_call,
    InstructionFormat.RETURN: _return,
    InstructionFormat.PLAIN: _plain,
}
