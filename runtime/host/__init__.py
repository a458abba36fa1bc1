"""Host code of MLIR programs, compiled by LLVM; device code runs through Level Zero."""

from __future__ import annotations

from runtime.host.binding import ArgumentError
from runtime.host.failures import ProgramError
from runtime.host.library.formatting import memref_text, number_text
from runtime.host.loading import CompiledProgram, LoadedProgram, ProgramOutput, compile_program, load_program
from runtime.host.program import entries
from runtime.host.running import run

__all__ = [
    "ArgumentError",
    "CompiledProgram",
    "LoadedProgram",
    "ProgramError",
    "ProgramOutput",
    "compile_program",
    "entries",
    "load_program",
    "memref_text",
    "number_text",
    "run",
]
