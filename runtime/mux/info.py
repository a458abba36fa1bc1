"""Compilers and what they can do (seed: chapter Info)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Flag
from functools import cache

from runtime.mux.device_info import DeviceInfo, device_info
from runtime.mux.option_syntax import CompilationOption, format_compilation_options
from xegpu import targets
from xegpu.targets import Target as Gpu


class BuiltinCapabilities(Flag):
    """The kinds of builtins that a device has (seed: `builtins::file::capabilities_bitfield`)."""

    DEFAULT = 0
    BITS32 = 1
    FP64 = 2
    FP16 = 4


@dataclass(frozen=True)
class Info:
    """A compiler for one device (seed: `compiler::Info`).

    Attributes:
        device_info: The device that it compiles for.
        compilation_options: Its own options, in the syntax of `parse_compilation_options`.
        supports_deferred_compilation: Kernels can be compiled one by one, with what their launches fix.
        vectorizable: Work-items share the lanes of threads.
        dma_optimizable: The device copies memory beside its threads; here, work-items copy.
        scalable_vector_support: The device has vectors of unknown width.
        kernel_debug: Binaries name the lines of their sources.

    """

    device_info: DeviceInfo
    compilation_options: str
    supports_deferred_compilation: bool = True
    vectorizable: bool = True
    dma_optimizable: bool = False
    scalable_vector_support: bool = False
    kernel_debug: bool = True

    def get_builtin_capabilities(self) -> BuiltinCapabilities:
        """Returns the kinds of builtins that the device has (seed: `getBuiltinCapabilities`)."""
        found = BuiltinCapabilities.DEFAULT
        device = self.device_info
        for has, capability in (
            (not device.address_capabilities & device.address_capabilities.BITS64, BuiltinCapabilities.BITS32),
            (device.double_capabilities, BuiltinCapabilities.FP64),
            (device.half_capabilities, BuiltinCapabilities.FP16),
        ):
            if has:
                found |= capability
        return found


def device_options(gpu: Gpu) -> dict[str, tuple[str, ...] | None]:
    """Returns the values that each option of the compiler for a GPU takes; None for an option without value."""
    return {
        "--subgroup-size": tuple(map(str, (size for size in sorted(gpu.subgroup_sizes) if size >= _FEWEST_LANES))),
        "--grf-count": tuple(map(str, (0, *gpu.grf_counts))),
        "--no-debug-info": None,
    }


_FEWEST_LANES = 16
"""The smallest subgroups that kernels of work-items are compiled for unless they ask for smaller ones."""

_HELP = {
    "--subgroup-size": "work-items of a subgroup in kernels that require no size",
    "--grf-count": "registers of a thread, 0 for as many as a kernel needs",
    "--no-debug-info": "leave the lines of sources out of binaries",
}


def _options(gpu: Gpu) -> str:
    return format_compilation_options(
        CompilationOption(
            name, values is not None, _HELP[name] + ("" if values is None else f" ({' or '.join(values)})")
        )
        for name, values in device_options(gpu).items()
    )


@cache
def infos() -> tuple[Info, ...]:
    """Returns the compilers, one for each GPU; always the same objects."""
    return tuple(Info(device_info(number, gpu), _options(gpu)) for number, gpu in enumerate(targets.TARGETS.values()))


def get_compilers(add_compiler: Callable[[Info], object]) -> None:
    """Passes each compiler to a function that registers it (seed: `getCompilers`)."""
    for info in infos():
        add_compiler(info)


def get_info(name: str) -> Info:
    """Returns the compiler for a GPU; raises `ValueError` for an unknown one."""
    gpu = targets.get(name)
    return next(info for info in infos() if info.device_info.target == gpu.name)
