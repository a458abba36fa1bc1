"""Front ends, which translate kernels in other languages to MLIR.

`docs/frontends.md` describes what they agree on. A front end is imported when the first text needs it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Protocol

from xdsl.dialects.builtin import ModuleOp

from passes.frontends.stages import observing as observing
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import passes.frontends.llvm as llvm
    import passes.frontends.opencl as opencl
    import passes.frontends.spirv.kernels as spirv_kernels
    from passes.frontends.opencl import compile_opencl as compile_opencl, own_headers_only as own_headers_only
    from passes.frontends.spirv.kernels import (
        SpirvKernels as SpirvKernels,
        SpirvSource as SpirvSource,
        import_spirv as import_spirv,
        inspect_spirv as inspect_spirv,
        text_of_spirv as text_of_spirv,
    )
    from passes.frontends.spirv.names import function_address as function_address


class FrontEnd(Protocol):
    """A package or module that translates a language."""

    def import_kernels(self, text: str, filename: str, options: Sequence[str]) -> ModuleOp:
        """Returns the kernels of a text as MLIR. Raises `CompileError`."""

    def tools(self, text: str) -> str | None:
        """Returns the other programs that make MLIR of a text, with versions; None if they read other files, too."""


LANGUAGES: Mapping[str, tuple[FrontEnd, str] | None] = {
    "mlir": None,
    "llvm": (llvm, ".ll"),
    "opencl": (opencl, ".cl"),
    "spirv": (spirv_kernels, ".spvasm"),
}
"""The front ends of languages, and the suffixes of their files."""


def language_of(filename: str) -> str:
    """Returns the language that the name of a file tells: MLIR unless it tells another."""
    suffix = PurePath(filename).suffix
    return next((name for name, home in LANGUAGES.items() if home is not None and home[1] == suffix), "mlir")


def import_source(text: str, filename: str, language: str, options: Sequence[str] = ()) -> ModuleOp:
    """Returns the kernels of a text in another language than MLIR as MLIR.

    Raises:
        CompileError: For a text that is wrong or that has no form in MLIR.
    """
    return _front_end(language).import_kernels(text, filename, options)


def tools_of(language: str, text: str) -> str | None:
    """Returns the other programs that make MLIR of a text, with their versions; None if they read other files, too."""
    return _front_end(language).tools(text)


def _front_end(language: str) -> FrontEnd:
    home = LANGUAGES[language]
    assert home is not None
    return home[0]
