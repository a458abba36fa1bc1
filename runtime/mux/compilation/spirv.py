"""Compiles modules in SPIR-V, alone and linked with others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING

from passes import frontends
from runtime.mux.compilation.binary_cache import cached
from runtime.mux.compilation.code_options import DEFAULT_CODE, CodeOptions
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import runtime.mux.compilation.compiler as compiler

if TYPE_CHECKING:
    from passes.frontends import SpirvSource


@dataclass(frozen=True)
class SpirvLinkage:
    """The names that a module defines and needs: kernels, functions and variables.

    `addresses` are those of the exports. Other modules may define `repeated` ones in the same way. `is_stateless`
    is true if no memory outlives a launch.
    """

    kernels: Sequence[str]
    imports: Sequence[str]
    exports: Sequence[str]
    addresses: Mapping[str, int]
    imported_variables: Sequence[str]
    exported_variables: Sequence[str]
    repeated: Sequence[str]
    is_stateless: bool


def compile_spirv(
    data: bytes, target: str, filename: str = "<module>", constants: Mapping[int, bytes] | None = None
) -> bytes:
    """Compiles all kernels of a SPIR-V module to one ZEBIN; `constants` are the bytes of specialization constants.

    Raises:
        CompileError: For a module that is wrong or that cannot be compiled.

    """
    return SpirvProgram([(data, constants or {})], filename).compile(target)


class SpirvProgram:
    """Modules that are linked, and whose kernels are compiled when they are needed.

    Args:
        modules: The modules with their specialization constants. They have each other's functions and variables.
        filename: The name of the program in error messages.
        libraries: Modules of which the others have the functions only.

    """

    def __init__(
        self, modules: Sequence[SpirvSource], filename: str = "<module>", libraries: Sequence[SpirvSource] = ()
    ) -> None:
        self._filename = filename
        self._linked = cache(lambda: frontends.SpirvKernels(modules, filename, libraries))
        self._parts: list[bytes | str] = [str(len(modules)), str(len(libraries)), filename]
        self._parts += [part for source in (*modules, *libraries) for part in _parts(source)]

    def compile(self, target: str, names: Sequence[str] | None = None, code: CodeOptions = DEFAULT_CODE) -> bytes:
        """Compiles all kernels, or those with some names, to one ZEBIN.

        Raises:
            CompileError: For modules that are wrong, that define a name twice, or that cannot be compiled.
        """
        chosen = ["all"] if names is None else [str(len(names)), *names]

        def compile() -> bytes:
            linked = self._linked()
            return compiler.compile_kernels(linked.imported(names), target, self._filename, code, linked.functions)

        return cached(
            compile,
            *("spirv", target, repr(code), *chosen, *self._parts),
        )


def spirv_linkage(source: SpirvSource, filename: str = "<module>") -> SpirvLinkage:
    """Returns the names that a module defines and needs. Raises `CompileError` for a module that is wrong."""

    def inspect() -> bytes:
        found = frontends.inspect_spirv(source, filename)
        linkage = SpirvLinkage(
            [kernel.name for kernel in found.kernels],
            found.imports,
            found.exports,
            {name: frontends.function_address(name) for name in found.exports},
            found.imported_variables,
            found.exported_variables,
            found.repeated,
            not found.has_variables,
        )
        return json.dumps(asdict(linkage)).encode()

    return SpirvLinkage(**json.loads(cached(inspect, "linkage", filename, *_parts(source))))


def _parts(source: SpirvSource) -> Iterator[bytes | str]:
    """Yields everything that identifies a module."""
    data, constants = source
    yield str(len(constants))
    for number, value in sorted(constants.items()):
        yield str(number)
        yield value
    yield data
