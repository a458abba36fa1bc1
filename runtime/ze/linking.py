"""Loads the variables of a ZEBIN into memory and puts their addresses where code and data refer to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import zebin
from runtime.simulator import Allocation, Memory
from zebin.elf.constants import RelocationType, SectionType, SymbolBinding, SymbolType
from zebin.elf.model import Relocation, Section, Symbol


class LinkError(Exception):
    """A binary that cannot be linked; the text says why."""


@dataclass(frozen=True)
class Variable:
    """A variable of a loaded module that the host may reach: its address, and its size in bytes."""

    address: int
    size: int


@dataclass(frozen=True)
class Linked:
    """A module's memory, which its owner frees; its code by section; and its variables by the names for the host."""

    memory: tuple[Allocation, ...] = ()
    texts: Mapping[int, bytes] = field(default_factory=dict)
    variables: Mapping[str, Variable] = field(default_factory=dict)

    def free(self, memory: Memory) -> None:
        """Gives the module's memory back."""
        for allocation in self.memory:
            memory.free(allocation)

    def code_of(self, kernel: zebin.Kernel) -> bytes:
        """A kernel's code with all addresses in it."""
        text = self.texts.get(kernel.section.index)
        return bytes(kernel.code if text is None else replace(kernel, section=replace(kernel.section, data=text)).code)


@dataclass(frozen=True)
class _Buffer:
    """One buffer of a loaded module: an initialised section, and the zeros that follow it."""

    names: tuple[str, str]
    label: str
    writable: bool


_BUFFERS = (
    _Buffer((".data.const", ".bss.const"), "constants", writable=False),
    _Buffer((".data.global", ".bss.global"), "variables", writable=True),
)
_ALIGNMENT = 4096
_SIZE_LIMIT = 1 << 32
_DATA_WIDTHS: Mapping[int, int] = {RelocationType.SYM_ADDR: 8, RelocationType.SYM_ADDR_32: 4}
_TEXT_FIELDS: Mapping[int, tuple[int, int]] = {
    RelocationType.SYM_ADDR: (8, 0),
    RelocationType.SYM_ADDR_32: (4, 0),
    RelocationType.SYM_ADDR_32_HI: (4, 32),
}
"""How many bytes of the address, from which bit on, each type writes into code."""


def link(binary: zebin.Zebin, memory: Memory) -> Linked:
    """Allocates and fills the buffers that a module has, and resolves its relocations.

    Raises `LinkError`, with nothing allocated, for relocations that cannot be resolved, and `MemoryError`.
    """
    linker = _Linker(binary, memory)
    try:
        linker.load()
        linker.resolve()
    except (LinkError, MemoryError):
        for loaded in linker.buffers:
            memory.free(loaded.allocation)
        raise
    for loaded in linker.buffers:
        loaded.fill(memory)
    texts = {index: bytes(text) for index, text in linker.texts.items()}
    return Linked(tuple(loaded.allocation for loaded in linker.buffers), texts, linker.variables())


@dataclass(frozen=True)
class _Loaded:
    """A buffer that has its place, and what it will hold."""

    buffer: _Buffer
    allocation: Allocation
    contents: bytearray

    def fill(self, memory: Memory) -> None:
        self.allocation.view()[:] = self.contents
        if not self.buffer.writable:
            memory.protect(self.allocation)


class _Linker:
    """`bases` are the addresses of the sections that were loaded, by their numbers."""

    def __init__(self, binary: zebin.Zebin, memory: Memory):
        self.binary, self.memory = binary, memory
        self.buffers: list[_Loaded] = []
        self.bases: dict[int, int] = {}
        self.texts: dict[int, bytearray] = {}

    def load(self) -> None:
        for buffer in _BUFFERS:
            sections = [section for name in buffer.names if (section := self.binary.section(name)) is not None]
            contents = bytearray()
            starts = []
            for section in sections:
                contents += bytes(-len(contents) % max(section.alignment, 1))
                starts.append(len(contents))
                if len(contents) + section.size > _SIZE_LIMIT:
                    raise LinkError(f"{section.label} takes {section.size} bytes, at most {_SIZE_LIMIT} can be loaded")
                contents += section.data if section.type == SectionType.PROGBITS else bytes(section.size)
            if contents:
                allocation = self.memory.allocate(len(contents), _ALIGNMENT, label=buffer.label)
                self.buffers.append(_Loaded(buffer, allocation, contents))
                self.bases |= {s.index: allocation.address + start for s, start in zip(sections, starts, strict=True)}

    def resolve(self) -> None:
        for index, entries in self.binary.relocations.items():
            target = self.binary.sections[self.binary.sections[index].info]
            for entry in entries:
                if target.name.startswith(".text"):
                    self._patch_text(target, entry)
                elif target.index in self.bases:
                    self._patch_data(target, entry)

    def _patch_text(self, target: Section, entry: Relocation) -> None:
        if entry.type not in _TEXT_FIELDS:
            raise LinkError(f"{target.label}: relocations of type {entry.type_name} are not supported in code")
        size, shift = _TEXT_FIELDS[entry.type]
        value = self._address(target, entry) >> shift & (1 << 8 * size) - 1
        text = self.texts.setdefault(target.index, bytearray(target.data))
        text[entry.offset : entry.offset + size] = value.to_bytes(size, "little")

    def _patch_data(self, target: Section, entry: Relocation) -> None:
        if entry.type not in _DATA_WIDTHS:
            raise LinkError(f"{target.label}: relocations of type {entry.type_name} are not supported in data")
        size, at = _DATA_WIDTHS[entry.type], self.bases[target.index] + entry.offset
        loaded = next(b for b in self.buffers if b.allocation.address <= at < b.allocation.end)
        field = slice(at - loaded.allocation.address, at - loaded.allocation.address + size)
        value = self._address(target, entry) + int.from_bytes(loaded.contents[field], "little")
        loaded.contents[field] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")

    def _address(self, target: Section, entry: Relocation) -> int:
        symbol = self.binary.symbols[entry.symbol]
        if symbol.section_index not in self.bases:
            raise LinkError(f"{target.label} refers to '{symbol.name}', which is no variable of this module")
        return self.bases[symbol.section_index] + symbol.value

    def variables(self) -> dict[str, Variable]:
        symbols = {symbol.name: symbol for symbol in self._exported()}
        found = {name: Variable(self.bases[s.section_index] + s.value, s.size) for name, s in symbols.items()}
        table = [] if self.binary.ze_info is None else self.binary.ze_info.global_host_access_table
        return found | {entry.host_name: found[entry.device_name] for entry in table if entry.device_name in found}

    def _exported(self) -> Iterator[Symbol]:
        for symbol in self.binary.symbols:
            is_variable = symbol.binding == SymbolBinding.GLOBAL and symbol.type == SymbolType.OBJECT
            if is_variable and symbol.section_index in self.bases:
                yield symbol
