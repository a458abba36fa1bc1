"""Compiles kernels in any language that we know; the front ends are imported when the first text needs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import PurePath

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from runtime.mux.compiler import CompileOptions, compile_module
from xegpu.dialects import register_dialects

LANGUAGES: Mapping[str, tuple[str, str] | None] = {
    "mlir": None,
    "llvm": ("passes.frontends.llvm", ".ll"),
    "opencl": ("passes.frontends.opencl", ".cl"),
}
"""By the name of a language: its front end, whose `import_kernels` makes MLIR of a text, and the suffix of files."""
_FrontEnd = Callable[[str, str, Sequence[str]], ModuleOp]


def language_of(filename: str) -> str:
    """Returns the language that the name of a file tells: MLIR unless it tells another."""
    suffix = PurePath(filename).suffix
    return next((name for name, home in LANGUAGES.items() if home is not None and home[1] == suffix), "mlir")


def import_source(text: str, filename: str, language: str, options: Sequence[str] = ()) -> ModuleOp:
    """Returns the kernels of a text in another language than MLIR as MLIR; see `compile_source`."""
    home = LANGUAGES[language]
    assert home is not None
    front_end: _FrontEnd = import_module(home[0]).import_kernels
    return front_end(text, filename, options)


def import_spirv(data: bytes, filename: str, constants: Mapping[int, bytes] | None = None) -> ModuleOp:
    """Returns the kernels of a SPIR-V module as MLIR; see `compile_spirv`."""
    front_end: Callable[[bytes, str, Mapping[int, bytes] | None], ModuleOp]
    front_end = import_module("passes.frontends.spirv_kernels").import_spirv
    return front_end(data, filename, constants)


def compile_source(
    text: str,
    target: str,
    filename: str = "<string>",
    language: str | None = None,
    options: Sequence[str] = (),
) -> bytes:
    """Compiles all kernels of a text to one ZEBIN.

    Args:
        text: The source.
        target: The name of the GPU.
        filename: The name of the text in error messages.
        language: `mlir`, `llvm` or `opencl`; None for the one that the name tells.
        options: Options of the language's compiler, such as `-DN=4` for OpenCL C.

    Raises:
        CompileError: For a source that is wrong or that cannot be compiled.
        ValueError: For an unknown language or target, and for options of a language that has none.

    """
    language = language_of(filename) if language is None else language
    if language not in LANGUAGES:
        raise ValueError(f"unknown language {language!r}: expected {', '.join(LANGUAGES)}")
    if options and language != "opencl":
        raise ValueError(f"only OpenCL C has options, got {' '.join(options)} for {language}")
    if LANGUAGES[language] is None:
        return compile_module(text, target, filename)
    return _compiled(import_source(text, filename, language, options), target, filename)


def compile_spirv(
    data: bytes, target: str, filename: str = "<module>", constants: Mapping[int, bytes] | None = None
) -> bytes:
    """Compiles all kernels of a SPIR-V module to one ZEBIN; `constants` are the bytes of specialization constants.

    Raises:
        CompileError: For a module that is wrong or that cannot be compiled.

    """
    return _compiled(import_spirv(data, filename, constants), target, filename)


def _compiled(module: ModuleOp, target: str, filename: str) -> bytes:
    context = Context()
    register_dialects(context)
    return compile_module(module, target, filename, CompileOptions(context=context))
