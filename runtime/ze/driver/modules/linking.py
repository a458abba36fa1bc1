"""Links a ZEBIN: loads its variables into memory and applies its relocations (ELF gABI, Relocation)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from runtime.ze.driver.modules.functions import FunctionsPlace, functions_by_section, place_functions
from xegpu.on_demand import dataclass
from zebin import contract
from zebin.elf import (
    ENTRY_SYMBOL,
    STRINGS,
    SectionType,
    SymbolBinding,
    SymbolType,
    SymbolVisibility,
)

if TYPE_CHECKING:
    import zebin
    from runtime.simulator import Allocation, Memory
    from zebin.contract import DriverNumber, ModuleBuffer
    from zebin.elf import (
        Relocation,
        Section,
        Symbol,
    )


class LinkError(Exception):
    """A binary that cannot be linked; the text says why."""


@dataclass(frozen=True)
class LinkedVariable:
    """A variable of a loaded module that the host can access: its address, and its size in bytes."""

    address: int
    size: int


@dataclass
class Linked:
    """The memory of a module, which its owner frees, and the symbols in it.

    Attributes:
        memory: The allocations with its variables.
        texts: Its code with addresses in it, by the number of the section.
        variables: Its variables by the names for the host.
        functions: The offsets in bytes of the subroutines in its code, by name, as `calla` takes them.
        own: The offsets of functions in each section of code, by its number.
        shared: The functions that stand behind the code of kernels which call functions by their addresses.
        exports: The variables that other modules may refer to.
        imports: The names that it refers to and does not define.
        imported: The variables of other modules that it was linked with, by the imports.
        open: The relocations that wait for imports.
        bases: The addresses of the loaded sections, by number.
        references: What sections refer to, by their number: others by number, and imports by name.
        buffers: The addresses of its variables, by the types of the payload that have them.
    """

    memory: tuple[Allocation, ...] = ()
    texts: dict[int, bytearray] = field(default_factory=dict)
    variables: Mapping[str, LinkedVariable] = field(default_factory=dict)
    functions: Mapping[str, int] = field(default_factory=dict)
    own: Mapping[int, Sequence[int]] = field(default_factory=dict)
    shared: tuple[FunctionsPlace, ...] = ()
    exports: Mapping[str, LinkedVariable] = field(default_factory=dict)
    imports: tuple[str, ...] = ()
    imported: dict[str, LinkedVariable] = field(default_factory=dict)
    open: list[_Reference] = field(default_factory=list)
    bases: Mapping[int, int] = field(default_factory=dict)
    references: Mapping[int, frozenset[int | str]] = field(default_factory=dict)
    buffers: Mapping[str, int] = field(default_factory=dict)

    def free(self, memory: Memory) -> None:
        """Frees the memory of the module."""
        for allocation in self.memory:
            memory.free(allocation)

    def code_of(self, kernel: zebin.ZebinKernel) -> bytes:
        """Returns the code of a kernel with all addresses in it."""
        text = self.texts.get(kernel.section.index)
        patched = kernel if text is None else replace(kernel, section=replace(kernel.section, data=bytes(text)))
        if not kernel.execution_env.has_stack_calls:
            return bytes(patched.code)
        code = bytes(patched.section.data[kernel.start :])
        for place in self.shared:
            code = code.ljust(place.offset, b"\0") + self.texts[place.section][place.first :]
        return code

    def addresses_of(self, kernel: zebin.ZebinKernel) -> Iterator[int]:
        """Yields an address in each variable or section of variables that a kernel refers to, or what it refers to."""
        yield from {self.buffers[a.arg_type] for a in kernel.payload_arguments if a.arg_type in self.buffers}
        shared = self.shared if kernel.execution_env.has_stack_calls else ()
        pending: list[int | str] = [kernel.section.index, *(place.section for place in shared)]
        seen = set(pending)
        while pending:
            place = pending.pop()
            if isinstance(place, str):
                yield self.imported[place].address
                continue
            if place in self.bases:
                yield self.bases[place]
            new = self.references.get(place, frozenset()) - seen
            seen |= new
            pending += new

    def functions_of(self, kernel: zebin.ZebinKernel) -> tuple[int, ...]:
        """Returns the offsets in the code of a kernel of functions that it calls, in its section and in others."""
        if not kernel.execution_env.has_stack_calls:
            return ()
        own = self.own.get(kernel.section.index, ())
        behind = [offset - kernel.start for offset in own if offset > kernel.start]
        shared = [place.offset + offset for place in self.shared for offset in place.behind(self.own[place.section])]
        return (*sorted(behind), *shared)

    def resolve(self, exports: Mapping[str, LinkedVariable], memory: Memory) -> None:
        """Applies the relocations that wait for imports; `exports` must have all of them."""
        self.imported = {name: exports[name] for name in self.imports}
        for reference in self.open:
            reference.put(exports[reference.symbol].address, memory)
        self.open.clear()


@dataclass(frozen=True)
class _Reference:
    """A relocation: bytes of code or data, from `offset` on, that receive part of the address of `symbol`.

    `contents` has the bytes; for data, `allocation` is the memory that they are loaded to, and they hold the addend.
    """

    symbol: str
    contents: bytearray
    offset: int
    size: int
    shift: int
    allocation: Allocation | None

    def put(self, address: int, memory: Memory | None = None) -> None:
        """Writes the address; with `memory`, to the loaded data too."""
        place = slice(self.offset, self.offset + self.size)
        if self.allocation is not None:
            address += int.from_bytes(self.contents[place], "little")
        value = (address >> self.shift & (1 << 8 * self.size) - 1).to_bytes(self.size, "little")
        self.contents[place] = value
        if self.allocation is not None and memory is not None:
            memory.write(self.allocation, self.offset, value)


_ALIGNMENT = 4096

_SIZE_LIMIT = 1 << 32

Numbers = Callable[["Section"], Mapping["DriverNumber", int]]
"""Returns the numbers that a driver writes into a section of code."""


def link(binary: zebin.Zebin, memory: Memory, numbers: Numbers) -> Linked:
    """Allocates and fills the buffers of a module, and applies its relocations.

    Raises:
        LinkError: A relocation cannot be resolved; nothing stays allocated.
        MemoryError: There is no room.
    """
    linker = _Linker(binary, memory, numbers)
    try:
        linker.load()
        linker.resolve()
    except (LinkError, MemoryError):
        for loaded in linker.buffers:
            memory.free(loaded.allocation)
        raise
    for loaded in linker.buffers:
        loaded.fill(memory)
    return Linked(
        tuple(loaded.allocation for loaded in linker.buffers),
        linker.texts,
        linker.variables(),
        linker.functions(),
        functions_by_section(binary),
        linker.shared,
        linker.exports(),
        tuple(dict.fromkeys(reference.symbol for reference in linker.open)),
        open=linker.open,
        bases=linker.bases,
        references=linker.references(),
        buffers={loaded.buffer.base: loaded.allocation.address for loaded in linker.buffers},
    )


@dataclass(frozen=True)
class _Loaded:
    """An allocated buffer, and its contents."""

    buffer: ModuleBuffer
    allocation: Allocation
    contents: bytearray

    def fill(self, memory: Memory) -> None:
        self.allocation.view()[:] = self.contents
        if not self.buffer.writable:
            memory.protect(self.allocation)


class _Linker:
    """The state of linking: `bases` are the addresses of loaded sections by their numbers, `open` waits for other
    modules.
    """

    def __init__(self, binary: zebin.Zebin, memory: Memory, numbers: Numbers):
        self.binary, self.memory, self.numbers = binary, memory, numbers
        self.buffers: list[_Loaded] = []
        self.bases: dict[int, int] = {}
        self.texts: dict[int, bytearray] = {}
        self.open: list[_Reference] = []
        self.shared = place_functions(binary)
        for place in self.shared:
            self.texts[place.section] = bytearray(binary.sections[place.section].data)
            self.bases[place.section] = place.offset - place.first

    def load(self) -> None:
        """Loads the sections of variables, and texts if code takes their addresses, as native code does."""
        entries = (entry for entries in self.binary.relocations.values() for entry in entries)
        addressed = {self.binary.symbols[entry.symbol].section_index for entry in entries}
        for buffer in contract.BUFFERS:
            found = [section for name in buffer.sections if (section := self.binary.section(name)) is not None]
            sections = [section for section in found if section.name != STRINGS or section.index in addressed]
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
        part = contract.RELOCATIONS[entry.type]
        if not part.in_code:
            raise LinkError(f"{target.label}: relocations of type {entry.type_name} are not supported in code")
        text = self.texts.setdefault(target.index, bytearray(target.data))
        self._put(target, entry, _Reference(self._name(entry), text, entry.offset, part.width, part.shift, None))

    def _patch_data(self, target: Section, entry: Relocation) -> None:
        part = contract.RELOCATIONS[entry.type]
        if not part.in_data:
            raise LinkError(f"{target.label}: relocations of type {entry.type_name} are not supported in data")
        at = self.bases[target.index] + entry.offset
        loaded = next(b for b in self.buffers if b.allocation.address <= at < b.allocation.end)
        offset = at - loaded.allocation.address
        reference = _Reference(self._name(entry), loaded.contents, offset, part.width, part.shift, loaded.allocation)
        self._put(target, entry, reference)

    def _name(self, entry: Relocation) -> str:
        return self.binary.symbols[entry.symbol].name

    def _put(self, target: Section, entry: Relocation, reference: _Reference) -> None:
        """Applies a relocation now, or keeps it until the module is linked with others."""
        symbol = self.binary.symbols[entry.symbol]
        number = contract.number_of(entry.type, symbol)
        if number is not None:
            reference.put(self.numbers(target)[number])
        elif symbol.section_index == target.index and symbol.type == SymbolType.FUNC and target.index not in self.bases:
            reference.put(symbol.value)
        elif symbol.section_index in self.bases:
            reference.put(self.bases[symbol.section_index] + symbol.value)
        elif symbol.section_index == 0 and symbol.binding != SymbolBinding.LOCAL and symbol.name:
            self.open.append(reference)
        else:
            raise LinkError(f"{target.label} refers to '{symbol.name}', which is nothing that has an address")

    def references(self) -> dict[int, frozenset[int | str]]:
        found: dict[int, set[int | str]] = {}
        for index, entries in self.binary.relocations.items():
            symbols = [self.binary.symbols[entry.symbol] for entry in entries]
            own = found.setdefault(self.binary.sections[index].info, set())
            own.update(symbol.section_index or symbol.name for symbol in symbols)
        return {section: frozenset(own) for section, own in found.items()}

    def variables(self) -> dict[str, LinkedVariable]:
        found = self.exports()
        table = [] if self.binary.ze_info is None else self.binary.ze_info.global_host_access_table
        return found | {entry.host_name: found[entry.device_name] for entry in table if entry.device_name in found}

    def exports(self) -> dict[str, LinkedVariable]:
        return {s.name: LinkedVariable(self.bases[s.section_index] + s.value, s.size) for s in self._exported()}

    def functions(self) -> dict[str, int]:
        """Returns the offsets of kernels, which begin at `_entry`, and of other functions.

        They stand in the section of a kernel, or where those are that all kernels may call.
        """
        places = {kernel.section.index: kernel for kernel in self.binary.kernels.values()}
        found = {kernel.name: kernel.entry_offset for kernel in places.values()} | self.binary.function_addresses
        behind = {place.section: place.offset - place.first for place in self.shared}
        for symbol in self.binary.symbols:
            is_code = symbol.section_index in places or symbol.section_index in behind
            if symbol.type == SymbolType.FUNC and is_code and symbol.name != ENTRY_SYMBOL:
                found.setdefault(symbol.name, symbol.value + behind.get(symbol.section_index, 0))
        return found

    def _exported(self) -> Iterator[Symbol]:
        for symbol in self.binary.symbols:
            is_variable = symbol.binding == SymbolBinding.GLOBAL and symbol.type == SymbolType.OBJECT
            is_visible = symbol.visibility in (SymbolVisibility.DEFAULT, SymbolVisibility.PROTECTED)
            if is_variable and is_visible and symbol.section_index in self.bases:
                yield symbol
