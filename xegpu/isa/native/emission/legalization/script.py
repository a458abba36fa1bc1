"""Sequences of instructions as text: one a line, with registers by their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import Destination, Immediate, Register
from xegpu.isa.model.types import BY_TEXT, DataType
from xegpu.isa.native.emission.legalization.parts import Source, contiguous, plain
from xegpu.isa.native.emission.words.context import ACCUMULATOR

CARRY = "carry"
"""The name of the accumulator, where `addc` and `subb` leave a carry or borrow for each channel."""

_WITH_CARRY = frozenset({"addc", "subb"})


def script(like: Instruction, registers: Mapping[str, Register], text: str) -> list[Instruction]:
    """Returns the instructions of a text for the channels of an instruction.

    A line is a mnemonic, the result and the sources: `mad x:f x:f 2.0:f y:f`. An operand without a type is one of `ud`.
    A minus in front of a name negates a source.
    """
    return [_line(like, registers, line.split()) for line in text.splitlines() if line.strip()]


def _line(like: Instruction, registers: Mapping[str, Register], words: list[str]) -> Instruction:
    mnemonic, result, *sources = words
    operands = [_source(like, registers, source) for source in sources]
    target, type = _typed(result)
    found = plain(like, mnemonic, Destination(registers[target], type), *operands)
    return replace(found, carry=ACCUMULATOR) if mnemonic in _WITH_CARRY else found


def _source(like: Instruction, registers: Mapping[str, Register], text: str) -> Source:
    name, type = _typed(text)
    bare = name.removeprefix("-")
    if bare not in registers and bare != CARRY:
        return Immediate.of(float(name) if type.is_float else int(name, 0), type)
    register = ACCUMULATOR if bare == CARRY else registers[bare]
    return replace(contiguous(register, type, like.exec_size), negate=bare != name)


def _typed(text: str) -> tuple[str, DataType]:
    name, _, type = text.partition(":")
    return name, BY_TEXT[type] if type else DataType.UD


# Products of 64 bits, whose numbers have the dwords `name0` and `name1` ----------------------------------------------


def low_product(result: str, x: str, y: str) -> str:
    """Returns the text of the low 64 bits of a product, which takes `t` and `u`."""
    return f"""
    mulh u {x}0 {y}0
    mul t {x}0 {y}1
    add u u t
    mul t {x}1 {y}0
    add u u t
    mul t {x}0 {y}0
    mov {result}0 t
    mov {result}1 u
    """


def high_product(x: str, y: str) -> str:
    """Returns the text of the high 64 bits of a product without signs, in `t` and `w`, which takes `u` and `h`."""
    return f"""
    mulh w {x}0 {y}0
    mul t {x}1 {y}0
    mulh u {x}1 {y}0
    addc t t w
    add u u carry
    mul w {x}0 {y}1
    mulh h {x}0 {y}1
    addc w w t
    add h h carry
    mul t {x}1 {y}1
    mulh w {x}1 {y}1
    addc t t u
    add w w carry
    addc t t h
    add w w carry
    """
