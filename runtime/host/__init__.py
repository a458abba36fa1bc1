"""Host code of MLIR programs: compiled by LLVM, with device code through Level Zero."""

from runtime.host.binding import ArgumentError
from runtime.host.failures import ProgramError
from runtime.host.loading import CompiledProgram, LoadedProgram, ProgramOutput, compile_program, load_program

__all__ = [
    "ArgumentError",
    "CompiledProgram",
    "LoadedProgram",
    "ProgramError",
    "ProgramOutput",
    "compile_program",
    "load_program",
]
