"""Host code of MLIR programs, compiled by LLVM; device code runs through Level Zero."""

from runtime.host.data.binding import ArgumentError as ArgumentError
from runtime.host.data.failures import ProgramError as ProgramError
from runtime.host.library.formatting import memref_text as memref_text, number_text as number_text
from runtime.host.loading import (
    CompiledProgram as CompiledProgram,
    LoadedProgram as LoadedProgram,
    ProgramOutput as ProgramOutput,
    compile_program as compile_program,
    load_program as load_program,
)
from runtime.host.program import entries as entries
from runtime.host.running import run as run
