"""Products of integers: the hardware multiplies 32 bits by 16, and makes more of that in the accumulator."""

from __future__ import annotations

from dataclasses import replace

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import Destination, Immediate, SourceRegister
from xegpu.isa.model.semantics import computation_type
from xegpu.isa.model.types import DataType
from xegpu.isa.native.emission.legalization.dwords import dword, named_registers, results
from xegpu.isa.native.emission.legalization.parts import Source, contiguous, doubled, half, half_of, plain, widened
from xegpu.isa.native.emission.legalization.regions import halves_of_channels
from xegpu.isa.native.emission.legalization.script import high_product, script
from xegpu.isa.native.emission.words.computations import computation
from xegpu.isa.native.emission.words.context import ACCUMULATOR, EmissionContext, UnsupportedEmission
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.layouts.opcodes import BY_MNEMONIC

_Steps = list[Instruction | NativeInstruction]
_WORD, _DWORD = 16, 32
_LARGEST_WORD = 0xFFFF


def multiply(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns a product of integers of 32 or 64 bits that the hardware does not have."""
    destination = instruction.destination
    if instruction.mnemonic != "mul" or destination is None or destination.type.is_float:
        return None
    if destination.type.bits < _DWORD or _is_one_instruction(instruction):
        return None
    if instruction.saturate or instruction.condition is not None:
        raise UnsupportedEmission("a product of integers that saturates or sets a flag")
    if instruction.exec_size > context.lanes:
        return halves_of_channels(instruction, context)
    if destination.type.bits == _DWORD:
        first, second = instruction.sources
        return _low(instruction, destination, first, second, context)
    shift = _shift(instruction, destination, context)
    return shift if shift is not None else _wide_product(instruction, destination, context)


def multiply_high(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns the high half of a product of integers: of 64 bits from products of halves, less what the signs add."""
    destination = instruction.destination
    if instruction.mnemonic != "mulh" or destination is None:
        return None
    first, second = instruction.sources
    type = computation_type(instruction)
    if instruction.exec_size > context.platform.grf_bytes // type.size:
        return halves_of_channels(instruction, context)
    if type.bits == destination.type.bits == _DWORD:
        return _high(instruction, destination, first, second, context)
    registers = named_registers(context)
    if type.bits == _DWORD:
        target = Destination(registers["t"], type)
        return [
            *_high(instruction, target, first, second, context),
            *results(instruction, destination, [target.register]),
        ]
    steps: _Steps = []
    for name, source in zip("xy", (first, second), strict=True):
        steps += [dword(instruction, Destination(registers[f"{name}{n}"], DataType.UD), source, n) for n in (0, 1)]
    steps += script(instruction, registers, high_product("x", "y"))
    if type.is_signed:
        steps += script(instruction, registers, _SIGNED_HIGH)
    return [*steps, *results(instruction, destination, (registers["t"], registers["w"]))]


_SIGNED_HIGH = "".join(
    f"""
    asr u:d {factor}1:d 31:uw
    and h u {other}1
    and u u {other}0
    subb t t u
    add w w -carry
    add w w -h
    """
    for factor, other in ("xy", "yx")
)
"""Takes each factor from the high half of the product if the other one is negative."""


def multiply_and_add(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns a sum of a product of integers as a product and a sum, unless they are words."""
    destination = instruction.destination
    if instruction.mnemonic != "mad" or destination is None or destination.type.is_float:
        return None
    if destination.type.bits == _WORD:
        return None
    *factors, addend = instruction.sources
    product = Destination(context.temporary(3), destination.type if destination.type.bits > _WORD else DataType.D)
    return [
        plain(instruction, "mul", product, *factors),
        replace(
            plain(
                instruction,
                "add",
                destination,
                contiguous(product.register, product.type, instruction.exec_size),
                addend,
            ),
            saturate=instruction.saturate,
            condition=instruction.condition,
            predicate=instruction.predicate,
        ),
    ]


def _is_one_instruction(instruction: Instruction) -> bool:
    """Returns whether the second factor, and for 32 bits the first one too, is small enough."""
    destination = instruction.destination
    second = instruction.sources[1]
    return destination is not None and destination.type.bits == _DWORD and second.type.bits == _WORD


def _shift(instruction: Instruction, destination: Destination, context: EmissionContext) -> _Steps | None:
    """Returns a product by a power of two as a shift."""
    first, factor = instruction.sources
    if not isinstance(factor, Immediate) or factor.bits.bit_count() != 1 or isinstance(first, Immediate):
        return None
    moves, wide = widened(instruction, first, context.temporary(0), destination.type)
    count = Immediate.of(factor.bits.bit_length() - 1, DataType.UW)
    shifted = replace(plain(instruction, "shl", destination, wide, count), predicate=instruction.predicate)
    return [*moves, shifted]


def _wide_product(instruction: Instruction, destination: Destination, context: EmissionContext) -> _Steps:
    """Returns the low 64 bits of a product, from products of halves."""
    steps: _Steps = []
    sources = []
    for index, source in enumerate(instruction.sources):
        moves, found = widened(instruction, source, context.temporary(1 + index), destination.type)
        steps += moves
        sources.append(found)
    first, second = sources
    high, part = context.temporary(0), replace(context.temporary(0), number=context.temporary(0).number + 1)
    target, cross = Destination(high, DataType.UD), Destination(part, DataType.UD)
    steps += _high(instruction, target, half(first, False), half(second, False), context)
    for one, other in ((half(first, False), half(second, True)), (half(first, True), half(second, False))):
        if isinstance(other, Immediate) and not other.bits:
            continue
        steps += _low(instruction, cross, one, other, context)
        steps.append(
            plain(
                instruction,
                "add",
                target,
                contiguous(high, DataType.UD, instruction.exec_size),
                contiguous(part, DataType.UD, instruction.exec_size),
            )
        )
    steps += _low(instruction, cross, half(first, False), half(second, False), context)
    for is_high, register in ((False, part), (True, high)):
        move = plain(
            instruction,
            "mov",
            half_of(destination, is_high),
            contiguous(register, DataType.UD, instruction.exec_size),
        )
        steps.append(replace(move, predicate=instruction.predicate))
    return steps


def _low(
    instruction: Instruction, destination: Destination, first: Source, second: Source, context: EmissionContext
) -> _Steps:
    """Returns the low 32 bits of a product of 32 bits."""
    moves, first, second = _in_dwords(instruction, first, second, context)
    word = _low_word(second)
    if isinstance(second, Immediate) and second.bits <= _LARGEST_WORD:
        return [*moves, replace(plain(instruction, "mul", destination, first, word), predicate=instruction.predicate)]
    return [*moves, *_pair("macl", instruction, destination, first, second, context)]


def _high(
    instruction: Instruction, destination: Destination, first: Source, second: Source, context: EmissionContext
) -> _Steps:
    """Returns the high 32 bits of a product of integers of 32 bits, both of the same type."""
    return _pair("mach", instruction, destination, first, second, context)


def _in_dwords(
    instruction: Instruction, first: Source, second: Source, context: EmissionContext
) -> tuple[_Steps, Source, Source]:
    """Returns both factors as dwords, whose signs do not matter, the constant last."""
    moves: _Steps = []
    found = []
    for index, source in enumerate((first, second)):
        more, wide = widened(instruction, source, context.temporary(1 + index), DataType.UD)
        moves += more
        found.append(replace(wide, type=DataType.UD))
    return moves, found[0], found[1]


def _pair(
    mnemonic: str,
    instruction: Instruction,
    destination: Destination,
    first: Source,
    second: Source,
    context: EmissionContext,
) -> _Steps:
    """Returns a product by the low words of the second factor in the accumulator, and what completes it."""
    if destination.register.byte:
        # The accumulator has its numbers where registers begin, and so the product.
        whole = Destination(context.temporary(0), DataType.UD)
        value = contiguous(whole.register, DataType.UD, instruction.exec_size)
        moved = replace(plain(instruction, "mov", destination, value), predicate=instruction.predicate)
        without = replace(instruction, predicate=None)
        return [*_pair(mnemonic, without, whole, first, second, context), moved]
    accumulated = plain(instruction, "mul", Destination(ACCUMULATOR, first.type), first, _low_word(second))
    completed = computation(
        context.platform,
        replace(plain(instruction, "mul", destination, first, second), predicate=instruction.predicate),
    )
    opcode, fields = BY_MNEMONIC[mnemonic], dict(completed.fields)
    if not context.encoding.has(BY_MNEMONIC["macl"]):
        # The other instruction completes both halves: the high one if it says that it writes the accumulator, too.
        opcode, fields["acc_write"] = BY_MNEMONIC["mach"], int(mnemonic == "mach")
    return [computation(context.platform, accumulated), replace(completed, opcode=opcode, fields=fields)]


def _low_word(source: Source) -> Immediate | SourceRegister:
    """Returns the low words of dwords."""
    if isinstance(source, Immediate):
        return Immediate(DataType.UW, source.bits & _LARGEST_WORD)
    return replace(source, type=DataType.UW, region=doubled(source.region))
