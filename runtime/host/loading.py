"""Whole programs: MLIR with host code and kernels, ready to run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from passes.convert_llvm_to_gpu import ConvertLlvmToGpuPass
from passes.gpu import GpuInferBlockSizePass, GpuKernelOutliningPass
from passes.memref import MemrefFlattenVectorElementsPass
from runtime.api import Device, LaunchResult
from runtime.host.library.device import HostDevice
from runtime.host.library.functions import RunnerLibrary
from runtime.host.program import HostProgram, entries
from runtime.mux import CompileOptions, compile_module
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.func import FuncOp
from xegpu.dialects.upstream.gpu import ModuleOp as GpuModuleOp
from xegpu.mlir import verify
from xegpu.targets import Target


@dataclass(frozen=True)
class CompiledProgram:
    """The host code of a program and, for each `gpu.module` by name, the lowered module and its binary."""

    module: ModuleOp
    compiled: Mapping[str, ModuleOp]
    binaries: Mapping[str, bytes]

    def entry(self, name: str) -> FuncOp:
        """Returns the function called `name`. Raises `CompileError` if there is none with a body."""
        functions = {op.sym_name.data: op for op in entries(self.module)}
        if name not in functions:
            known = ", ".join(f"'{other}'" for other in functions) or "none"
            raise CompileError(self.module, f"has no function '{name}' with a body, there are: {known}")
        return functions[name]


def compile_program(
    context: Context, module: ModuleOp, target: Target, passes: Sequence[ModulePass] | None = None
) -> CompiledProgram:
    """Compiles the kernels of a module, by the passes given or those of `xe-pipeline`.

    A `gpu.launch` becomes a kernel of its own. Raises `CompileError`.
    """
    MemrefFlattenVectorElementsPass().apply(context, module)
    GpuKernelOutliningPass().apply(context, module)
    ConvertLlvmToGpuPass().apply(context, module)
    GpuInferBlockSizePass().apply(context, module)
    verify(module)
    options = CompileOptions(passes, context)
    compiled, binaries = {}, {}
    for op in module.ops:
        if isinstance(op, GpuModuleOp):
            alone = ModuleOp([op.clone()], dict(module.attributes))
            name = op.sym_name.data
            compiled[name], binaries[name] = alone, compile_module(alone, target.name, options=options)
    return CompiledProgram(module, compiled, binaries)


@dataclass
class ProgramOutput:
    """Sinks for a program's output: its text, and remarks on it."""

    write: Callable[[str], object]
    note: Callable[[str], object]
    launches: list[LaunchResult] = field(default_factory=list)


@dataclass(frozen=True)
class LoadedProgram:
    """A program on a device; `library` counts the comparisons that failed."""

    host: HostProgram
    library: RunnerLibrary


def load_program(
    program: CompiledProgram,
    device: Device,
    output: ProgramOutput,
    entry: str = "main",
    memory_limit: int | None = None,
) -> LoadedProgram:
    """Compiles the host code and loads the kernels. Raises `CompileError`, before anything is executed."""
    calls = HostDevice(device, program.binaries, output.launches.append)
    library = RunnerLibrary(output.write, output.note, finds_unwritten=calls.finds_unwritten)
    host = HostProgram(
        program.module, program.entry(entry), library.find, calls, output.write, output.note, memory_limit=memory_limit
    )
    return LoadedProgram(host, library)
