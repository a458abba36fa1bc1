"""Compiles kernels in any language that has a front end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from passes.frontends import LANGUAGES, import_source, language_of, tools_of
from runtime.mux.binary_cache import cached
from runtime.mux.compiler import CompileOptions, compile_module
from xegpu.dialects import register_dialects


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

    def compile() -> bytes:
        return compile_kernels(import_source(text, filename, language, options), target, filename)

    tools = tools_of(language, text)
    return compile() if tools is None else cached(compile, language, tools, target, filename, *options, text)


def compile_kernels(module: ModuleOp, target: str, filename: str) -> bytes:
    """Compiles the kernels that a front end has made."""
    return compile_module(module, target, filename, CompileOptions(context=empty_context()))


@cache
def empty_context() -> Context:
    """Returns the context of modules that no parser has made, which the passes only read."""
    context = Context()
    register_dialects(context)
    return context
