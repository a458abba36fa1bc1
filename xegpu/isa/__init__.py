"""The virtual Xe instruction set: instructions, registers, encoding and text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xegpu.on_demand import public_names

if TYPE_CHECKING:
    from xegpu.isa.code.kernel import CompiledKernel, SymbolReference, Variable
    from xegpu.isa.code.program import Program, decode_program, encode_program, has_header
    from xegpu.isa.formats import WORD_BYTES, DecodeError, EncodeError, decode, encode, validate, validate_checked
    from xegpu.isa.model.element_types import ELEMENT_TYPES, ElementType
    from xegpu.isa.model.instruction import Combination, ConditionModifier, IllegalInstruction, Instruction, Predicate
    from xegpu.isa.model.kernel import (
        ArgumentKind,
        Dim3,
        ImplicitArgument,
        KernelArgument,
        KernelFacts,
        PayloadSlot,
        expected_kernel_name,
    )
    from xegpu.isa.model.operands import Destination, Flag, Immediate, Region, Register, RegisterFile, SourceRegister
    from xegpu.isa.model.table import BY_MNEMONIC, TABLE, Condition, InstructionFormat, OpSpec
    from xegpu.isa.model.types import CANONICAL_NANS, FLOATS, INTEGERS, DataType, TypeKind
    from xegpu.isa.notation.scanner import AssemblyError
    from xegpu.isa.text.assembler import Assembly, assemble, assemble_program
    from xegpu.isa.text.disassembler import disassemble, format_instruction, format_program


__all__ = [
    "BY_MNEMONIC",
    "CANONICAL_NANS",
    "ELEMENT_TYPES",
    "FLOATS",
    "INTEGERS",
    "TABLE",
    "WORD_BYTES",
    "ArgumentKind",
    "Assembly",
    "AssemblyError",
    "Combination",
    "CompiledKernel",
    "Condition",
    "ConditionModifier",
    "DataType",
    "DecodeError",
    "Destination",
    "Dim3",
    "ElementType",
    "EncodeError",
    "Flag",
    "IllegalInstruction",
    "Immediate",
    "ImplicitArgument",
    "Instruction",
    "InstructionFormat",
    "KernelArgument",
    "KernelFacts",
    "OpSpec",
    "PayloadSlot",
    "Predicate",
    "Program",
    "Region",
    "Register",
    "RegisterFile",
    "SourceRegister",
    "SymbolReference",
    "TypeKind",
    "Variable",
    "assemble",
    "assemble_program",
    "decode",
    "decode_program",
    "disassemble",
    "encode",
    "encode_program",
    "expected_kernel_name",
    "format_instruction",
    "format_program",
    "has_header",
    "validate",
    "validate_checked",
]

__getattr__ = public_names(
    __name__,
    {
        ".code.kernel": "CompiledKernel SymbolReference Variable",
        ".code.program": "Program decode_program encode_program has_header",
        ".formats": "WORD_BYTES DecodeError EncodeError decode encode validate validate_checked",
        ".model.element_types": "ELEMENT_TYPES ElementType",
        ".model.instruction": "Combination ConditionModifier IllegalInstruction Instruction Predicate",
        ".model.kernel": "ArgumentKind Dim3 ImplicitArgument KernelArgument KernelFacts PayloadSlot "
        "expected_kernel_name",
        ".model.operands": "Destination Flag Immediate Region Register RegisterFile SourceRegister",
        ".model.table": "BY_MNEMONIC TABLE Condition InstructionFormat OpSpec",
        ".model.types": "CANONICAL_NANS FLOATS INTEGERS DataType TypeKind",
        ".notation.scanner": "AssemblyError",
        ".text.assembler": "Assembly assemble assemble_program",
        ".text.disassembler": "disassemble format_instruction format_program",
    },
)
