"""Instructions without operands: `eot`, `nop`, `illegal`."""

from __future__ import annotations

from xegpu.isa.formats.parts.rules import one_channel
from xegpu.isa.formats.parts.word import CONTROL, Word
from xegpu.isa.formats.spec import FormatSpec, Syntax, define
from xegpu.isa.model.costs import InstructionCost, Pipe
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.table import InstructionFormat, OpSpec
from xegpu.targets import Target


def _decode(word: Word, spec: OpSpec) -> Instruction:
    word.use(CONTROL)
    return Instruction(spec, *word.control(spec))


def _cost(instruction: Instruction, target: Target) -> InstructionCost:
    return InstructionCost(Pipe.CONTROL, stall=target.timing.launch if instruction.ends_thread else 0)


define(
    FormatSpec(
        format=InstructionFormat.PLAIN,
        layouts={"plain": CONTROL},
        decode=_decode,
        may_omit_channels=True,
        validate=lambda instruction, target, grf_count: one_channel(instruction),
        cost=_cost,
        syntax=lambda spec: Syntax(channels=""),
    )
)
