"""Compiles kernels in optimised LLVM IR to a ZEBIN."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import zebin
from passes.frontends.llvm import KernelDetails, Module, Requirements, import_module, read_module
from passes.pipelines import xe_passes
from runtime.mux.compilation.binary_cache import cached
from runtime.mux.compilation.compiler import CompileOptions, compile_module, empty_context
from runtime.mux.results import MuxError, Result
from xegpu import targets
from xegpu.diagnostics import failing_as
from xegpu.targets import COMMON_SUBGROUP_SIZE


@dataclass(frozen=True)
class KernelOptions:
    """Choices about the code of kernels.

    Attributes:
        subgroup_size: The subgroup size of kernels that require none.
        grf_count: The registers of a thread; 0 for as many as a kernel needs.
        debug: Binaries name the lines of their sources.

    """

    subgroup_size: int = COMMON_SUBGROUP_SIZE
    grf_count: int = 0
    debug: bool = True


def check_kernels(module: Module) -> None:
    """Checks that all kernels of a module have a form in MLIR. Raises `CompileError`."""
    with failing_as("the import of LLVM IR"):
        import_module(module)


def compile_ir(
    text: str,
    target: str,
    filename: str,
    options: KernelOptions,
    names: Collection[str] | None = None,
    requirements: Mapping[str, Requirements] | None = None,
) -> bytes:
    """Returns the ZEBIN of kernels.

    Args:
        text: A module whose calls are inlined, as `optimise` leaves it.
        target: The name of the GPU.
        filename: The name of the module in messages.
        options: Choices about the code.
        names: The kernels; None for all.
        requirements: What kernels require of launches, where the module does not tell.

    Raises:
        CompileError: For what kernels cannot do.
    """

    def compile() -> bytes:
        with failing_as("the import of LLVM IR"):
            module = import_module(read_module(text, filename), requirements, names, options.subgroup_size)
        passes = xe_passes(target, options.grf_count)
        chosen = CompileOptions(passes, empty_context(), zebin.DebugOptions(options.debug))
        return compile_module(module, target, filename, chosen)

    key = (target, filename, repr(options), repr(names and sorted(names)), repr(requirements), text)
    return cached(compile, "ir", *key)


def check_subgroup_sizes(kernels: Sequence[KernelDetails], gpu: str) -> None:
    """Raises `FINALIZE_PROGRAM_FAILURE` for a kernel that requires a subgroup size which the GPU has not."""
    sizes = sorted(targets.get(gpu).platform.subgroup_sizes)
    for kernel in kernels:
        if kernel.required_subgroup_size not in (None, 0, *sizes):
            raise MuxError(
                Result.FINALIZE_PROGRAM_FAILURE,
                f"kernel '{kernel.name}' requires subgroups of {kernel.required_subgroup_size} work-items, "
                f"{gpu} has {', '.join(map(str, sizes))}",
            )
