"""The assembly language: assembler and disassembler."""

from __future__ import annotations

from xegpu.isa.notation.writer import format_destination, format_register, format_source
from xegpu.isa.text.disassembler import format_instruction, format_labelled, label_names

__all__ = [
    "format_destination",
    "format_instruction",
    "format_labelled",
    "format_register",
    "format_source",
    "label_names",
]
