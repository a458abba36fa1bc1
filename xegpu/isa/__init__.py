"""The virtual Xe instruction set: instructions, registers, encoding and text."""

from __future__ import annotations

from xegpu.isa.assembler import assemble, assemble_program
from xegpu.isa.decoding import DecodeError, decode
from xegpu.isa.disassembler import disassemble, format_instruction, format_program
from xegpu.isa.encoding import EncodeError, encode
from xegpu.isa.instruction import Combination, ConditionModifier, IllegalInstruction, Instruction, Predicate
from xegpu.isa.kernel import CompiledKernel, ImplicitArgument, KernelArgument
from xegpu.isa.layouts import WORD_BYTES
from xegpu.isa.operands import Destination, Flag, Immediate, Region, Register, RegisterFile, Source
from xegpu.isa.program import Program, decode_program, encode_program, has_header
from xegpu.isa.scanner import AssemblyError
from xegpu.isa.table import BY_MNEMONIC, TABLE, Condition, Format, OpSpec
from xegpu.isa.types import DataType
from xegpu.isa.validation import validate

__all__ = [
    "BY_MNEMONIC",
    "TABLE",
    "WORD_BYTES",
    "AssemblyError",
    "Combination",
    "CompiledKernel",
    "Condition",
    "ConditionModifier",
    "DataType",
    "DecodeError",
    "Destination",
    "EncodeError",
    "Flag",
    "Format",
    "IllegalInstruction",
    "Immediate",
    "ImplicitArgument",
    "Instruction",
    "KernelArgument",
    "OpSpec",
    "Predicate",
    "Program",
    "Region",
    "Register",
    "RegisterFile",
    "Source",
    "assemble",
    "assemble_program",
    "decode",
    "decode_program",
    "disassemble",
    "encode",
    "encode_program",
    "format_instruction",
    "format_program",
    "has_header",
    "validate",
]
