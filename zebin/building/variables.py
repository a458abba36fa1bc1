"""The variables of a module: their sections, and the symbols by which code and host access them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from zebin.elf.builder import ElfBuilder
from zebin.elf.constants import SectionFlags, SectionType, SymbolBinding, SymbolType, SymbolVisibility
from zebin.elf.model import Symbol
from zebin.errors import Report, excerpt
from zebin.ze_info.schema import HostAccess

if TYPE_CHECKING:
    from xegpu.isa import CompiledKernel, Variable

CONSTANTS, GLOBALS = ".data.const", ".data.global"


def variables_of(kernels: Sequence[CompiledKernel], others: Sequence[Variable] = ()) -> list[Variable]:
    """Returns the variables of all kernels' modules and others, each once.

    Raises:
        ZebinError: If two different variables have one name.
    """
    found: dict[str, Variable] = {}
    for variable in (*(variable for kernel in kernels for variable in kernel.variables), *others):
        if found.setdefault(variable.name, variable) != variable:
            message = f"two modules have different variables called {excerpt(variable.name)}"
            raise Report().fatal("build.variable", message)
    return list(found.values())


def add_variables(builder: ElfBuilder, variables: Sequence[Variable]) -> Mapping[str, Symbol]:
    """Adds the sections of constant and of other variables, and returns the symbol of each variable."""
    symbols: dict[str, Symbol] = {}
    for name, flags, is_constant in (
        (CONSTANTS, SectionFlags.ALLOC, True),
        (GLOBALS, SectionFlags.ALLOC | SectionFlags.WRITE, False),
    ):
        chosen = [variable for variable in variables if variable.is_constant is is_constant]
        if not chosen:
            continue
        data = bytearray()
        section = builder.add_section(name, SectionType.PROGBITS, data, flags)
        for variable in chosen:
            data += bytes(-len(data) % variable.alignment)
            offset, size = len(data), len(variable.data)
            # Drivers relocate addresses of global symbols only: a private variable is one that no other module sees.
            visibility = SymbolVisibility.DEFAULT if variable.is_public else SymbolVisibility.HIDDEN
            symbols[variable.name] = builder.add_symbol(
                variable.name, section, SymbolType.OBJECT, offset, size, SymbolBinding.GLOBAL, visibility
            )
            data += variable.data
        section.data, section.size = bytes(data), len(data)
    return symbols


def host_access(variables: Sequence[Variable]) -> list[HostAccess]:
    """Returns the names by which the host accesses variables: their own."""
    return [HostAccess(device_name=v.name, host_name=v.name) for v in variables if v.is_public]
