"""The disassembler: a module as text, in the manner of spirv-dis."""

from __future__ import annotations

import json

from passes.frontends.spirv.grammar import ID_KINDS, grammar, name_of
from passes.frontends.spirv.reader import Operand, operands_with_kinds, read, words_of


def disassemble(data: bytes) -> str:
    """Returns the text of a module, with the word at which each instruction starts.

    Raises:
        SpirvError: The words do not follow the grammar.
    """
    binary = read(data)
    words = words_of(data)
    sets = {each.result: each.text(0) for each in binary.instructions if each.name == "OpExtInstImport"}
    lines = [
        f"; SPIR-V {binary.version[0]}.{binary.version[1]}, generator 0x{binary.generator:08x}, bound {binary.bound}",
    ]
    for instruction in binary.instructions:
        operands = operands_with_kinds(instruction, words, binary.bound)
        texts = [
            _operand(kind, value, sets.get(instruction.number(0)) if "Ext" in kind else None)
            for kind, value in operands
        ]
        left = f"%{instruction.result}" if instruction.result else ""
        kind = [f"%{instruction.type}"] if instruction.type else []
        line = f"{left:>12}{' = ' if left else '   '}{' '.join([instruction.name, *kind, *texts])}"
        lines.append(f"{line:<80} ; word {instruction.word}")
    return "\n".join(lines) + "\n"


def _operand(kind: str, value: Operand, extended_set: str | None) -> str:
    if isinstance(value, str):
        return json.dumps(value)
    if kind in ID_KINDS:
        return f"%{value}"
    if kind == "LiteralExtInstInteger" and extended_set == "OpenCL.std":
        known = grammar().opencl.get(value)
        return known.name if known else str(value)
    if kind == "LiteralSpecConstantOpInteger":
        operation = grammar().operations.get(value)
        return operation.name.removeprefix("Op") if operation else str(value)
    enumeration = grammar().enumerations.get(kind)
    if enumeration is None:
        return str(value)
    if enumeration.is_mask and value not in enumeration.names:
        return "|".join(name_of(kind, 1 << bit) for bit in range(32) if value >> bit & 1) or "None"
    return name_of(kind, value)
