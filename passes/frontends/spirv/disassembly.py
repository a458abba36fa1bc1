"""The disassembler: a module as text, in the manner of spirv-dis."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from math import isfinite, nan

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
    types: dict[int, tuple[str, int]] = {}
    values: dict[int, int] = {}
    lines = [
        f"; SPIR-V {binary.version[0]}.{binary.version[1]}, generator 0x{binary.generator:08x}, bound {binary.bound}",
    ]
    for instruction in binary.instructions:
        operands = operands_with_kinds(instruction, words, binary.bound)
        selector = instruction.number(0) if instruction.name == "OpSwitch" else 0
        literal = types.get(values.get(selector, 0) if selector else instruction.type)
        values[instruction.result] = instruction.type
        if instruction.name in ("OpTypeInt", "OpTypeFloat"):
            types[instruction.result] = (instruction.name, instruction.number(0))
        if instruction.name in _WITH_LITERALS and literal is not None:
            texts = _literals(operands, _WITH_LITERALS[instruction.name], *literal)
        else:
            texts = [
                _operand(kind, value, binary.bound, sets.get(instruction.number(0)) if "Ext" in kind else None)
                for kind, value in operands
            ]
        left = f"%{instruction.result}" if instruction.result else ""
        kind = [f"%{instruction.type}"] if instruction.type else []
        line = f"{left:>12}{' = ' if left else '   '}{' '.join([instruction.name, *kind, *texts])}"
        lines.append(f"{line:<80} ; word {instruction.word}")
    return "\n".join(lines) + "\n"


_WITH_LITERALS = {"OpConstant": 0, "OpSpecConstant": 0, "OpSwitch": 2}
"""Instructions with literals whose size a type tells, and how many operands come before them."""


def _literals(operands: Sequence[tuple[str, Operand]], start: int, name: str, bits: int) -> list[str]:
    """Returns the operands of an instruction with literals, which labels follow in switches."""
    words = [value for _, value in operands if isinstance(value, int)]
    texts = [f"%{word}" for word in words[:start]]
    size = 2 if bits > 32 else 1
    rest = words[start:]
    while rest:
        number = sum(word << 32 * place for place, word in enumerate(rest[:size]))
        texts.append(_float(number, bits) if name == "OpTypeFloat" else str(number & (1 << min(bits, 64)) - 1))
        texts += [f"%{label}" for label in rest[size : size + 1] if start]
        rest = rest[size + bool(start) :]
    return texts


def _float(number: int, bits: int) -> str:
    """Returns a number by its value, or by its word if it is none."""
    code = {16: "<e", 32: "<f", 64: "<d"}.get(bits)
    value = nan if code is None else struct.unpack(code, number.to_bytes(8, "little")[: bits // 8])[0]
    words = [number & 0xFFFFFFFF, *([number >> 32] if bits > 32 else [])]
    return repr(value) if isfinite(value) else " ".join(f"!0x{word:08x}" for word in words)


def _operand(kind: str, value: Operand, bound: int, extended_set: str | None) -> str:
    if isinstance(value, str):
        return json.dumps(value)
    if kind in ID_KINDS and 0 < value < bound:
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
