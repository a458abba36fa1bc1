"""Comparisons: of 64 bits by halves, and those that also write their outcome to a register."""

from __future__ import annotations

from dataclasses import replace

from xegpu.isa.model.instruction import ConditionModifier, Instruction, Predicate
from xegpu.isa.model.operands import NULL, Destination, Flag, Immediate
from xegpu.isa.model.table import Condition
from xegpu.isa.model.types import DataType
from xegpu.isa.native.emission.legalization.parts import Source, contiguous, half, is_wide, mixed_signs, plain, widened
from xegpu.isa.native.emission.words.context import EmissionContext, UnsupportedEmission
from xegpu.isa.native.encoding.instruction import NativeInstruction

_STRICT = {
    Condition.LT: Condition.LT,
    Condition.LE: Condition.LT,
    Condition.GT: Condition.GT,
    Condition.GE: Condition.GT,
}
"""The comparison of high halves that decides whatever the low ones are."""

_Steps = list[Instruction | NativeInstruction]
_NO = Immediate(DataType.D, 0)


def without_result(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns a comparison that writes its flag only, and moves of its outcome: all bits or none."""
    destination, modifier = instruction.destination, instruction.condition
    if instruction.mnemonic != "cmp" or destination is None or destination.register.is_null or modifier is None:
        return None
    flag = _flag_of(instruction, modifier)
    zero = Immediate(destination.type, 0)
    ones = Immediate(destination.type, (1 << destination.type.bits) - 1)
    compared = replace(instruction, destination=Destination(NULL, instruction.sources[0].type))
    chosen = replace(plain(instruction, "mov", destination, ones), predicate=Predicate(flag))
    return [compared, plain(instruction, "mov", destination, zero), chosen]


def compare_by_halves(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns a comparison of integers of 64 bits: high halves decide, and where these are equal, the low ones."""
    destination, modifier = instruction.destination, instruction.condition
    if instruction.mnemonic != "cmp" or not is_wide(instruction) or modifier is None or destination is None:
        return None
    if not destination.register.is_null:
        return without_result(instruction, context)
    flag = _flag_of(instruction, modifier)
    if mixed_signs(instruction.sources):
        raise UnsupportedEmission("a comparison of signed and unsigned integers of 64 bits")
    is_signed = instruction.sources[0].type.is_signed
    wide = DataType.Q if is_signed else DataType.UQ
    steps: _Steps = []
    sources = []
    for index, source in enumerate(instruction.sources):
        moves, found = widened(instruction, source, context.temporary(1 + index), wide)
        steps += moves
        sources.append(found)
    low = [half(source, False) for source in sources]
    high = [half(source, True, signed=is_signed) for source in sources]

    def compare(condition: Condition, parts: list[Source], predicate: Predicate | None = None) -> Instruction:
        return replace(
            plain(instruction, "cmp", Destination(NULL, parts[0].type), *parts),
            condition=ConditionModifier(condition, flag),
            predicate=predicate,
        )

    condition = modifier.condition
    if condition is Condition.EQ:
        return [*steps, compare(condition, high), compare(condition, low, Predicate(flag))]
    if condition is Condition.NE:
        return [*steps, compare(condition, high), compare(condition, low, Predicate(flag, inverted=True))]
    if condition not in _STRICT:
        raise UnsupportedEmission(f"condition {condition.text} on integers of 64 bits")
    decided = context.temporary(0)
    outcome = contiguous(decided, DataType.D, instruction.exec_size)
    return [
        *steps,
        compare(_STRICT[condition], high),
        plain(instruction, "mov", Destination(decided, DataType.D), _NO),
        replace(
            plain(instruction, "mov", Destination(decided, DataType.D), Immediate.of(1, DataType.D)),
            predicate=Predicate(flag),
        ),
        compare(Condition.EQ, high),
        compare(condition, low, Predicate(flag)),
        compare(Condition.NE, [outcome, _NO], Predicate(flag, inverted=True)),
    ]


def _flag_of(instruction: Instruction, modifier: ConditionModifier) -> Flag:
    if modifier.flag is None or instruction.predicate is not None:
        raise UnsupportedEmission("a comparison under a predicate")
    return modifier.flag
