"""Finds the front end of a language; it is imported when the first text needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

if TYPE_CHECKING:
    from passes.frontends.spirv import ModuleInformation
    from passes.frontends.spirv_kernels import SpirvKernels

LANGUAGES: Mapping[str, tuple[str, str] | None] = {
    "mlir": None,
    "llvm": ("passes.frontends.llvm", ".ll"),
    "opencl": ("passes.frontends.opencl", ".cl"),
    "spirv": ("passes.frontends.spirv_kernels", ".spvasm"),
}
"""The front ends of languages, whose `import_kernels` makes MLIR of a text, and the suffixes of their files."""
_FrontEnd = Callable[[str, str, Sequence[str]], ModuleOp]


def language_of(filename: str) -> str:
    """Returns the language that the name of a file tells: MLIR unless it tells another."""
    suffix = PurePath(filename).suffix
    return next((name for name, home in LANGUAGES.items() if home is not None and home[1] == suffix), "mlir")


def import_source(text: str, filename: str, language: str, options: Sequence[str] = ()) -> ModuleOp:
    """Returns the kernels of a text in another language than MLIR as MLIR.

    Raises:
        CompileError: For a text that is wrong or that has no form in MLIR.
    """
    home = LANGUAGES[language]
    assert home is not None
    front_end: _FrontEnd = import_module(home[0]).import_kernels
    return front_end(text, filename, options)


def translate_opencl(text: str, filename: str, options: Sequence[str], headers: Mapping[str, str]) -> str:
    """Returns a program in OpenCL C as LLVM IR; `headers` are texts by their names. Raises `CompileError`."""
    translated: Callable[[str, str, Sequence[str], Mapping[str, str]], str]
    translated = import_module("passes.frontends.opencl").compile_opencl
    return translated(text, filename, options, headers)


def tools_of(language: str, text: str) -> str | None:
    """Returns the other programs that make MLIR of a text, with their versions; None if they read other files, too."""
    home = LANGUAGES[language]
    assert home is not None
    tools: Callable[[str], str | None] = import_module(home[0]).tools
    return tools(text)


def import_spirv(data: bytes, filename: str, constants: Mapping[int, bytes] | None = None) -> ModuleOp:
    """Returns the kernels of a SPIR-V module as MLIR; `constants` are the bytes of specialization constants.

    Raises:
        CompileError: For a module that is wrong or that has no form in MLIR.
    """
    front_end: Callable[[bytes, str, Mapping[int, bytes] | None], ModuleOp]
    front_end = import_module("passes.frontends.spirv_kernels").import_spirv
    return front_end(data, filename, constants)


SpirvSource = tuple[bytes, Mapping[int, bytes]]
"""A module in SPIR-V, and the bytes of its specialization constants by their numbers."""


def link_spirv(
    modules: Sequence[SpirvSource], filename: str = "<module>", libraries: Sequence[SpirvSource] = ()
) -> SpirvKernels:
    """Returns the kernels of linked modules; from libraries, they have the functions that they import.

    Raises:
        CompileError: For modules that are wrong, or that define a name twice.
    """
    front_end: Callable[[Sequence[SpirvSource], str, Sequence[SpirvSource]], SpirvKernels]
    front_end = import_module("passes.frontends.spirv_kernels").SpirvKernels
    return front_end(modules, filename, libraries)


def inspect_spirv(module: SpirvSource, filename: str = "<module>") -> ModuleInformation:
    """Returns the description of a module in SPIR-V. Raises `CompileError` for a module that is wrong."""
    front_end: Callable[[SpirvSource, str], ModuleInformation]
    front_end = import_module("passes.frontends.spirv_kernels").inspect_spirv
    return front_end(module, filename)


def text_of_spirv(data: bytes, filename: str) -> str:
    """Returns a module in SPIR-V as text. Raises `CompileError` for one that does not follow the grammar."""
    disassembled: Callable[[bytes, str], str] = import_module("passes.frontends.spirv_kernels").disassembled
    return disassembled(data, filename)
