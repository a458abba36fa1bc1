"""Fences: wait until earlier accesses to the memory of a unit are visible."""

from __future__ import annotations

from dataclasses import replace

from xegpu.isa.formats.parts.messages import UNIT_CODES, UNITS
from xegpu.isa.formats.parts.rules import fail, one_channel
from xegpu.isa.formats.parts.word import CONTROL, FIRST_OWN_BIT, Word, consecutive
from xegpu.isa.formats.spec import FormatSpec, Syntax, define
from xegpu.isa.model.costs import InstructionCost, Pipe
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.messages import FenceFields, Flush, MemoryScope, Unit
from xegpu.isa.model.table import InstructionFormat, OpSpec
from xegpu.isa.notation.reader import Reading
from xegpu.targets import Target

_LAYOUT = CONTROL | consecutive(FIRST_OWN_BIT, ("unit", 4), ("function", 6), ("flush", 3), ("scope", 3))

_FLUSHES = {flush.text: flush for flush in Flush}
_FLUSH_CODES = {flush.code: flush for flush in Flush}
_SCOPES = {scope.text: scope for scope in MemoryScope}
_SCOPE_CODES = {scope.code: scope for scope in MemoryScope}


def _fence(instruction: Instruction) -> FenceFields:
    assert instruction.fence is not None
    return instruction.fence


def _encode(instruction: Instruction) -> dict[str, int]:
    fence = _fence(instruction)
    return {
        "unit": fence.unit.code,
        "function": instruction.spec.function,
        "flush": fence.flush.code,
        "scope": fence.scope.code,
    }


def _decode(word: Word, spec: OpSpec) -> Instruction:
    word.use(_LAYOUT)
    unit, flush = word.pick("unit", UNIT_CODES), word.pick("flush", _FLUSH_CODES)
    fence = FenceFields(unit, flush, word.pick("scope", _SCOPE_CODES))
    return Instruction(spec, *word.control(spec), fence=fence)


def _parse(reading: Reading, instruction: Instruction) -> Instruction:
    """Reads `.unit.flush.scope`."""
    if len(reading.qualifiers) != 3:
        reading.fail("expected unit, flush and scope such as fence.ugm.none.gpu")
    unit, flush, scope = reading.qualifiers
    if unit not in UNITS or flush not in _FLUSHES or scope not in _SCOPES:
        reading.fail(f"no fence '.{'.'.join(reading.qualifiers)}'")
    return replace(instruction, fence=FenceFields(UNITS[unit], _FLUSHES[flush], _SCOPES[scope]))


def _format_qualifiers(instruction: Instruction) -> str:
    fence = _fence(instruction)
    return f".{fence.unit.text}.{fence.flush.text}.{fence.scope.text}"


def _check_form(instruction: Instruction) -> None:
    if instruction.fence is None:
        fail(instruction, "needs a unit, what to flush and a scope")


def _validate(instruction: Instruction, target: Target, grf_count: int) -> None:
    fence = _fence(instruction)
    one_channel(instruction)
    if fence.unit not in (Unit.UGM, Unit.SLM):
        fail(instruction, f"{fence.unit.text} holds no memory")
    if fence.unit is Unit.SLM and (fence.flush, fence.scope) != (Flush.NONE, MemoryScope.GROUP):
        fail(instruction, "slm is fenced by none.group only")


def _cost(instruction: Instruction, target: Target) -> InstructionCost:
    is_slm = _fence(instruction).unit is Unit.SLM
    return InstructionCost(Pipe.SEND, stall=target.timing.slm_fence if is_slm else target.timing.fence)


define(
    FormatSpec(
        format=InstructionFormat.FENCE,
        fields=frozenset({"fence"}),
        layouts={"fence": _LAYOUT},
        encode=_encode,
        decode=_decode,
        parse=_parse,
        format_qualifiers=_format_qualifiers,
        check_form=_check_form,
        validate=_validate,
        cost=_cost,
        syntax=lambda spec: Syntax(".UNIT.FLUSH.SCOPE"),
        section="Fences",
    )
)
