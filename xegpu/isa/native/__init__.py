"""Native code of Xe GPUs: its instructions, their words and their text in the syntax of Intel's assembler."""

from __future__ import annotations

from xegpu.isa.native.emission.context import RESERVED_REGISTERS
from xegpu.isa.native.emission.program import EmissionError, NativeCode, emit_native
from xegpu.isa.native.encoding.instruction import NativeInstruction, decode_native, encode_native
from xegpu.isa.native.encoding.opcodes import NativeOpcode
from xegpu.isa.native.encoding.platforms import NativePlatform
from xegpu.isa.native.lowering.context import ACCUMULATORS, BoundAddress, hidden_registers
from xegpu.isa.native.lowering.program import lower_native
from xegpu.isa.native.scoreboard.checker import Hazard, find_hazards
from xegpu.isa.native.text.formatter import format_native
from xegpu.isa.native.text.program import (
    NativeAssembly,
    assemble_native,
    assemble_native_program,
    format_native_program,
    native_instructions,
    native_lines,
)

__all__ = [
    "ACCUMULATORS",
    "RESERVED_REGISTERS",
    "BoundAddress",
    "EmissionError",
    "Hazard",
    "NativeAssembly",
    "NativeCode",
    "NativeInstruction",
    "NativeOpcode",
    "NativePlatform",
    "assemble_native",
    "assemble_native_program",
    "decode_native",
    "emit_native",
    "encode_native",
    "find_hazards",
    "format_native",
    "format_native_program",
    "hidden_registers",
    "lower_native",
    "native_instructions",
    "native_lines",
]
