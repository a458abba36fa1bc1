"""Compilation of kernels for `xegpu-run`. Not imported for ZEBINs, since the compiler takes long to load."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import SymbolOpInterface

import passes
from passes import frontends
from passes.gpu import GpuShareHostMemoryPass
from passes.pipeline_text import PipelineError, parse_passes
from passes.pipelines import imported_passes, read_module, xe_passes
from runtime.disk_cache import keep_binary
from runtime.mux import CompileOptions, compile_module, compile_with_igc, find_igc, has_kernels, igc_version
from tools.cli import CommandError, ReportedError, UsageError
from tools.lowering import lowered
from tools.run.inputs import RunInput
from tools.run.run_lines import op_level
from tools.texts.diagnostics import message
from xegpu.diagnostics import CompileError, Diagnostic, SourceBuffer, handling
from xegpu.dialects import register_dialects
from xegpu.dialects.upstream.func import FuncOp
from xegpu.dialects.upstream.gpu import ModuleOp as GpuModuleOp
from xegpu.dialects.upstream.xevm import chips_of
from xegpu.mlir import verify
from xegpu.targets import Target, chips, of_chip

_SPIRV = "spirv"


@dataclass(frozen=True)
class ParsedProgram:
    """A program in MLIR with its context, and the passes that compile its kernels."""

    source: SourceBuffer
    context: Context
    module: ModuleOp
    passes: Sequence[ModulePass]
    has_own_passes: bool = False
    has_warnings: bool = False

    def has_function(self, name: str) -> bool:
        """Returns whether there is a host function of that name with a body."""
        return any(isinstance(op, FuncOp) and op.sym_name.data == name and op.body.blocks for op in self.module.ops)


@contextmanager
def reporting(source: SourceBuffer) -> Iterator[Mapping[Diagnostic, None]]:
    """Converts `CompileError` to `ReportedError`; warnings go to standard error. Yields those that were seen."""
    seen: dict[Diagnostic, None] = {}
    try:
        with handling(seen.setdefault):
            yield seen
    except CompileError as error:
        found = (*seen, *error.diagnostics)
        raise ReportedError("\n".join(message(entry, source, "xegpu-run") for entry in found)) from None
    for diagnostic in seen:
        print(message(diagnostic, source, "xegpu-run"), file=sys.stderr)


def read_program(
    data: bytes,
    name: str,
    target: Target,
    pipeline: str | None,
    level: str | None = None,
    lower_with: str | None = None,
) -> ParsedProgram:
    """Parses MLIR text.

    Args:
        data: The text.
        name: The name of the file.
        target: The GPU to compile for.
        pipeline: The passes that compile kernels; None for the default ones.
        level: Whose values the operations of XeGPU have; None for what a RUN line tells, or else what they show.
        lower_with: The mlir-opt that lowers structured operations first; None if the program has none.

    Raises:
        ReportedError: For text that is wrong.
        CommandError: For a RUN line with an unknown level, and without such an mlir-opt.
        UsageError: For an unknown pipeline.

    """
    source = SourceBuffer(name, _text(data, name))
    with reporting(source) as warnings:
        if lower_with is None:
            context, module = read_module(source)
        else:
            context, module = read_module(SourceBuffer(name, lowered(source, lower_with, target)))
            GpuShareHostMemoryPass().apply(context, module)
    steps: Sequence[ModulePass]
    if pipeline is None:
        steps = xe_passes(target.name, op_level=level or op_level(source.text, name))
    else:
        steps = _parse_pipeline(pipeline, context, target)
    return ParsedProgram(source, context, module, steps, pipeline is not None, bool(warnings))


def language_of(source: RunInput) -> str:
    """Returns `spirv`, or the language that the name of the file tells."""
    return _SPIRV if source.is_spirv else frontends.language_of(source.name)


def import_program(source: RunInput, language: str, pipeline: str | None, build_options: str) -> ParsedProgram:
    """Returns kernels in another language than MLIR as MLIR.

    Args:
        source: The kernels.
        language: What they are written in.
        pipeline: The passes that compile them; None for the default ones.
        build_options: Options of clang for OpenCL C. Headers are looked for beside the file, too.

    Raises:
        ReportedError: For kernels that are wrong.
        UsageError: For an unknown pipeline, and for options with a quote that nothing closes.

    """
    context = Context()
    register_dialects(context)
    # Messages about line 1 of SPIR-V have no line to show.
    buffer = (
        SourceBuffer(source.name, "", 0)
        if source.is_spirv
        else SourceBuffer(source.name, _text(source.data, source.name))
    )
    with reporting(buffer):
        if source.is_spirv:
            module = frontends.import_spirv(source.data, source.name)
        else:
            options = [*_words(build_options), f"-I{Path(source.name).parent}"] if language == "opencl" else []
            module = frontends.import_source(buffer.text, source.name, language, options)
        verify(module)
    steps = (
        imported_passes(source.target.name) if pipeline is None else _parse_pipeline(pipeline, context, source.target)
    )
    return ParsedProgram(buffer, context, module, steps, pipeline is not None)


def _words(options: str) -> list[str]:
    try:
        return shlex.split(options)
    except ValueError as error:
        raise UsageError(f"--build-options: {error}") from None


def _parse_pipeline(pipeline: str, context: Context, target: Target) -> Sequence[ModulePass]:
    try:
        return parse_passes(pipeline, passes.available(), context, target.name)
    except PipelineError as error:
        raise UsageError(f"--pipeline: {error}") from None


def keep_modules(module: ModuleOp, kernel: str) -> bool:
    """Erases the `gpu.module`s that do not hold a kernel, if others do. Returns whether there were any."""
    holders = [op for op in module.walk() if isinstance(op, GpuModuleOp)]
    others = [holder for holder in holders if kernel not in map(_symbol, holder.body.ops)]
    if len(others) == len(holders):
        return False
    for holder in others:
        Rewriter.erase_op(holder)
    return bool(others)


def _symbol(op: Operation) -> str | None:
    trait = op.get_trait(SymbolOpInterface)
    name = None if trait is None else trait.get_sym_attr_name(op)
    return None if name is None else name.data


def check_chips(module: ModuleOp, gpu: Target, name: str) -> None:
    """Raises `CommandError` for kernels for a chip that a GPU does not stand for."""
    for kernels in [op for op in module.walk() if isinstance(op, GpuModuleOp)]:
        for chip in chips_of(kernels.targets or ()):
            if chip in gpu.chips:
                continue
            own, known = of_chip(chip), ", ".join(chips())
            problem = (
                f"which is not simulated: expected one of {known}, or choose a GPU by --target"
                if own is None
                else f"which is no {gpu.name}: choose --target {own.name}"
            )
            raise CommandError(f"module '{kernels.sym_name.data}' is for chip '{chip}', {problem}", name)


def compile_native(source: RunInput, language: str, target: Target, build_options: str, quiet: bool) -> bytes:
    """Returns the ZEBIN with native code that Intel's compiler makes of OpenCL C or SPIR-V, and says which one it was.

    Raises:
        ReportedError: The compiler is not installed, or refuses the source.
        UsageError: The options cannot be separated.
    """
    given = source.data if language == _SPIRV else _text(source.data, source.name)
    options = [*_words(build_options), f"-I{Path(source.name).resolve().parent}"] if language == "opencl" else []
    with reporting(SourceBuffer(source.name, given if isinstance(given, str) else "")):
        binary = compile_with_igc(given, target.name, source.name, options)
    path = find_igc()
    if path is not None and not quiet:
        print(f"compiled by ocloc {igc_version(path)} ({path})", file=sys.stderr)
    return binary


def compile_kernels(program: ParsedProgram, target: Target, inputs: Sequence[bytes | str] = ()) -> bytes:
    """Returns the ZEBIN of all kernels. It is kept on disk for `inputs`, if these are given and nothing is warned of.

    Raises `ReportedError` for kernels that cannot be compiled.
    """
    with reporting(program.source) as warnings:
        options = CompileOptions(program.passes, program.context)
        binary = compile_module(program.module, target.name, options=options)
    if not has_kernels(program.module):
        raise CommandError(
            "the pipeline leaves no compiled kernel" if program.has_own_passes else "there is no kernel",
            program.source.name,
        )
    if inputs and not program.has_warnings and not warnings:
        keep_binary(binary, *inputs)
    return binary


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise CommandError("neither a ZEBIN nor UTF-8 text", f"{name}:{line}:{column}") from None
