"""Compiles MLIR to a ZEBIN: the one way from text or a module to bytes, for the runtime and for all command lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

import zebin
from passes.pipelines import imported_passes, read_module, run_to_kernels, without_optimisations, xe_passes
from runtime.mux.compilation.code_options import DEFAULT_CODE, CodeOptions
from xegpu import targets
from xegpu.diagnostics import CompileError, SourceBuffer
from xegpu.dialects import register_dialects
from xegpu.dialects.upstream import gpu
from xegpu.dialects.xe import KernelOp, compiled_kernels, variables_of
from xegpu.isa import CompiledKernel, Variable, disassemble, has_header
from xegpu.isa.native import format_native_program
from xegpu.targets import Target


@dataclass(frozen=True)
class CompileOptions:
    """Options of `compile_module` beyond what to compile and for which GPU.

    Attributes:
        passes: The passes to run; None for those of `xe-pipeline`, or for no passes where no target is given.
        context: The context that a module was parsed with; text brings its own.
        debug: What the ZEBIN tells of the kernels' sources.
        functions: The numbers by which code knows the functions that the host may name.

    """

    passes: Sequence[ModulePass] | None = None
    context: Context | None = None
    debug: zebin.DebugOptions = field(default_factory=zebin.DebugOptions)
    functions: Mapping[str, int] = field(default_factory=dict)


_DEFAULT = CompileOptions()


def compile_module(
    source: str | ModuleOp, target: str | None, filename: str = "<string>", options: CompileOptions = _DEFAULT
) -> bytes:
    """Compiles all kernels of every `gpu.module` to one ZEBIN.

    Args:
        source: MLIR text, or a verified module, which the passes change in place: in the end it holds `xe` kernels.
        target: The name of the GPU; None for the one that the kernels of a lowered module name.
        filename: The name of the text in error messages.
        options: The passes to run, and the context of a module.

    Raises:
        CompileError: For a source that is wrong or that cannot be compiled.
        ValueError: For an unknown target.

    """
    device = None if target is None else targets.get(target)
    if isinstance(source, str):
        context, module = read_module(SourceBuffer(filename, source))
    else:
        context, module = options.context or Context(), source
    steps = options.passes
    if steps is None and device is not None:
        steps = xe_passes(device.name)
    kernels = run_to_kernels(context, module, steps) if steps else compiled_kernels(module)
    try:
        return zebin.build(
            device or _target_of(module), kernels, options.debug, list(_variables(module)), options.functions
        )
    except zebin.ZebinError as error:
        raise CompileError(module, f"cannot become a ZEBIN: {error}") from error


def _variables(module: ModuleOp) -> Iterator[Variable]:
    """Yields the variables of a module without kernels, which no kernel brings with it."""
    for op in module.ops:
        if isinstance(op, gpu.ModuleOp):
            yield from variables_of(op)


def assembly(module: ModuleOp) -> str:
    """Returns the code of all kernels of a lowered module as text that `xe-asm` reads."""
    return "\n".join(f"// kernel {kernel.name}\n{_text(kernel, module)}" for kernel in compiled_kernels(module))


def _text(kernel: CompiledKernel, module: ModuleOp) -> str:
    """Returns the instructions of a kernel as text."""
    if has_header(kernel.code):
        return disassemble(kernel.code)
    return format_native_program(_target_of(module).platform, kernel.code)


def has_kernels(module: ModuleOp) -> bool:
    """Returns whether a module holds lowered kernels."""
    return any(isinstance(op, KernelOp) for op in module.walk())


def _target_of(module: ModuleOp) -> Target:
    """Returns the GPU that the kernels of a lowered module are for."""
    names = sorted({op.target.data for op in module.walk() if isinstance(op, KernelOp)})
    if len(names) != 1:
        found = f"kernels for different GPUs: {', '.join(names)}" if names else "no compiled kernel"
        raise CompileError(module, f"holds {found}")
    return targets.get(names[0])


def compile_kernels(
    module: ModuleOp,
    target: str,
    filename: str,
    code: CodeOptions = DEFAULT_CODE,
    functions: Mapping[str, int] | None = None,
) -> bytes:
    """Compiles the kernels that a front end has made. The host may name `functions`, which code knows by numbers."""
    passes = _chosen(imported_passes(target, code.grf_count), code)
    options = CompileOptions(passes, empty_context(), functions=functions or {})
    return compile_module(module, target, filename, options)


def compile_text(text: str, target: str, filename: str, code: CodeOptions = DEFAULT_CODE) -> bytes:
    """Compiles all kernels of MLIR text."""
    return compile_module(text, target, filename, CompileOptions(_chosen(xe_passes(target, code.grf_count), code)))


def _chosen(steps: list[ModulePass], code: CodeOptions) -> list[ModulePass]:
    """Returns the passes of a pipeline that are to run."""
    return steps if code.is_optimised else without_optimisations(steps)


@cache
def empty_context() -> Context:
    """Returns the context of modules that no parser has made, which the passes only read."""
    context = Context()
    register_dialects(context)
    return context
