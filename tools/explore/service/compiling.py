"""Compiles a text, and keeps every stage on its way."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from operator import is_

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

import passes
from passes.frontends import import_source, observing
from passes.pipeline_text import PipelineError, parse_passes
from passes.pipelines import read_module
from passes.support import apply_step
from runtime.host import entries
from runtime.mux import CompileOptions, compile_module, has_kernels
from tools.explore.protocol import ASSEMBLIES, CompileRequest, Json
from tools.explore.service.binaries import BinaryFacts, binary_facts
from tools.explore.service.handwritten import handwritten, packed
from tools.explore.service.proposals import proposal
from tools.explore.service.stages import Stage, lines_in, llvm_stage, mlir_stage, shape_of, spirv_stage
from tools.opt.running import described, flatten
from xegpu.diagnostics import CompileError, Diagnostic, Severity, SourceBuffer, failing_as, handling
from xegpu.dialects import register_dialects
from xegpu.dialects.upstream.func import FuncOp
from xegpu.mlir import verify

_MOST_DIAGNOSTICS = 100
_NATIVE_TITLE = "native code"


@dataclass
class Compilation:
    """The stages and results of compiling a text.

    Attributes:
        stages: Its stages, up to the pass that fails.
        diagnostics: Errors, warnings and remarks.
        binary: The ZEBIN; None if there is none.
        facts: What the ZEBIN tells of its kernels.
        anchor: The number of the stage whose lines the stages name; None for those of the source.
        code_lines: The line that the instruction at each byte offset is from, where the source is assembly.
        programs: The host functions, with the names and types of their parameters.
        seconds: The time that it took.
    """

    stages: list[Stage] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    binary: bytes | None = None
    facts: BinaryFacts | None = None
    anchor: int | None = None
    code_lines: Mapping[int, int] = field(default_factory=dict)
    programs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def has_errors(self) -> bool:
        return any(diagnostic.severity is Severity.ERROR for diagnostic in self.diagnostics)

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Collects the messages of the block, which an error ends."""

        def keep(diagnostic: Diagnostic) -> None:
            if diagnostic not in self.diagnostics:
                self.diagnostics.append(diagnostic)

        with handling(keep):
            try:
                with failing_as("the compilation"):
                    yield
            except CompileError as error:
                self.diagnostics.extend(error.diagnostics)

    def json(self) -> dict[str, Json]:
        """Returns the compilation as the page reads it."""
        return {
            "stages": [stage.json() for stage in self.stages],
            "diagnostics": [_message(diagnostic) for diagnostic in self.diagnostics[:_MOST_DIAGNOSTICS]],
            "anchor": self.anchor,
            "binary": None if self.facts is None else self.facts.json(),
            "programs": [
                {"name": name, "arguments": list(types), "proposals": _proposals(types)}
                for name, types in self.programs.items()
            ],
            "seconds": self.seconds,
        }


def _message(diagnostic: Diagnostic) -> dict[str, Json]:
    place = diagnostic.location
    return {
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "file": None if place is None else place.file,
        "line": 0 if place is None else place.line,
        "column": 0 if place is None else place.column,
        "notes": [_message(each) for each in diagnostic.notes],
    }


def compiled(request: CompileRequest) -> Compilation:
    """Returns what becomes of a text: never raises for one, however wrong."""
    start = time.perf_counter()
    compilation = Compilation()
    with compilation.collecting():
        if request.language in ASSEMBLIES:
            _assemble(request, compilation)
        else:
            _compile(request, compilation)
    compilation.seconds = time.perf_counter() - start
    return compilation


def _assemble(request: CompileRequest, compilation: Compilation) -> None:
    found = handwritten(request)
    compilation.stages.append(found.stage)
    compilation.code_lines = found.lines
    compilation.binary = packed(request, found)
    if compilation.binary is not None:
        compilation.facts = binary_facts(compilation.binary, request.filename)
        compilation.stages += compilation.facts.views


