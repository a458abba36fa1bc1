"""Divergent control flow: gotos park channels at joins, which switch them on again."""

from __future__ import annotations

from xegpu.isa.formats.parts.distances import JOIN, TARGET, distance_values, jump_cost, parse_distances, read_distance
from xegpu.isa.formats.parts.rules import fail
from xegpu.isa.formats.parts.word import CONTROL, Field, Word
from xegpu.isa.formats.spec import FormatSpec, Syntax, define
from xegpu.isa.model.instruction import Combination, Instruction
from xegpu.isa.model.table import InstructionFormat, OpSpec
from xegpu.targets import Target

_GOTO = CONTROL | {"function": Field(26, 1)} | JOIN | TARGET
_JOIN = CONTROL | JOIN


def _encode_goto(instruction: Instruction) -> dict[str, int]:
    return {"function": instruction.spec.function, **distance_values(instruction)}


def _decode_goto(word: Word, spec: OpSpec) -> Instruction:
    word.use(_GOTO)
    target, join = read_distance(word, "target"), read_distance(word, "join")
    return Instruction(spec, *word.control(spec), target=target, join=join)


def _decode_join(word: Word, spec: OpSpec) -> Instruction:
    word.use(_JOIN)
    return Instruction(spec, *word.control(spec), join=read_distance(word, "join"))


def _validate(instruction: Instruction, target: Target, grf_count: int) -> None:
    """Checks the rules that do not depend on the program: on other instructions and the size of its threads."""
    if instruction.channel_offset or instruction.no_mask:
        fail(instruction, "works on all channels of the thread that are on, from M0 and without (W)")
    predicate = instruction.predicate
    if predicate is not None and predicate.combination is not Combination.NONE:
        fail(instruction, "takes a plain predicate")


define(
    FormatSpec(
        format=InstructionFormat.GOTO,
        fields=frozenset({"target", "join"}),
        layouts={"goto": _GOTO},
        encode=_encode_goto,
        decode=_decode_goto,
        parse=parse_distances,
        validate=_validate,
        cost=jump_cost,
        syntax=lambda spec: Syntax(channels="(ES|M0)", operands=("join", "label")),
        section="Divergence",
    )
)

define(
    FormatSpec(
        format=InstructionFormat.JOIN,
        fields=frozenset({"join"}),
        layouts={"join": _JOIN},
        encode=distance_values,
        decode=_decode_join,
        parse=parse_distances,
        validate=_validate,
        syntax=lambda spec: Syntax(channels="(ES|M0)", operands=("label",)),
        section="Divergence",
    )
)
