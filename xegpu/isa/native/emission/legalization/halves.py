"""Logic and choices of 64 bits, half by half."""

from __future__ import annotations

from dataclasses import replace

from xegpu.isa.model.instruction import ConditionModifier, Instruction, Predicate
from xegpu.isa.model.operands import FLAGS, NULL, Destination, Register, RegisterFile, SourceRegister
from xegpu.isa.native.emission.legalization.parts import copy_dword, half, half_of, is_wide, overlap, plain, widened
from xegpu.isa.native.emission.words.context import EmissionContext, UnsupportedEmission
from xegpu.isa.native.encoding.instruction import NativeInstruction

_LOGIC = frozenset({"and", "or", "xor", "not", "bfn"})
_Steps = list[Instruction | NativeInstruction]


def logic_by_halves(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns logic on 64 bits as logic on their halves."""
    if instruction.mnemonic not in _LOGIC or not is_wide(instruction):
        return None
    if instruction.condition is not None:
        raise UnsupportedEmission(f"'{instruction.mnemonic}' of 64 bits with a condition")
    return _by_halves(instruction, context)


def select_by_halves(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns a choice of 64 bits. That of the smaller or larger number compares first, in a flag that is put back."""
    if instruction.mnemonic != "sel" or not is_wide(instruction):
        return None
    if instruction.condition is None:
        return _by_halves(instruction, context)
    used, kept = context.flag, context.kept_flag
    register = Register(RegisterFile.ARF, FLAGS[used.number].number)
    compared = replace(
        plain(instruction, "cmp", Destination(NULL, instruction.sources[0].type), *instruction.sources),
        condition=ConditionModifier(instruction.condition.condition, used),
    )
    chosen = replace(instruction, condition=None, predicate=Predicate(used))
    return [copy_dword(instruction, kept, register), compared, chosen, copy_dword(instruction, register, kept)]


def _by_halves(instruction: Instruction, context: EmissionContext) -> _Steps:
    destination = instruction.destination
    if destination is None or destination.type.bits != 64:
        raise UnsupportedEmission(f"'{instruction.mnemonic}' from 64 bits to fewer")
    steps: _Steps = []
    sources = []
    for index, source in enumerate(instruction.sources):
        moves, found = widened(instruction, source, context.temporary(1 + index), destination.type)
        steps += moves
        sources.append(found)
    for is_high in (False, True):
        parts = tuple(half(source, is_high) for source in sources)
        target = half_of(destination, is_high)
        for source in sources:
            if isinstance(source, SourceRegister) and _is_overwritten(instruction, destination, source, context):
                raise UnsupportedEmission(f"'{instruction.mnemonic}' of 64 bits onto a part of its source")
        steps.append(replace(instruction, destination=target, sources=parts))
    return steps


def _is_overwritten(
    instruction: Instruction, destination: Destination, source: SourceRegister, context: EmissionContext
) -> bool:
    """Returns whether a channel writes what another one reads."""
    lanes, region = instruction.exec_size, source.region
    reads_own = destination.register == source.register and (
        lanes == 1 or (region.width == 1 and region.vertical == destination.stride)
    )
    return not reads_own and overlap(destination, source, lanes, context.platform.grf_bytes)
