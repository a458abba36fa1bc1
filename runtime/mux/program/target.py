"""The compiler for one device, which makes modules (specification: chapter Target)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from passes.frontends.ir import IrError, check, link
from passes.frontends.mux import builtins_module
from runtime.mux.program.module import Module
from runtime.mux.program.steps import BuildLog, NotifyCallback
from runtime.mux.program.symbols import declared, defined
from runtime.mux.results import MuxError, Result

if TYPE_CHECKING:
    from runtime.mux.context import Context
    from runtime.mux.program.info import Info


_own = cache(builtins_module)


class Builtins:
    """A module in LLVM IR whose functions others may call.

    The compiler gives its own builtins definitions as passes, so that their module is not linked.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._names = frozenset() if "@__mux_" in text and text == _own() else defined(text)

    def linked(self, text: str) -> str:
        """Returns a module with the builtins, if it calls any. Raises `IrError` for one whose functions they repeat."""
        return link([text], [self._text]) if self._names & declared(text) else text


class Target:
    """A compiler for one device (specification: `compiler::BaseTarget`).

    Args:
        compiler_info: The description of the compiler.
        context: The context whose lock it takes.
        callback: Takes each message for the user, if there is one.
    """

    module_class: type[Module] = Module
    """The class of the modules that it makes, which subclasses may replace."""

    def __init__(self, compiler_info: Info, context: Context, callback: NotifyCallback | None = None) -> None:
        self.context = context
        self.callback = callback
        self.builtins: Builtins | None = None
        self._info = compiler_info

    @property
    def compiler_info(self) -> Info:
        """The description of the compiler (specification: `getCompilerInfo`)."""
        return self._info

    @property
    def gpu(self) -> str:
        """The name of the GPU."""
        return self._info.device_info.target

    def init_with_builtins(self, builtins: str | None = None) -> None:
        """Makes the target ready (specification: `initWithBuiltins`).

        Args:
            builtins: A module in LLVM IR whose functions all modules may call, beside those of OpenCL C and SPIR-V. Its
                definitions of `__mux_*` come before the compiler's own, which None stands for.

        Raises:
            MuxError: `INVALID_VALUE` for text that is no LLVM IR; `OUT_OF_MEMORY`.
        """
        with self.context:
            try:
                check(builtins or "")
                self.builtins = Builtins(builtins or "")
            except IrError as error:
                raise MuxError(Result.INVALID_VALUE, f"the builtins are no LLVM IR: {error}") from error
            except MemoryError as error:
                raise MuxError(Result.OUT_OF_MEMORY, "not enough memory for the builtins") from error

    def with_builtins(self, text: str) -> str:
        """Returns a module with the functions of the target's builtins that it calls."""
        return text if self.builtins is None else self.builtins.linked(text)

    def create_module(self, log: BuildLog | None = None) -> Module | None:
        """Returns a new module, or None if there is not enough memory (specification: `createModule`).

        Args:
            log: Counts the errors and takes the messages of the module; by default, one of its own.

        Raises:
            MuxError: `FAILURE` if the target is not ready.
        """
        if self.builtins is None:
            raise MuxError(Result.FAILURE, "the target has no builtins yet: call init_with_builtins first")
        try:
            return self.module_class(self, self.context, BuildLog() if log is None else log)
        except MemoryError:
            return None
