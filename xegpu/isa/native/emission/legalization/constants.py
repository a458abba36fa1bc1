"""Constants: instructions but moves take those of 32 bits at most, and three-source ones those of 16."""

from __future__ import annotations

from dataclasses import replace

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import SCALAR, Immediate, SourceRegister
from xegpu.isa.model.types import PACKED_AS, DataType
from xegpu.isa.native.emission.legalization.parts import WIDE_BITS, scalar_move
from xegpu.isa.native.emission.words.context import EmissionContext
from xegpu.isa.native.encoding.instruction import NativeInstruction

_NARROW = (DataType.UW, DataType.W, DataType.UD, DataType.D)
_THREE = 3


def narrow_constants(
    instruction: Instruction, context: EmissionContext
) -> list[Instruction | NativeInstruction] | None:
    """Returns the instruction with constants that it can hold, or that are in registers.

    The hardware extends a constant by its sign if its type has one.
    """
    if instruction.mnemonic == "mov":
        return None
    moves: list[Instruction | NativeInstruction] = []
    sources = list(instruction.sources)
    for index, source in enumerate(instruction.sources):
        if not isinstance(source, Immediate) or source.type in PACKED_AS:
            continue
        if len(sources) < _THREE and source.type.bits < WIDE_BITS and index == len(sources) - 1:
            continue
        narrow = None if source.type.is_float or len(sources) == _THREE else _narrowed(source)
        if narrow is not None and index == len(sources) - 1:
            sources[index] = narrow
            continue
        register = replace(context.payload, byte=8 * index)
        moves.append(scalar_move(register, source))
        sources[index] = SourceRegister(register, source.type, SCALAR)
    return [*moves, replace(instruction, sources=tuple(sources))] if tuple(sources) != instruction.sources else None


def _narrowed(source: Immediate) -> Immediate | None:
    """Returns an integer in the first type that has it."""
    signed = Immediate(DataType.Q, source.bits).value()
    return next((Immediate.of(signed, type) for type in _NARROW if Immediate.of(signed, type).value() == signed), None)
