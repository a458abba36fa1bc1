"""Compilers and what they can do (specification: chapter Info)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Flag
from functools import cache
from typing import overload

from runtime.mux.context import Context
from runtime.mux.device_info import DeviceInfo, device_info
from runtime.mux.options.device import compilation_options
from runtime.mux.program.steps import NotifyCallback
from runtime.mux.program.target import Target
from xegpu import targets


class BuiltinCapabilities(Flag):
    """The kinds of builtins that a device has (specification: `builtins::file::capabilities_bitfield`)."""

    DEFAULT = 0
    BITS32 = 1
    FP64 = 2
    FP16 = 4


@dataclass(frozen=True)
class Info:
    """A compiler for one device (specification: `compiler::Info`).

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

    @overload
    def create_target(self, context: Context, callback: NotifyCallback | None = None) -> Target: ...

    @overload
    def create_target(self, context: None, callback: NotifyCallback | None = None) -> None: ...

    def create_target(self, context: Context | None, callback: NotifyCallback | None = None) -> Target | None:
        """Returns a new target, or None without a context or without enough memory (specification: `createTarget`).

        Args:
            context: The context whose lock its modules take.
            callback: Takes each message for the user.
        """
        try:
            return None if context is None else Target(self, context, callback)
        except MemoryError:
            return None

    def get_builtin_capabilities(self) -> BuiltinCapabilities:
        """Returns the kinds of builtins that the device has (specification: `getBuiltinCapabilities`)."""
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


@cache
def infos() -> tuple[Info, ...]:
    """Returns the compilers, one for each GPU; always the same objects."""
    return tuple(
        Info(device_info(number, gpu), compilation_options(gpu)) for number, gpu in enumerate(targets.TARGETS.values())
    )


def get_compilers(add_compiler: Callable[[Info], object]) -> None:
    """Passes each compiler to a function that registers it (specification: `getCompilers`)."""
    for info in infos():
        add_compiler(info)


def get_info(name: str) -> Info:
    """Returns the compiler for a GPU; raises `ValueError` for an unknown one."""
    gpu = targets.get(name)
    return next(info for info in infos() if info.device_info.target == gpu.name)
