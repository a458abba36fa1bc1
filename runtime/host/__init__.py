"""Host code of MLIR programs: compiled by LLVM, with device code through Level Zero."""

from runtime.host.binding import ArgumentError
from runtime.host.failures import ProgramError
from runtime.host.loading import CompiledProgram, LoadedProgram, Output, compile_program, load_program

__all__ = [
    "ArgumentError",
    "CompiledProgram",
    "LoadedProgram",
    "Output",
    "ProgramError",
    "compile_program",
    "load_program",
]
