"""The native encoding of a generation: all tables of its words and of their text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from xegpu.isa.native.layouts.bits import WordField
from xegpu.isa.native.layouts.compaction import CompactLayout
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.layouts.opcodes import NativeOpcode
from xegpu.on_demand import dataclass

Pairs = Mapping[int, tuple[str, str]]
"""The pipe and the kind of token of scoreboard fields that hold both, by the bits above both."""


@dataclass(frozen=True)
class ScoreboardPairs:
    """The scoreboard fields that hold a distance, from bit `shift` on, and a token below it, by form of instruction."""

    shift: int
    by_form: Mapping[NativeForm, Pairs]
    others: Pairs


@dataclass(frozen=True, eq=False, kw_only=True)
class NativeEncoding:
    """The words of a generation, by the name that Intel's assembler has for it.

    `channels_per_offset` is the unit of channel offsets, `tokens` the number of scoreboard tokens, `address_bits` the
    width of the number with a sign that is added to an address register, `untyped_unit` the bytes in which parts of
    registers without elements are counted, and `indirect_rows` the vertical stride that stands for an address of each
    row. From `first_macro_register` on, accumulators are called macro registers. `pipes` are those of distances, by
    the bits above them, and `token_bases` the bits above tokens, by kind.
    """

    name: str
    channels_per_offset: int
    tokens: int
    address_bits: int
    untyped_unit: int
    indirect_rows: int
    fields: Mapping[NativeForm, tuple[WordField, ...]]
    """The fields of each form, in an order in which those that decide about others come first."""
    opcodes: Mapping[int, NativeOpcode]
    predicates: Mapping[int, str]
    sync_functions: Mapping[int, str]
    first_macro_register: int | None = None
    pipes: Mapping[int, str]
    token_bases: Mapping[str, int]
    pairs: ScoreboardPairs
    scoreboard_notes: Mapping[int, str] = field(default_factory=dict)
    compaction: Mapping[NativeForm, CompactLayout]

    def has(self, opcode: NativeOpcode) -> bool:
        """Returns whether the generation has an opcode."""
        return self.opcodes.get(opcode.code) is opcode

    def has_field(self, form: NativeForm, name: str) -> bool:
        """Returns whether words of a form have a field."""
        return any(field.name == name for field in self.fields[form])
