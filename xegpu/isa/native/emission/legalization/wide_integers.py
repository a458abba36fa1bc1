"""Integers of 64 bits on hardware that has none: moves, sums and shifts, dword by dword."""

from __future__ import annotations

from dataclasses import replace

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import Destination, Immediate, Register, SourceRegister
from xegpu.isa.model.types import DataType
from xegpu.isa.native.emission.legalization.dwords import dword, named_registers, results
from xegpu.isa.native.emission.legalization.parts import WIDE_BITS, Source, half, half_of, is_wide, overlap
from xegpu.isa.native.emission.legalization.regions import halves_of_channels
from xegpu.isa.native.emission.legalization.script import script
from xegpu.isa.native.emission.words.context import EmissionContext, UnsupportedEmission
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.targets import Feature

_Steps = list[Instruction | NativeInstruction]
_DWORD = 32
_SHIFTS = frozenset({"shl", "shr", "asr"})


def _is_emulated(instruction: Instruction, context: EmissionContext) -> bool:
    return not context.platform.has(Feature.INT64) and is_wide(instruction)


def move_by_dwords(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns a move from or to 64 bits as moves of dwords."""
    destination = instruction.destination
    if instruction.mnemonic != "mov" or destination is None or not _is_emulated(instruction, context):
        return None
    (source,) = instruction.sources
    if source.type.is_float or destination.type.is_float:
        raise UnsupportedEmission("conversions between floats and integers of 64 bits")
    if instruction.condition is not None:
        raise UnsupportedEmission("a move of integers of 64 bits that sets a flag")
    if isinstance(source, SourceRegister) and (source.negate or source.absolute):
        return _negated(instruction, destination, source, context)
    if instruction.saturate:
        return _saturated(instruction, destination, source, context)
    if destination.type.bits < WIDE_BITS:
        return [replace(instruction, sources=(half(source, False),))]
    if instruction.exec_size > context.lanes:
        return halves_of_channels(instruction, context)
    if isinstance(source, SourceRegister) and overlap(
        destination, source, instruction.exec_size, context.platform.grf_bytes
    ):
        registers = named_registers(context)
        parts = [registers["t"], registers["u"]]
        return [*_dwords(instruction, source, parts), *results(instruction, destination, parts)]
    return [
        replace(dword(instruction, half_of(destination, bool(number)), source, number), predicate=instruction.predicate)
        for number in (0, 1)
    ]


def _negated(
    instruction: Instruction, destination: Destination, source: SourceRegister, context: EmissionContext
) -> _Steps:
    """Returns a move of the negated number, which takes the first temporary only."""
    if source.absolute or instruction.saturate or destination.type.bits < WIDE_BITS:
        raise UnsupportedEmission("the absolute number of an integer of 64 bits, or one that is narrowed")
    if instruction.exec_size > context.lanes:
        return halves_of_channels(instruction, context)
    registers = named_registers(context)
    parts = [registers["a0"], registers["b0"]]
    text = "not a0 a0\nnot b0 b0\naddc a0 a0 1\nadd b0 b0 carry"
    return [
        *_dwords(instruction, source, parts),
        *script(instruction, registers, text),
        *results(instruction, destination, parts),
    ]


def _saturated(instruction: Instruction, destination: Destination, source: Source, context: EmissionContext) -> _Steps:
    """Returns a move of 64 bits to a dword with the same sign or without: the nearest number that it holds."""
    if (
        destination.type.bits != _DWORD
        or source.type.bits != WIDE_BITS
        or destination.type.is_signed != source.type.is_signed
    ):
        raise UnsupportedEmission(f"{source.type.text} that saturates to {destination.type.text}")
    if instruction.exec_size > context.lanes:
        return halves_of_channels(instruction, context)
    registers = named_registers(context)
    text = _SATURATE_SIGNED if source.type.is_signed else _SATURATE
    return [
        *_dwords(instruction, source, [registers["t"], registers["u"]]),
        *script(instruction, registers, text),
        *results(instruction, destination, [registers["t"]]),
    ]


_SATURATE = """
    lzd u u
    shr u u 5:uw
    add u u 0xFFFFFFFF
    or t t u
"""
"""Makes all ones of a number in the dwords t and u whose high one is not zero."""

_SATURATE_SIGNED = """
    asr w:d t:d 31:uw
    xor w w u
    lzd w w
    shr w w 5:uw
    add w w 0xFFFFFFFF
    asr u:d u:d 31:uw
    xor u u 0x7FFFFFFF
    and u u w
    not w w
    and t t w
    or t t u
"""
"""Takes the end of the range in the place of a number whose high dword is not the sign of the low one."""


def add_by_dwords(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns a sum or difference of 64 bits, with a carry or borrow between the dwords."""
    destination = instruction.destination
    if instruction.mnemonic != "add" or destination is None or not _is_emulated(instruction, context):
        return None
    if instruction.saturate or instruction.condition is not None or destination.type.bits < WIDE_BITS:
        raise UnsupportedEmission("a sum of integers of 64 bits that saturates, sets a flag or is narrower")
    if instruction.exec_size > context.lanes:
        return halves_of_channels(instruction, context)
    first, second = instruction.sources
    negated = [isinstance(source, SourceRegister) and source.negate for source in (first, second)]
    if all(negated):
        raise UnsupportedEmission("a sum of two negated integers of 64 bits")
    if negated[0]:
        first, second = second, first
    registers = named_registers(context)
    names = {"p": registers["a0"], "q": registers["b0"], "x": registers["x0"], "y": registers["y0"]}
    steps: _Steps = [
        *_dwords(instruction, first, [names["p"], names["q"]]),
        *_dwords(instruction, _positive(second), [names["x"], names["y"]]),
    ]
    names |= {"t": registers["t"], "u": registers["u"]}
    if any(negated):
        steps += script(instruction, names, "subb t p x\nadd u q -carry\nadd u u -y")
    else:
        steps += script(instruction, names, "addc t p x\nadd u q carry\nadd u u y")
    return [*steps, *results(instruction, destination, [names["t"], names["u"]])]


def shift_by_dwords(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns a shift of 64 bits: bits cross from one dword to the other, which may take all of it.

    For any count the mask is all ones for one of 32 and more.
    """
    destination = instruction.destination
    if instruction.mnemonic not in _SHIFTS or destination is None or not _is_emulated(instruction, context):
        return None
    if instruction.condition is not None or instruction.saturate:
        raise UnsupportedEmission("a shift of integers of 64 bits that saturates or sets a flag")
    if instruction.exec_size > context.lanes:
        return halves_of_channels(instruction, context)
    source, count = instruction.sources
    if isinstance(count, Immediate):
        return _shifted_by_constant(instruction, destination, source, count.bits % WIDE_BITS, context)
    registers = named_registers(context)
    names = {
        "p": registers["a0"],
        "q": registers["b0"],
        "n": registers["x0"],
        "m": registers["y0"],
        **{name: registers[name] for name in "tuwh"},
    }
    steps: _Steps = _dwords(instruction, source, [names["p"], names["q"]])
    steps.append(dword(instruction, Destination(names["n"], DataType.UD), count, 0))
    steps += script(instruction, names, _MASK + _TEXTS[instruction.mnemonic])
    return [*steps, *results(instruction, destination, [names["t"], names["u"]])]


_MASK = """
    and n n 63
    mov m -n
    add m m 31
    asr m:d m:d 31:uw
    and n n 31
    mov w -n
    add w w 31
"""
"""Makes the mask in `m`, the count below 32 in `n`, and 31 less that in `w`."""

_TEXTS = {
    # The dwords of the number are p and q, those of the result t and u.
    "shl": """
    shl t p n
    shl u q n
    shr h p 1
    shr h h w
    or u u h
    not w m
    and u u w
    and h t m
    or u u h
    and t t w
    """,
    "shr": """
    shr t p n
    shr u q n
    shl h q 1
    shl h h w
    or t t h
    not w m
    and t t w
    and h u m
    or t t h
    and u u w
    """,
    "asr": """
    shr t p n
    asr u:d q:d n:d
    shl h q 1
    shl h h w
    or t t h
    not w m
    and t t w
    and h u m
    or t t h
    and u u w
    asr h:d q:d 31:uw
    and h h m
    or u u h
    """,
}


def _shifted_by_constant(
    instruction: Instruction, destination: Destination, source: Source, count: int, context: EmissionContext
) -> _Steps:
    """Returns a shift by a count that is known: dwords move by whole ones, and bits cross from one to the other."""
    registers = named_registers(context)
    names = {"p": registers["a0"], "q": registers["b0"], **{name: registers[name] for name in "tuh"}}
    dwords, bits = divmod(count, _DWORD)
    near, far, back = ("t p", "u q", "shr") if instruction.mnemonic == "shl" else ("u q", "t p", "shl")
    fill = "asr u:d q:d 31:uw" if instruction.mnemonic == "asr" else f"mov {near[0]} 0"
    shift = instruction.mnemonic
    of_sign = "asr {0}:d {1}:d {2}:uw" if shift == "asr" else f"{shift} {{0}} {{1}} {{2}}:uw"
    if dwords:
        text = f"{fill}\n" + of_sign.format(far[0], near[-1], bits)
    else:
        text = of_sign.format(near[0], near[-1], bits)
        text += f"\n{'shr' if shift == 'asr' else shift} {far[0]} {far[-1]} {bits}:uw"
        if bits:
            text += f"\n{back} h {near[-1]} {_DWORD - bits}:uw\nor {far[0]} {far[0]} h"
    steps = _dwords(instruction, source, [names["p"], names["q"]])
    return [*steps, *script(instruction, names, text), *results(instruction, destination, [names["t"], names["u"]])]


def _positive(source: Source) -> Source:
    return replace(source, negate=False) if isinstance(source, SourceRegister) else source


def _dwords(like: Instruction, source: Source, registers: list[Register]) -> _Steps:
    """Returns moves of both dwords of a source to registers."""
    plain_source = _positive(source)
    return [
        dword(like, Destination(register, DataType.UD), plain_source, number)
        for number, register in enumerate(registers)
    ]
