"""Barriers: signal or wait for that of the whole work-group, or a named one, whose payload is an operand."""

from __future__ import annotations

from dataclasses import replace

from xegpu.isa.formats.parts.operands import (
    KIND_IMMEDIATE,
    immediate_fields,
    read_immediate,
    read_scalar,
    scalar_values,
    source_fields,
)
from xegpu.isa.formats.parts.rules import check_source, fail, one_channel
from xegpu.isa.formats.parts.spans import Footprint, Span, byte_of
from xegpu.isa.formats.parts.word import CONTROL, FIRST_OWN_BIT, Word
from xegpu.isa.formats.spec import FormatSpec, Syntax, define
from xegpu.isa.model.costs import InstructionCost, Pipe
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import SCALAR, RegisterFile, SourceRegister
from xegpu.isa.model.table import InstructionFormat, Modifiers, OpSpec
from xegpu.isa.model.types import DataType
from xegpu.isa.notation.reader import Reading, parse_source
from xegpu.isa.notation.writer import format_source
from xegpu.targets import Target

_LAYOUTS = {
    "barrier": CONTROL | source_fields(0, FIRST_OWN_BIT),
    "barrier-immediate": CONTROL | immediate_fields(0, FIRST_OWN_BIT, 64, 32),
    "plain": CONTROL,
}
_TYPES = frozenset({DataType.UB, DataType.UW, DataType.UD})


def _name_layout(spec: OpSpec, immediate: bool) -> str:
    if not spec.sources:
        return "plain"
    return "barrier-immediate" if immediate else "barrier"


def _encode(instruction: Instruction) -> dict[str, int]:
    return scalar_values(instruction.sources[0]) if instruction.sources else {}


def _decode(word: Word, spec: OpSpec) -> Instruction:
    if not spec.sources:
        word.use(CONTROL)
        return Instruction(spec, *word.control(spec))
    word.layout = _LAYOUTS["barrier"]
    immediate = word.get("src0.kind") == KIND_IMMEDIATE
    word.use(_LAYOUTS[_name_layout(spec, immediate)])
    source = read_immediate(word, 0) if immediate else read_scalar(word)
    return Instruction(spec, *word.control(spec), sources=(source,))


def _parse(reading: Reading, instruction: Instruction) -> Instruction:
    reading.refuse_qualifiers(instruction.spec)
    count = range(instruction.spec.sources)
    return replace(
        instruction, sources=tuple(parse_source(reading.scanner, reading.context, instruction) for _ in count)
    )


def _format_operands(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    return [format_source(source, Modifiers.NONE) for source in instruction.sources]


def _check_form(instruction: Instruction) -> None:
    """Checks that a named barrier has one dword or less: a scalar in a general register, or a constant."""
    if len(instruction.sources) != instruction.spec.sources:
        fail(instruction, f"takes {instruction.spec.sources} sources, got {len(instruction.sources)}")
    for source in instruction.sources:
        if source.type not in _TYPES:
            fail(instruction, f"source type {source.type.text} is not allowed")
        if isinstance(source, SourceRegister):
            if source.register.file is not RegisterFile.GRF or source.region != SCALAR:
                fail(instruction, "takes a scalar in a general register, or a constant")
            if source.negate or source.absolute:
                fail(instruction, "takes no source modifiers")


def _validate(instruction: Instruction, target: Target, grf_count: int) -> None:
    one_channel(instruction)
    for source in instruction.sources:
        if isinstance(source, SourceRegister):
            check_source(instruction, source, target, grf_count)


def _footprint(instruction: Instruction, target: Target, grf_count: int) -> Footprint:
    registers = [source for source in instruction.sources if isinstance(source, SourceRegister)]
    return Footprint(tuple(Span(byte_of(s.register, target), s.type.size, s.type.size) for s in registers))


def _cost(instruction: Instruction, target: Target) -> InstructionCost:
    return InstructionCost(Pipe.SEND, stall=target.timing.barrier_latency if instruction.spec.waits else 0)


define(
    FormatSpec(
        format=InstructionFormat.BARRIER,
        fields=frozenset({"sources"}),
        layouts=_LAYOUTS,
        name_layout=_name_layout,
        encode=_encode,
        decode=_decode,
        parse=_parse,
        format_operands=_format_operands,
        may_omit_channels=True,
        check_form=_check_form,
        validate=_validate,
        footprint=_footprint,
        cost=_cost,
        syntax=lambda spec: Syntax(channels="", operands=("src0",) if spec.sources else ()),
        section="Barriers",
    )
)
