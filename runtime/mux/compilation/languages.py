"""Compiles kernels in any language that has a front end."""

from __future__ import annotations

from collections.abc import Sequence

from passes.frontends import LANGUAGES, import_source, language_of, tools_of
from runtime.mux.compilation.binary_cache import cached
from runtime.mux.compilation.deferred import compile_kernels, compile_text


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
        return compile_text(text, target, filename)

    def compile() -> bytes:
        return compile_kernels(import_source(text, filename, language, options), target, filename)

    tools = tools_of(language, text)
    return compile() if tools is None else cached(compile, language, tools, target, filename, *options, text)