def _compile(request: CompileRequest, compilation: Compilation) -> None:
    context, module = read(request, compilation)
    line_of = lines_in(request.filename)
    stages = compilation.stages
    shown = mlir_stage("as read", module, line_of)
    stages.append(shown)
    compilation.programs = {op.sym_name.data: list(_parameters(op)) for op in entries(module)}
    shape = shape_of(module)
    for title in applied(steps_of(request, context), context, module):
        earlier, shape = shape, shape_of(module)
        stage = Stage(title, "mlir", same=True)
        if len(shape) != len(earlier) or not all(map(is_, shape, earlier)):
            printed = mlir_stage(stage.title, module, line_of)
            if printed.text != shown.text:
                stage = shown = printed
        stages.append(stage)
    if request.pipeline:
        verify(module)
    if has_kernels(module):
        compilation.binary = compile_module(module, None, options=CompileOptions(context=context))
        compilation.facts = facts = binary_facts(compilation.binary, request.filename)
        stages.append(facts.assembly)
        stages += facts.views


def _parameters(function: FuncOp) -> Iterator[str]:
    for number, argument in enumerate(function.args):
        yield f"{argument.name_hint or f'argument {number}'}: {argument.type}"


def read(request: CompileRequest, compilation: Compilation) -> tuple[Context, ModuleOp]:
    """Returns the text as MLIR. Its stages on the way there are those of the front end."""
    if request.language == "mlir":
        return read_module(SourceBuffer(request.filename, request.source))
    context = Context()
    register_dialects(context)
    stages = compilation.stages

    def keep(name: str, text: str) -> None:
        stages.append((spirv_stage if name == "SPIR-V" else llvm_stage)(name, text))

    with observing(keep):
        module = import_source(request.source, request.filename, request.language)
    if stages and request.language == "spirv" and not any(stages[-1].lines):
        # Without lines of its own, SPIR-V is placed by the lines of what LLVM has made of it.
        stages[-1].lines = range(1, stages[-1].text.count("\n") + 2)
        compilation.anchor = len(stages) - 1
    verify(module)
    return context, module


def steps_of(request: CompileRequest, context: Context, code: str = "virtual") -> Sequence[ModulePass]:
    """Returns the passes of a request's pipeline. Raises `CompileError` for a wrong one."""
    try:
        return list(flatten(parse_passes(_pipeline(request, code), passes.available(), context, request.target)))
    except PipelineError as error:
        raise CompileError(None, f"the pipeline is wrong: {error}") from None


def applied(steps: Sequence[ModulePass], context: Context, module: ModuleOp) -> Iterator[str]:
    """Applies passes to a module, and yields the name of each behind it."""
    for step in steps:
        with failing_as(f"pass '{step.name}'"):
            apply_step(step, context, module)
        yield described(step)


def _pipeline(request: CompileRequest, code: str) -> str:
    """Returns the pipeline of a request, or that which its options ask for."""
    if request.pipeline:
        return request.pipeline
    options = {
        "target": request.target,
        "grf-count": request.grf_count,
        "unroll-factor": request.unroll_factor,
        "pipeline-stages": request.pipeline_stages,
        "op-level": request.op_level,
        "code": code,
    }
    return f"xe-pipeline{{{' '.join(f'{name}={value}' for name, value in options.items())}}}"


def native_stage(request: CompileRequest) -> Stage:
    """Returns the instructions of the hardware, or the reason why there are none; a pipeline cannot be chosen."""
    compilation = Compilation()
    with compilation.collecting():
        if request.language in ASSEMBLIES:
            raise CompileError(None, "assembly is not compiled")
        context, module = read(request, compilation)
        binary = compile_module(
            module,
            request.target,
            options=CompileOptions(steps_of(replace(request, pipeline=""), context, "native"), context),
        )
        return replace(binary_facts(binary, request.filename).assembly, title=_NATIVE_TITLE)
    found = "\n".join(str(diagnostic) for diagnostic in compilation.diagnostics)
    return Stage(_NATIVE_TITLE, "text", f"There is no native code:\n{found}")


def _proposals(arguments: Sequence[str]) -> list[Json]:
    """Returns values for the arguments of a host function, which are names with types."""
    types = [text.partition(": ")[2] for text in arguments]
    return [proposal(type_name, None, is_last=index == len(types) - 1) for index, type_name in enumerate(types)]
