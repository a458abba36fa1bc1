"""Kernels in LLVM IR as kernels in MLIR: arithmetic in `arith` and `math`, memory behind pointers of `llvm`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp

from passes.frontends.llvm.information import (
    KernelDetails as KernelDetails,
    PrintfCall as PrintfCall,
    kernels_of as kernels_of,
    prints_of as prints_of,
)
from passes.frontends.llvm.module import (
    Requirements as Requirements,
    import_module as import_module,
)
from passes.frontends.llvm.places import with_places as with_places
from passes.frontends.llvm.reader import Module as Module, place, read_module as read_module
from passes.frontends.mux import MuxIrError, define_builtins, uses_builtins
from passes.frontends.optimisation import IrError, optimise
from passes.frontends.stages import show
from xegpu.diagnostics import CompileError


def import_kernels(
    text: str,
    filename: str = "<string>",
    options: Sequence[str] = (),
    requirements: Mapping[str, Requirements] | None = None,
) -> ModuleOp:
    """Returns the kernels in LLVM IR, whose calls are inlined first.

    Args:
        text: The kernels.
        filename: The name of the text in messages.
        options: None: LLVM IR has no options.
        requirements: What kernels require of launches, where metadata in the text does not tell.

    Raises:
        CompileError: With locations in the kernels' sources or in the optimised text, for what kernels cannot do.

    """
    return import_module(read_kernels(with_places(text, filename), filename), requirements)


def read_kernels(text: str, filename: str = "<string>") -> Module:
    """Returns the kernels in LLVM IR, optimised: their calls are inlined. Raises `CompileError`."""
    try:
        if uses_builtins(text):
            text = define_builtins(text)
            show("LLVM IR with definitions of ComputeMux's builtins", lambda: text)
        optimised = optimise(text)
    except MuxIrError as error:
        raise CompileError(place(filename, error.line or 1), error.message) from error
    except IrError as error:
        raise CompileError(place(filename, error.line or 1), f"is no LLVM IR: {error.message}") from error
    show("optimised LLVM IR", lambda: optimised)
    return read_module(optimised, filename)


def tools(text: str) -> str:
    """Returns the name of no program: LLVM IR needs no other than this one."""
    return ""
