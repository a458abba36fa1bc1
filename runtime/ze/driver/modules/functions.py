"""Functions in native code that kernels of other sections call: their places behind the code of these."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from xegpu.on_demand import dataclass
from zebin.elf import SymbolBinding, SymbolType

if TYPE_CHECKING:
    import zebin
    from zebin.elf import Symbol

_CODE = ".text"
_ALIGNMENT = 64


@dataclass(frozen=True)
class FunctionsPlace:
    """The functions of a section: they begin at the byte `first` of it, and at `offset` in the code of a kernel."""

    section: int
    first: int
    offset: int

    def behind(self, functions: Iterable[int]) -> list[int]:
        """Returns the distances from the first one, of functions at offsets in the section, in ascending order."""
        return sorted(offset - self.first for offset in functions if offset >= self.first)


def place_functions(binary: zebin.Zebin) -> tuple[FunctionsPlace, ...]:
    """Returns the places of functions that other sections or the host refer to, behind the longest code of a kernel.

    They have the same offsets for each kernel, since variables and arguments may hold them, too.
    """
    called: dict[int, list[Symbol]] = {}
    for symbol in binary.symbols:
        if _is_function(binary, symbol) and symbol.binding == SymbolBinding.GLOBAL:
            called.setdefault(symbol.section_index, []).append(symbol)
    for index, entries in binary.relocations.items():
        for entry in entries:
            symbol = binary.symbols[entry.symbol]
            if _is_function(binary, symbol) and symbol.section_index != binary.sections[index].info:
                called.setdefault(symbol.section_index, []).append(symbol)
    offset = max((_aligned(section.size) for section in binary.sections if section.name.startswith(_CODE)), default=0)
    places = []
    for section, symbols in sorted(called.items()):
        first = min(symbol.value for symbol in symbols)
        places.append(FunctionsPlace(section, first, offset))
        offset += _aligned(binary.sections[section].size - first)
    return tuple(places)


def functions_by_section(binary: zebin.Zebin) -> dict[int, list[int]]:
    """Returns the offsets of the functions of each section of code, kernels among them, by its number."""
    found: dict[int, list[int]] = {}
    for symbol in binary.symbols:
        if _is_function(binary, symbol):
            found.setdefault(symbol.section_index, []).append(symbol.value)
    return found


def _is_function(binary: zebin.Zebin, symbol: Symbol) -> bool:
    is_defined = 0 < symbol.section_index < len(binary.sections)
    return (
        symbol.type == SymbolType.FUNC and is_defined and binary.sections[symbol.section_index].name.startswith(_CODE)
    )


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
