"""Linear interpolation, which the hardware has no instruction for."""

from __future__ import annotations

from dataclasses import replace

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import Destination, Immediate, SourceRegister
from xegpu.isa.model.types import DataType
from xegpu.isa.native.emission.legalization.parts import contiguous, moved, plain
from xegpu.isa.native.emission.words.context import EmissionContext, UnsupportedEmission
from xegpu.isa.native.encoding.instruction import NativeInstruction


def interpolate(instruction: Instruction, context: EmissionContext) -> list[Instruction | NativeInstruction] | None:
    """Returns the weight of the second number, its product with that, and the sum with that of the first."""
    destination = instruction.destination
    if instruction.mnemonic != "lrp" or destination is None:
        return None
    weight, first, second = instruction.sources
    if not isinstance(weight, SourceRegister) or weight.absolute:
        raise UnsupportedEmission("'lrp' with a constant or an absolute number as its weight")
    size = context.platform.grf_bytes
    rest = Destination(moved(context.temporary(3), destination.register.byte % size, size), DataType.F)
    other = contiguous(rest.register, rest.type, instruction.exec_size)
    return [
        plain(instruction, "add", rest, replace(weight, negate=not weight.negate), Immediate.of(1.0, DataType.F)),
        plain(instruction, "mul", rest, other, second),
        replace(
            plain(instruction, "mad", destination, weight, first, other),
            saturate=instruction.saturate,
            predicate=instruction.predicate,
        ),
    ]
