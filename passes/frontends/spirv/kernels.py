"""Kernels in SPIR-V as kernels in MLIR."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp

from passes.frontends.linking import link
from passes.frontends.llvm import Requirements, import_module, read_kernels
from passes.frontends.llvm.reader import place
from passes.frontends.optimisation import IrError
from passes.frontends.spirv import (
    AssemblyError,
    ModuleInformation,
    SpirvError,
    Translation,
    assemble,
    disassemble,
    translate,
)
from passes.frontends.spirv.names import function_address
from passes.frontends.stages import show
from xegpu.diagnostics import CompileError

SpirvSource = tuple[bytes, Mapping[int, bytes]]
"""A module in SPIR-V, and the bytes of its specialization constants by their numbers."""


def import_kernels(text: str, filename: str = "<string>", options: Sequence[str] = ()) -> ModuleOp:
    """Returns the kernels of a SPIR-V module in text, in the manner of spirv-as; there are no options.

    Raises `CompileError` for a module that is wrong, and for what kernels cannot do.
    """
    try:
        data = assemble(text)
    except AssemblyError as error:
        raise CompileError(place(filename, error.line), f"is no SPIR-V: {error.message}") from error
    return import_spirv(data, filename)


def tools(text: str) -> str:
    """Returns the name of no program: SPIR-V needs no other than this one."""
    return ""


def import_spirv(data: bytes, filename: str = "<module>", constants: Mapping[int, bytes] | None = None) -> ModuleOp:
    """Returns the kernels of a SPIR-V module; `constants` are the bytes of specialization constants by their ids.

    Raises `CompileError` for a module that is wrong, and for what kernels cannot do.
    """
    return SpirvKernels([(data, constants or {})], filename).imported()


class SpirvKernels:
    """The kernels of modules that are linked with each other, optimised."""

    def __init__(
        self, modules: Sequence[SpirvSource], filename: str = "<module>", libraries: Sequence[SpirvSource] = ()
    ) -> None:
        """Links modules; from libraries, they get the functions that they import.

        Raises:
            CompileError: A module is wrong, or a name is defined twice.
        """
        translations = [_translated(module, filename) for module in modules]
        text = translations[0].text
        if len(modules) > 1 or libraries:
            others = [_translated(module, filename).text for module in libraries]
            try:
                text = link([translation.text for translation in translations], others)
            except IrError as error:
                raise CompileError(place(filename, 1), f"cannot be linked: {error.message}") from error
        kernels = [kernel for translation in translations for kernel in translation.information.kernels]
        self._requirements = {kernel.name: Requirements(kernel.local_size, kernel.subgroup_size) for kernel in kernels}
        self._module = read_kernels(text, filename)
        exports = (name for translation in translations for name in translation.information.exports)
        self.functions = {name: function_address(name) for name in exports}
        """The numbers that stand for the functions that others can call, by their names."""

    def imported(self, names: Collection[str] | None = None) -> ModuleOp:
        """Returns all kernels, or those with some names, in MLIR.

        Raises:
            CompileError: For what kernels cannot do.
        """
        return import_module(self._module, self._requirements, names)


def text_of_spirv(data: bytes, filename: str) -> str:
    """Returns a module as text. Raises `CompileError` for one that does not follow the grammar."""
    try:
        return disassemble(data)
    except SpirvError as error:
        raise CompileError(place(filename, 1), str(error)) from error


def inspect_spirv(module: SpirvSource, filename: str = "<module>") -> ModuleInformation:
    """Returns the description of a module. Raises `CompileError` for a module that is wrong."""
    return _translated(module, filename).information


def _translated(module: SpirvSource, filename: str) -> Translation:
    try:
        show("SPIR-V", lambda: disassemble(module[0]))
        translation = translate(*module)
        show("LLVM IR", lambda: translation.text)
        return translation
    except SpirvError as error:
        raise CompileError(place(filename, 1), str(error)) from error
