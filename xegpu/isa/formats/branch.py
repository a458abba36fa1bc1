"""Uniform jumps: all channels of the thread go to the target, or none."""

from __future__ import annotations

from xegpu.isa.formats.parts.distances import TARGET, distance_values, jump_cost, parse_distances, read_distance
from xegpu.isa.formats.parts.rules import one_channel
from xegpu.isa.formats.parts.word import CONTROL, Word
from xegpu.isa.formats.spec import FormatSpec, Syntax, define
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.table import InstructionFormat, OpSpec

_LAYOUT = CONTROL | TARGET


def _decode(word: Word, spec: OpSpec) -> Instruction:
    word.use(_LAYOUT)
    return Instruction(spec, *word.control(spec), target=read_distance(word, "target"))


define(
    FormatSpec(
        format=InstructionFormat.BRANCH,
        fields=frozenset({"target"}),
        layouts={"branch": _LAYOUT},
        encode=distance_values,
        decode=_decode,
        parse=parse_distances,
        # Where the target is, the program checks.
        validate=lambda instruction, target, grf_count: one_channel(instruction),
        cost=jump_cost,
        syntax=lambda spec: Syntax(operands=("label",)),
        section="Control",
    )
)
