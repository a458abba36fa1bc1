"""Arithmetic and logic of native code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from xegpu.isa.model.instruction import ConditionModifier, Instruction, Predicate
from xegpu.isa.model.operands import (
    CONTIGUOUS,
    FLAGS,
    NULL,
    SCALAR,
    Destination,
    Flag,
    Immediate,
    Register,
    RegisterFile,
    SourceRegister,
    grf,
    strided,
)
from xegpu.isa.model.table import BY_MNEMONIC, Condition, Extra, OpSpec
from xegpu.isa.model.types import PACKED_AS, DataType, integer
from xegpu.isa.native.encoding import codes
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.layouts.forms import MACROS, NativeForm
from xegpu.isa.native.layouts.opcodes import BY_MNEMONIC as NATIVE, Part
from xegpu.isa.native.lowering import operands
from xegpu.isa.native.lowering.context import LoweringContext, UnsupportedInstruction
from xegpu.isa.native.text.formatter import source_count

_CONDITIONS = {condition.text: condition for condition in Condition}

Lowering = Callable[[NativeInstruction, LoweringContext], tuple[Instruction, ...]]


def lower_alu(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns what stands for an instruction that computes."""
    mnemonic = instruction.opcode.mnemonic
    if mnemonic in _SPECIAL:
        lowered = _SPECIAL[mnemonic](instruction, context)
    elif instruction.opcode.form is NativeForm.MATH and instruction["function"] in MACROS:
        lowered = _macro(instruction, context)
    else:
        if instruction.opcode.form is NativeForm.MATH:
            mnemonic += f".{codes.MATH_FUNCTIONS[instruction['function']]}"
        spec = BY_MNEMONIC.get(mnemonic)
        if spec is None or not (spec.computes or spec.is_matrix_product):
            raise UnsupportedInstruction(f"'{mnemonic}' is not supported")
        lowered = (_same(instruction, spec, context),)
    if instruction["acc_write"] and mnemonic not in _ACCUMULATING:
        lowered = _also_accumulated(lowered, context)
    return tuple(part for found in lowered for part in _in_registers(_of_bits(found), context))


