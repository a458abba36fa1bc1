"""Writes the parts of instructions: predicates, registers with regions and types, constants."""

from __future__ import annotations

import math

from xegpu.isa.model.instruction import Instruction, Predicate
from xegpu.isa.model.operands import (
    ARCHITECTURE,
    VXH,
    Destination,
    Flag,
    Immediate,
    Register,
    RegisterFile,
    SourceRegister,
    float_bits,
    float_value,
)
from xegpu.isa.model.table import Modifiers
from xegpu.isa.model.types import PACKED_IMMEDIATES, DataType


def format_control(instruction: Instruction) -> str:
    """Returns `(W&~f0.1.any)`, or nothing for an instruction without a predicate that follows the execution mask."""
    parts = ["W"] if instruction.no_mask else []
    if instruction.predicate is not None:
        parts.append(_predicate(instruction.predicate))
    return f"({'&'.join(parts)})" if parts else ""


def _predicate(predicate: Predicate) -> str:
    combination = f".{predicate.combination.text}" if predicate.combination.text else ""
    return ("~" if predicate.inverted else "") + format_flag(predicate.flag) + combination


def format_flag(flag: Flag) -> str:
    """Returns `f0.1`."""
    return f"f{flag.number}.{flag.half}"


def format_register(register: Register, type: DataType) -> str:
    """Returns `rN.S`, where S counts elements of the type.

    A byte offset inside of an element, which no target allows, is marked `b`.
    """
    if register.is_null:
        return "null"
    if register.file is RegisterFile.INDIRECT:
        return f"r[a0.{register.number}, {register.byte}]"
    name = ARCHITECTURE[register.number].text if register.file is RegisterFile.ARF else f"r{register.number}"
    element, rest = divmod(8 * register.byte, type.bits)
    return f"{name}.{register.byte}b" if rest else f"{name}.{element}"


def format_destination(destination: Destination) -> str:
    """Returns `r10.0<2>:f`."""
    return f"{format_register(destination.register, destination.type)}<{destination.stride}>:{destination.type.text}"


def format_source(source: SourceRegister | Immediate, modifiers: Modifiers) -> str:
    """Returns `-(abs)r10.0<8;8,1>:f`, or a constant."""
    if isinstance(source, Immediate):
        return format_immediate(source)
    sign = ("~" if modifiers is Modifiers.LOGIC else "-") if source.negate else ""
    region = source.region
    rows = "" if region.vertical == VXH else f"{region.vertical};"
    return (
        f"{sign}{'(abs)' if source.absolute else ''}{format_register(source.register, source.type)}"
        f"<{rows}{region.width},{region.horizontal}>:{source.type.text}"
    )


def format_immediate(immediate: Immediate) -> str:
    """Returns `-5:d`, `0xff:ud`, `0x76543210:v` or `1.5:f`.

    Signed integers and floats are written in decimal, all other constants and NaNs as bits in hexadecimal.
    """
    bits, type = immediate.bits, immediate.type
    number: str | None = None
    if type in PACKED_IMMEDIATES:
        number = None
    elif type.is_float:
        number = _decimal(bits, type)
    elif type.is_signed:
        number = str(immediate.value())
    return f"{number or f'{bits:#x}'}:{type.text}"


def _decimal(bits: int, type: DataType) -> str | None:
    """Returns the shortest decimal that rounds to the bits; None where there is none (NaNs, unused bits of tf32)."""
    value = float_value(bits, type)
    if math.isnan(value) or float_bits(value, type) != bits:
        return None
    digits = (f"{value:.{n}g}" for n in range(1, 18))
    text = next(t for t in digits if float_bits(float(t), type) == bits)
    return text if any(c in text for c in ".en") else text + ".0"


def format_distances(instruction: Instruction, label: str | None) -> str:
    """Returns the labels that an instruction goes to, or without them its distances in bytes."""
    return label or " ".join(f"{distance:+d}" for distance in instruction.distances)
