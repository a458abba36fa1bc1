"""The description of an instruction format, and the table of all formats.

A module of this folder describes one format, or a family of formats that share most of their rules, and enters it with
`define`. Whatever encodes, decodes, parses, prints, validates, schedules or documents instructions looks the format up
in `FORMATS`; no other module of the instruction set knows the formats by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from xegpu.isa.formats.parts.spans import Footprint
from xegpu.isa.formats.parts.word import Layout, Word
from xegpu.isa.model.costs import InstructionCost, Pipe
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.table import InstructionFormat, OpSpec
from xegpu.isa.notation.reader import Reading
from xegpu.isa.notation.writer import format_distances
from xegpu.on_demand import dataclass
from xegpu.targets import Target


class Syntax(NamedTuple):
    """The syntax of an instruction for the documentation: parts of its name, its channels, and its operands."""

    qualifiers: str = ""
    channels: str = "(1|Moff)"
    operands: tuple[str, ...] = ()


def _nothing_to_encode(instruction: Instruction) -> dict[str, int]:
    return {}


def _no_operands_to_read(reading: Reading, instruction: Instruction) -> Instruction:
    reading.refuse_qualifiers(instruction.spec)
    return instruction


def _no_operands_to_write(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    text = format_distances(instruction, label)
    return [text] if text else []


def _no_qualifiers(instruction: Instruction) -> str:
    return ""


def _any_form(instruction: Instruction) -> None:
    return None


def _no_footprint(instruction: Instruction, target: Target, grf_count: int) -> Footprint:
    return Footprint()


def _control_pipe(instruction: Instruction, target: Target) -> InstructionCost:
    return InstructionCost(Pipe.CONTROL)


@dataclass(frozen=True, kw_only=True)
class FormatSpec:
    """A format of instructions. Its operands are fields of `Instruction`, whose names are in `fields`.

    Defaults are those of instructions without operands that use no registers.
    """

    format: InstructionFormat
    fields: frozenset[str] = frozenset()
    """The fields of `Instruction` that these instructions have, besides those that all have."""

    layouts: Mapping[str, Layout]
    """The words by the name of their layout, which the documentation shows."""
    name_layout: Callable[[OpSpec, bool], str] | None = None
    """Returns the name of the layout for a row and whether its last source is a constant; absent if there is but one.

    No layout need have that name: then the instruction takes no constant.
    """
    encode: Callable[[Instruction], dict[str, int]] = _nothing_to_encode
    """Returns the values of the fields of the layout, but for those that all words begin with."""
    decode: Callable[[Word, OpSpec], Instruction]
    """Reads the instruction from its word."""

    parse: Callable[[Reading, Instruction], Instruction] = _no_operands_to_read
    """Reads the text after name and channels; returns the instruction with the operands."""
    format_qualifiers: Callable[[Instruction], str] = _no_qualifiers
    """Returns the suffix of the mnemonic, with its dots."""
    format_operands: Callable[[Instruction, str | None, int | None], list[str]] = _no_operands_to_write
    """Returns the operands as text, given the labels of targets and the bytes of a register as far as known."""
    may_omit_channels: bool = False
    """True if `(1|M0)` may be left out."""

    check_form: Callable[[Instruction], None] = _any_form
    """Raises `IllegalInstruction` unless the fields have the values that the row asks for, whatever the target."""
    validate: Callable[[Instruction, Target, int], None]
    """Raises `IllegalInstruction` unless a target with so many registers has the instruction, whose form is right."""

    footprint: Callable[[Instruction, Target, int], Footprint] = _no_footprint
    """Returns the registers that the instruction touches if all its channels are on."""
    by_channel: bool = False
    """True if the execution mask and a predicate select the channels that write."""
    rounds: bool = False
    """True if results depend on the control register."""
    cost: Callable[[Instruction, Target], InstructionCost] = _control_pipe

    syntax: Callable[[OpSpec], Syntax] = lambda spec: Syntax()
    section: str = ""
    """Title of the section of docs/isa.md that explains the format."""

    def layout_name(self, spec: OpSpec, immediate: bool) -> str:
        """Returns the name of the layout of a row whose last source is, or is not, a constant."""
        return next(iter(self.layouts)) if self.name_layout is None else self.name_layout(spec, immediate)

    def layout(self, spec: OpSpec, immediate: bool) -> Layout | None:
        """Returns the layout of a row whose last source is, or is not, a constant; None if there is none."""
        return self.layouts.get(self.layout_name(spec, immediate))


FORMATS: dict[InstructionFormat, FormatSpec] = {}
"""All formats; complete when `xegpu.isa.formats` is imported."""


def define(spec: FormatSpec) -> None:
    """Enters a format into the table."""
    FORMATS[spec.format] = spec


def format_of(instruction: Instruction) -> FormatSpec:
    """Returns the format of an instruction."""
    return FORMATS[instruction.spec.format]


def all_layouts() -> dict[str, Layout]:
    """Returns the layouts of all formats by name; formats that share a layout have the same name for it."""
    return {name: layout for format in InstructionFormat for name, layout in FORMATS[format].layouts.items()}


def channel_count(instruction: Instruction) -> int:
    """Returns the number of channels that an instruction works on, 0 if it is not executed by channel."""
    message = instruction.message
    if message is not None and (message.transposed or message.block is not None):
        return 1
    return instruction.exec_size if format_of(instruction).by_channel else 0
