"""Runs of whole programs: host code with its kernels."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout

import numpy as np

from runtime import Device, LaunchResult
from runtime.host import (
    ArgumentError,
    CompiledProgram,
    ProgramError,
    ProgramOutput,
    compile_program,
    load_program,
    memref_text,
    number_text,
)
from tools.cli import CommandError, ReportedError
from tools.run.arguments import ArgumentList, memory_limit
from tools.run.command import RunOptions
from tools.run.dump import dump_program
from tools.run.file_check import check_output
from tools.run.program import ParsedProgram, reporting
from tools.run.values import Array, ImageValue, SamplerValue, Value
from tools.texts.diagnostics import message
from xegpu.targets import Target


def compile_whole(program: ParsedProgram, target: Target) -> CompiledProgram:
    """Returns the host code and the binaries of a program. Raises `ReportedError`."""
    with reporting(program.source):
        return compile_program(program.context, program.module, target, program.passes)


class ProgramRun:
    """A program that can run several times; `launches` are those of the last run."""

    def __init__(
        self,
        program: ParsedProgram,
        compiled: CompiledProgram,
        device: Device,
        options: RunOptions,
        entry: str,
    ) -> None:
        self._source = program.source
        self._options = options
        self._printed = io.StringIO()
        self.launches: list[LaunchResult] = []
        self.is_done = False
        output = ProgramOutput(print_text, _note, self.launches)
        with reporting(program.source):
            self._loaded = load_program(compiled, device, output, entry, memory_limit(options))
        if options.dump_dir is not None:
            dump_program(compiled, self._loaded.host.llvm_ir, options.dump_dir)
        result = compiled.entry(entry).function_type.outputs.data
        wanted = options.entry_point_result
        if wanted is not None and [str(type) for type in result] != ([] if wanted == "void" else [wanted]):
            returned = ", ".join(map(str, result)) or "nothing"
            raise CommandError(
                f"--entry-point-result is {wanted}, but '{entry}' returns {returned}", program.source.name
            )
        parameters = self._loaded.host.parameters
        signature = f"{entry}({', '.join(f'{name}: {type}' for name, type in parameters)})"
        self.arguments = ArgumentList(options, [name for name, _ in parameters], f"function '{entry}'", signature)

    def __call__(self) -> None:
        self.launches.clear()
        if self._options.filecheck is None:
            self._run()
        else:
            self._printed = io.StringIO()
            with redirect_stdout(self._printed):
                self._run()

    def _run(self) -> None:
        self.is_done = False
        self.arguments.renew()
        try:
            results = self._loaded.host.run(*map(_plain, self.arguments.values))
        except ArgumentError as error:
            raise CommandError(str(error)) from None
        except ProgramError as error:
            raise ReportedError(message(error.diagnostic, self._source, "xegpu-run")) from None
        self.is_done = True
        for value in results:
            print_text(memref_text(value) if isinstance(value, np.ndarray) else f"{number_text(value)}\n")

    def unwritten(self) -> Sequence[str]:
        """Returns nothing: the arguments of a program are not its results alone."""
        return ()

    def is_good(self) -> bool:
        """Returns whether all comparisons in the program succeeded, and the output matches the CHECK lines."""
        prefixes = self._options.filecheck
        if prefixes is not None:
            output = self._printed.getvalue()
            return check_output(self._options.file, self._source.text, output, prefixes or None)
        return not self._loaded.library.mismatches


def print_text(text: str) -> None:
    """Prints the output of a program."""
    print(text, end="")


def _note(text: str) -> None:
    print(text, file=sys.stderr)


def _plain(value: Value) -> Array | int | float:
    """Returns a value that programs take: no image and no sampler."""
    if isinstance(value, ImageValue | SamplerValue):
        raise CommandError("only kernels take images and samplers")
    return value
