"""Compiles kernels in any language that has a front end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from passes import frontends
from passes.frontends import LANGUAGES, import_source, language_of, tools_of
from runtime.mux.compilation.binary_cache import cached
from runtime.mux.compilation.igc import compile_with_igc
from runtime.mux.compilation.spirv import compile_spirv
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import runtime.mux.compilation.compiler as compilation

COMPILERS = ("xegpu", "igc")
"""The compilers: the one of this package, and Intel's graphics compiler."""


def compile_source(
    source: str | bytes,
    target: str,
    filename: str = "<string>",
    language: str | None = None,
    options: Sequence[str] = (),
    compiler: str = "xegpu",
) -> bytes:
    """Compiles all kernels of a source to one ZEBIN.

    Args:
        source: The text, or the words of SPIR-V.
        target: The name of the GPU.
        filename: The name of the source in error messages.
        language: `mlir`, `llvm`, `opencl` or `spirv`; None for the one that the name tells.
        options: Options of the language's compiler, such as `-DN=4` for OpenCL C.
        compiler: `xegpu`, or `igc` for native code by Intel's compiler, from OpenCL C and SPIR-V.

    Raises:
        CompileError: For a source that is wrong or that cannot be compiled.
        ValueError: For an unknown language, compiler or target, a language that the compiler does not take, and for
            options of a language that has none.

    """
    if compiler not in COMPILERS:
        raise ValueError(f"unknown compiler {compiler!r}: expected {', '.join(COMPILERS)}")
    if compiler == "igc":
        language = language or ("spirv" if isinstance(source, bytes) else language_of(filename))
        if language != ("spirv" if isinstance(source, bytes) else "opencl"):
            raise ValueError(f"Intel's compiler takes OpenCL C as text and SPIR-V as bytes, not {language}")
        return compile_with_igc(source, target, filename, options)
    if isinstance(source, bytes):
        if language not in (None, "spirv") or options:
            raise ValueError(
                f"bytes are SPIR-V, which has no options, got {' '.join([language or '', *options]).strip()}"
            )
        return compile_spirv(source, target, filename)
    language = language_of(filename) if language is None else language
    if language not in LANGUAGES:
        raise ValueError(f"unknown language {language!r}: expected {', '.join(LANGUAGES)}")
    if options and language != "opencl":
        raise ValueError(f"only OpenCL C has options, got {' '.join(options)} for {language}")
    if LANGUAGES[language] is None:
        return cached(lambda: compilation.compile_module(source, target, filename), language, target, filename, source)

    def compile() -> bytes:
        return compilation.compile_kernels(import_source(source, filename, language, options), target, filename)

    tools = tools_of(language, source)
    return compile() if tools is None else cached(compile, language, tools, target, filename, *options, source)


def compile_opencl_c(text: str, filename: str, options: Sequence[str], headers: Mapping[str, str]) -> str:
    """Returns a program in OpenCL C as LLVM IR, which can be linked with others.

    Args:
        text: The program.
        filename: Its name in messages.
        options: Options of clang.
        headers: The texts of headers by their names.

    Raises:
        CompileError: For a program that is wrong; there is no clang.
    """

    def compile() -> bytes:
        return frontends.compile_opencl(text, filename, options, headers).encode()

    tools = tools_of("opencl", text)
    binary = compile() if tools is None or headers else cached(compile, "opencl-ir", tools, filename, *options, text)
    return binary.decode()
