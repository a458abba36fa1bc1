"""The instruction that a reader of text fills in, and what its parts have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeVar

from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.layouts.encoding import NativeEncoding
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.layouts.opcodes import NativeOpcode
from xegpu.isa.native.platforms import encoding_of
from xegpu.isa.notation.scanner import Scanner
from xegpu.on_demand import dataclass
from xegpu.targets import Platform

V = TypeVar("V")


@dataclass
class NativeStatement:
    """An instruction of a text: its opcode, its fields, and the labels of its targets, with columns, by field."""

    platform: Platform
    opcode: NativeOpcode
    line: int
    fields: dict[str, int] = field(default_factory=dict)
    labels: dict[str, tuple[str, int]] = field(default_factory=dict)
    is_compact: bool = False

    def instruction(self, distances: Mapping[str, int]) -> NativeInstruction:
        """Returns the instruction with the distances of its targets in bytes, by field."""
        fields = {**self.fields, **{name: distance & 0xFFFFFFFF for name, distance in distances.items()}}
        return NativeInstruction(self.platform, self.opcode, fields, self.is_compact)


class PartReader:
    """Reads parts of one instruction, whose fields it fills in."""

    def __init__(self, statement: NativeStatement, scanner: Scanner) -> None:
        self.statement = statement
        self.scanner = scanner
        self.fields = statement.fields

    @property
    def form(self) -> NativeForm:
        return self.statement.opcode.form

    @property
    def encoding(self) -> NativeEncoding:
        return encoding_of(self.statement.platform)

    def code(self, names: Mapping[int, V], value: V, what: str, column: int) -> int:
        """Returns the number that stands for a value; fails if none does."""
        for code, name in names.items():
            if name == value:
                return code
        self.scanner.fail(f"{value} is no {what} of '{self.statement.opcode.mnemonic}'", column)
