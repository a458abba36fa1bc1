"""The options that compilers for GPUs have beside those of OpenCL."""

from __future__ import annotations

from runtime.mux.options.syntax import CompilationOption, format_compilation_options
from xegpu.targets import COMMON_SUBGROUP_SIZE, Target as Gpu


def device_options(gpu: Gpu) -> dict[str, tuple[str, ...] | None]:
    """Returns the values that each option of the compiler for a GPU takes; None for an option without value."""
    return {
        "--subgroup-size": tuple(
            str(size) for size in sorted(gpu.platform.subgroup_sizes) if size >= COMMON_SUBGROUP_SIZE
        ),
        "--grf-count": tuple(map(str, (0, *gpu.platform.grf_counts))),
        "--no-debug-info": None,
    }


_HELP = {
    "--subgroup-size": "work-items of a subgroup in kernels that require no size",
    "--grf-count": "registers of a thread, 0 for as many as a kernel needs",
    "--no-debug-info": "leave the lines of sources out of binaries",
}


def compilation_options(gpu: Gpu) -> str:
    """Returns the options of the compiler for a GPU in the syntax of the specification."""
    return format_compilation_options(
        CompilationOption(
            name, values is not None, _HELP[name] + ("" if values is None else f" ({' or '.join(values)})")
        )
        for name, values in device_options(gpu).items()
    )
