"""Instructions to text, in the notation of Intel's assemblers as far as the virtual instruction set allows.

`xegpu.isa.text.assembler` reads the text back to the same bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xegpu.isa.code.program import VERSION, Program, decode_program
from xegpu.isa.formats.spec import format_of
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.notation.writer import format_control

_NO_COMMENTS: Mapping[int, str] = {}


def disassemble(code: bytes, offsets: bool = False) -> str:
    """Returns the text of the code of a kernel (`format_program`); raises `DecodeError`."""
    return format_program(decode_program(code), offsets)


def format_program(
    program: Program,
    offsets: bool = False,
    comments: Mapping[int, str] = _NO_COMMENTS,
    cycles: Sequence[int] = (),
) -> str:
    """Returns the text of a program: header directives, and one instruction or label on each line.

    Args:
        program: The program.
        offsets: Whether the byte offset of every instruction precedes it as a comment.
        comments: Comments by byte offset, each on a line before the instruction at that offset.
        cycles: The cost of each instruction, which precedes it as a comment; none if it is empty.

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
    """Returns names for the instructions that others go to, by index."""
    targets = {target for index in range(len(program.instructions)) for target in _targets(program, index)}
    return {index: f"L{n}" for n, index in enumerate(sorted(t for t in targets if t is not None), 1)}


def format_labelled(program: Program, index: int, names: Mapping[int, str]) -> str:
    """Returns the text of one instruction of a program, with the labels that it goes to (`label_names`)."""
    found = [None if target is None else names[target] for target in _targets(program, index)]
    labels = [name for name in found if name is not None]
    label = " ".join(labels) if labels and len(labels) == len(found) else None
    return format_instruction(program.instructions[index], label=label, grf_bytes=program.grf_bytes)


def _targets(program: Program, index: int) -> list[int | None]:
    """Returns the indices of the instructions that an instruction names."""
    offset = program.offsets[index]
    return [program.index_of(offset + distance) for distance in program.instructions[index].distances]


def format_instruction(instruction: Instruction, *, label: str | None = None, grf_bytes: int | None = None) -> str:
    """Returns the text of one instruction.

    Args:
        instruction: The instruction.
        label: The label that a branch goes to, or both of a goto; without it distances in bytes are written.
        grf_bytes: The bytes of a register; if it is known, messages show how many registers they use.

    """
    format = format_of(instruction)
    parts = [format_control(instruction), instruction.mnemonic + format.format_qualifiers(instruction)]
    size, offset = instruction.exec_size, instruction.channel_offset
    if not format.may_omit_channels or (size, offset) != (1, 0):
        parts.append(f"({size}|M{offset})")
    parts += format.format_operands(instruction, label, grf_bytes)
    return " ".join(part for part in parts if part)