def _also_accumulated(lowered: tuple[Instruction, ...], context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns instructions, the last of which also writes its result to the accumulator."""
    *before, last = lowered
    if last.destination is None or (last.predicate is not None and last.condition is not None):
        raise UnsupportedInstruction("AccWrEn of this instruction is not supported")
    accumulator = replace(last.destination, register=context.accumulator(0))
    if last.destination.register.is_null:
        return *before, replace(last, destination=accumulator)
    result = SourceRegister(last.destination.register, last.destination.type, strided(last.destination.stride))
    copied = Instruction(
        BY_MNEMONIC["mov"],
        last.exec_size,
        last.channel_offset,
        last.no_mask,
        last.predicate,
        destination=accumulator,
        sources=(result,),
    )
    return *before, last, copied


def _of_bits(instruction: Instruction) -> Instruction:
    """Returns an instruction on bits with unsigned operands, which those of native code need not be."""
    found = instruction.destination
    if instruction.mnemonic not in _UNSIGNED or found is None or instruction.saturate:
        return instruction
    sources = tuple(replace(source, type=integer(source.type.bits, signed=False)) for source in instruction.sources)
    return replace(
        instruction, destination=replace(found, type=integer(found.type.bits, signed=False)), sources=sources
    )


def _in_registers(instruction: Instruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns an instruction behind moves of sources to registers.

    These are constants, unless they are the last source of an instruction that takes one, and sources that are narrower
    than the model wants them.
    """
    spec, moves, sources = instruction.spec, [], []
    takes_constant = spec.extra is not Extra.CARRY and not spec.is_matrix_product
    for index, source in enumerate(instruction.sources):
        source = _spread(instruction, source)
        wanted = _wanted_type(instruction, source.type)
        is_narrow = wanted is not source.type
        if is_narrow and isinstance(source, Immediate) and source.type not in PACKED_AS:
            source = Immediate(wanted, source.bits)
        is_last = index == len(instruction.sources) - 1
        if is_narrow or (isinstance(source, Immediate) and not (is_last and takes_constant)):
            is_vector = isinstance(source, SourceRegister) or source.type in PACKED_AS
            channels = instruction.exec_size if is_vector else 1
            target = Destination(context.temporary(index), wanted)
            moves.append(Instruction(BY_MNEMONIC["mov"], channels, no_mask=True, destination=target, sources=(source,)))
            source = SourceRegister(target.register, target.type, CONTIGUOUS if channels > 1 else SCALAR)
        sources.append(source)
    return (*moves, replace(instruction, sources=tuple(sources))) if moves else (instruction,)


def _spread(instruction: Instruction, source: SourceRegister | Immediate) -> SourceRegister | Immediate:
    """Returns a packed vector of integers with an element for each channel.

    In native code its elements are words, of which an instruction on dwords takes every second one.
    """
    result = instruction.destination
    if not isinstance(source, Immediate) or source.type not in _PACKED_WORDS or result is None or result.type.bits < 32:
        return source
    nibbles = [source.bits >> 4 * (2 * channel % 8) & 0xF for channel in range(8)]
    return Immediate(source.type, sum(nibble << 4 * channel for channel, nibble in enumerate(nibbles)))


def _wanted_type(instruction: Instruction, type: DataType) -> DataType:
    """Returns the type in which the model takes a source of an integer type."""
    if instruction.spec.same_types:
        widest = max((source.type for source in instruction.sources), key=lambda type: type.bits)
        type = widest if type.bits < widest.bits else type
    if type.is_float or type in instruction.spec.types:
        return type
    if type in PACKED_AS:
        return DataType.D if PACKED_AS[type].is_signed else DataType.UD
    wider = [wide for wide in instruction.spec.types if not wide.is_float and wide.bits > type.bits]
    return next((wide for wide in wider if wide.is_signed == type.is_signed), type)


def _same(instruction: NativeInstruction, spec: OpSpec, context: LoweringContext) -> Instruction:
    """Returns the instruction of the model with the same operands in the same order."""
    is_matrix = spec.is_matrix_product
    sources = tuple(operands.source(instruction, f"src{index}", context) for index in range(source_count(instruction)))
    return Instruction(
        spec,
        operands.exec_size(instruction),
        operands.channel_offset(instruction),
        bool(instruction["no_mask"]),
        operands.predicate(instruction) if Part.PREDICATE in instruction.opcode.parts else None,
        _condition(instruction, spec),
        bool(instruction["saturate"]) and Part.SATURATE in instruction.opcode.parts,
        operands.destination(instruction, context),
        sources,
        repeat=instruction["repeat"] + 1 if is_matrix else 0,
        table=instruction["table"],
    )


def _condition(instruction: NativeInstruction, spec: OpSpec) -> ConditionModifier | None:
    if Part.CONDITION not in instruction.opcode.parts or not instruction["condition"]:
        return None
    name = codes.conditions(instruction.opcode.form)[instruction["condition"]]
    if name not in _CONDITIONS:
        raise UnsupportedInstruction(f"condition {name} is not supported")
    return ConditionModifier(_CONDITIONS[name], None if spec.selects else operands.flag(instruction))


def _sel(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns a choice, by a condition that the model has or by a comparison before it.

    The model has minimum and maximum, which conditions without equality also give for integers. The flag that the
    comparison needs is put back behind the choice.
    """
    found = _same(instruction, BY_MNEMONIC["sel"], context)
    condition = None if found.condition is None else found.condition.condition
    if condition in (None, Condition.LT, Condition.GE):
        return (found,)
    if condition in _EXTREMA and not any(source.type.is_float for source in found.sources):
        return (replace(found, condition=ConditionModifier(_EXTREMA[condition], None)),)
    last = instruction.platform.flag_registers - 1
    used = Flag(last)
    flag = Register(RegisterFile.ARF, FLAGS[last].number)
    kept = context.temporary()
    compared = replace(
        found,
        spec=BY_MNEMONIC["cmp"],
        saturate=False,
        condition=ConditionModifier(condition, used),
        destination=Destination(NULL, found.sources[0].type),
    )
    chosen = replace(found, condition=None, predicate=Predicate(used))
    return _copy(kept, flag), compared, chosen, _copy(flag, kept)


def _copy(target: Register, source: Register) -> Instruction:
    """Returns a move of a dword between two registers."""
    return Instruction(
        BY_MNEMONIC["mov"],
        no_mask=True,
        destination=Destination(target, DataType.UD),
        sources=(SourceRegister(source, DataType.UD, SCALAR),),
    )


def _csel(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns a choice by a condition; without one, both choices have to be the same."""
    found = _same(instruction, BY_MNEMONIC["csel"], context)
    if found.condition is not None:
        return (found,)
    first, second, _ = found.sources
    if first != second:
        raise UnsupportedInstruction("'csel' without a condition is not supported")
    return (replace(found, spec=BY_MNEMONIC["mov"], sources=(first,)),)


def _mad(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns a sum, whose addend comes first in native code and last in the model."""
    found = _same(instruction, BY_MNEMONIC["mad"], context)
    addend, *factors = found.sources
    return (replace(found, sources=(*factors, addend)),)


def _mac(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns a sum of a product and the accumulator."""
    found = _same(instruction, BY_MNEMONIC["mad"], context)
    if found.channel_offset or found.destination is None:
        raise UnsupportedInstruction("'mac' of channels behind the first ones is not supported")
    region = SCALAR if found.exec_size == 1 else CONTIGUOUS
    addend = SourceRegister(context.accumulator(0), found.destination.type, region)
    return (replace(found, sources=(*found.sources, addend)),)


def _macl(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns the low half of a product, which native code makes from the partial product in the accumulator."""
    return (_same(instruction, BY_MNEMONIC["mul"], context),)


def _mach(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns the high half of a product, and its low half in the accumulator.

    Where there is no `macl`, it is the low half unless the accumulator is written.
    """
    if not instruction.encoding.has(NATIVE["macl"]) and not instruction["acc_write"]:
        return _macl(instruction, context)
    high = _same(instruction, BY_MNEMONIC["mulh"], context)
    type = DataType.D if any(source.type.is_signed for source in high.sources) else DataType.UD
    low = Destination(context.accumulator(0), type)
    return replace(high, spec=BY_MNEMONIC["mul"], destination=low), high


def _with_carry(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns a sum or difference whose carry or borrow goes to the accumulator."""
    found = _same(instruction, BY_MNEMONIC[instruction.opcode.mnemonic], context)
    return (replace(found, carry=context.accumulator(0)),)


def _macro(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns the whole division or square root that a macro begins.

    The flag is set for all channels, so that they jump over the steps that follow.
    """
    spec = BY_MNEMONIC["div" if instruction["function"] == MACROS[0] else "sqrtm"]
    result = _same(instruction, spec, context)
    any_register = SourceRegister(grf(0), DataType.UD, SCALAR)
    done = replace(
        result,
        spec=BY_MNEMONIC["cmp"],
        predicate=None,
        saturate=False,
        condition=ConditionModifier(Condition.EQ, operands.flag(instruction)),
        destination=Destination(NULL, DataType.UD),
        sources=(any_register, any_register),
    )
    return result, done


_UNSIGNED = frozenset({"bfn", "bfrev", "cbit", "fbl", "rol", "ror"})

_ACCUMULATING = frozenset({"mach", "addc", "subb"})
"""The instructions whose second result goes to the accumulator anyway."""

_PACKED_WORDS = frozenset({DataType.V, DataType.UV})

_EXTREMA = {Condition.LE: Condition.LT, Condition.GT: Condition.GE}

_SPECIAL: Mapping[str, Lowering] = {
    "sel": _sel,
    "csel": _csel,
    "mad": _mad,
    "madm": _mad,
    "mac": _mac,
    "macl": _macl,
    "mach": _mach,
    "addc": _with_carry,
    "subb": _with_carry,
}
COMPUTING = frozenset(
    {
        NativeForm.ONE,
        NativeForm.TWO,
        NativeForm.THREE,
        NativeForm.BFN,
        NativeForm.MADM,
        NativeForm.MATH,
        NativeForm.DPAS,
    }
)
"""The forms of instructions that compute."""
