"""The rules of instructions: those of their form, whatever the target, and those of a target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter

from xegpu.isa.formats.parts.rules import fail
from xegpu.isa.formats.spec import FORMATS, format_of
from xegpu.isa.model.instruction import MAX_CHANNELS, Instruction
from xegpu.isa.model.operands import Flag
from xegpu.isa.model.table import InstructionFormat
from xegpu.targets import Target

_FLAG_BITS = 32

_SHARED_FIELDS = frozenset(
    {"spec", "exec_size", "channel_offset", "no_mask", "predicate", "condition", "saturate"},
)
"""The fields of instructions of all formats; those of other formats keep their defaults."""

_DEFAULTS = {field.name: field.default for field in fields(Instruction) if field.name not in _SHARED_FIELDS}


@cache
def _foreign_fields(format: InstructionFormat) -> tuple[Callable[[Instruction], object], tuple[object, ...]]:
    """Returns what gets the fields that instructions of a format do not have, and what it gets from them."""
    names = [name for name in _DEFAULTS if name not in FORMATS[format].fields]
    return attrgetter(*names), tuple(_DEFAULTS[name] for name in names)


def check_form(instruction: Instruction) -> None:
    """Raises `IllegalInstruction` unless the instruction has exactly the fields that its row of the table asks for."""
    format = FORMATS[instruction.spec.format]
    foreign, defaults = _foreign_fields(format.format)
    if foreign(instruction) != defaults:
        name = next(n for n in _DEFAULTS if n not in format.fields and getattr(instruction, n) != _DEFAULTS[n])
        fail(instruction, f"has no {name}")
    _check_flags(instruction)
    format.check_form(instruction)


def _check_flags(instruction: Instruction) -> None:
    spec, predicate, condition = instruction.spec, instruction.predicate, instruction.condition
    for allowed, present, what in (
        (spec.predicate, predicate is not None, "predicate"),
        (spec.condition, condition is not None, "condition modifier"),
        (spec.saturate, instruction.saturate, "saturation"),
    ):
        if present and not allowed:
            fail(instruction, f"takes no {what}")
    if condition is None:
        return
    if (condition.flag is None) != spec.selects:
        fail(instruction, "writes no flag" if condition.flag else "needs a flag for its condition modifier")
    if predicate is not None and condition.flag not in (None, predicate.flag):
        fail(instruction, "predicate and condition modifier must name the same flag")


def validate(instruction: Instruction, target: Target, grf_count: int) -> None:
    """Checks an instruction for a target and a number of registers.

    Raises:
        IllegalInstruction: A rule is broken; the text names the rule and the values.

    """
    check_form(instruction)
    validate_checked(instruction, target, grf_count)


def validate_checked(instruction: Instruction, target: Target, grf_count: int) -> None:
    """Checks the same for an instruction whose form has been checked, as that of decoded ones has."""
    size, offset, needed = instruction.exec_size, instruction.channel_offset, instruction.spec.feature
    if needed is not None and not target.platform.has(needed):
        fail(instruction, f"{target.name} has no {needed.value}")
    if offset % max(size, 4) or offset + size > MAX_CHANNELS:
        fail(instruction, f"channel offset {offset} does not go with execution size {size}")
    for flag in _flags(instruction):
        if flag.number >= target.platform.flag_registers:
            fail(
                instruction,
                f"flag register f{flag.number}, {target.name} has f0 to f{target.platform.flag_registers - 1}",
            )
        if 16 * flag.half + offset + size > _FLAG_BITS:
            fail(instruction, f"channels {offset} to {offset + size - 1} leave flag f{flag.number}.{flag.half}")
    format_of(instruction).validate(instruction, target, grf_count)


def _flags(instruction: Instruction) -> list[Flag]:
    predicate, condition = instruction.predicate, instruction.condition
    flags = [predicate.flag] if predicate else []
    return flags + ([condition.flag] if condition and condition.flag else [])
