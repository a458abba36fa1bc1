"""The assembly language: assembler and disassembler."""

from xegpu.isa.notation.writer import (
    format_destination as format_destination,
    format_register as format_register,
    format_source as format_source,
)
from xegpu.isa.text.disassembler import (
    format_instruction as format_instruction,
    format_labelled as format_labelled,
    label_names as label_names,
)
