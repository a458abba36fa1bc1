"""Numbers in registers of their own, dword by dword, for sequences of instructions that are longer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import Destination, Immediate, Register
from xegpu.isa.model.types import DataType
from xegpu.isa.native.emission.legalization.parts import (
    SIGN_SHIFT,
    WIDE_BITS,
    Source,
    contiguous,
    half,
    half_of,
    moved,
    plain,
)
from xegpu.isa.native.emission.words.context import EmissionContext


def named_registers(context: EmissionContext) -> Mapping[str, Register]:
    """Returns the temporaries by name: `t`, `u`, `w` and `h`, and the dwords `a0` to `y1`.

    Those of one letter are whole registers, as results of products are. Of the dwords, each has half of one.
    """
    size = context.platform.grf_bytes
    whole = [moved(context.temporary(0), number * size, size) for number in range(8)]
    found = dict(zip("tuwh", whole[4:], strict=True))
    for name, register in zip("abxy", whole[:4], strict=True):
        found |= {f"{name}0": register, f"{name}1": moved(register, size // 2, size)}
    return found


def dword(like: Instruction, target: Destination, source: Source, number: int) -> Instruction:
    """Returns the move of a dword of a source, which is extended if it has fewer."""
    if source.type.bits == WIDE_BITS:
        return plain(like, "mov", target, half(source, bool(number)))
    if isinstance(source, Immediate):
        wide = Immediate.of(source.value(), DataType.UQ)
        return plain(like, "mov", target, half(wide, bool(number)))
    if not number:
        return plain(like, "mov", target, source)
    if source.type.is_signed:
        return plain(like, "asr", replace(target, type=DataType.D), source, SIGN_SHIFT)
    return plain(like, "mov", target, Immediate(DataType.UD, 0))


def results(like: Instruction, destination: Destination, dwords: Sequence[Register]) -> list[Instruction]:
    """Returns moves of the dwords of a number to the result of an instruction, under its predicate."""
    is_wide = destination.type.bits == WIDE_BITS
    parts = [half_of(destination, is_high) for is_high in (False, True)] if is_wide else [destination]
    return [
        replace(plain(like, "mov", part, contiguous(register, DataType.UD, like.exec_size)), predicate=like.predicate)
        for part, register in zip(parts, dwords, strict=False)
    ]
