"""A ZEBIN as programs use it: kernels by name, with their code and everything that a launch needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cached_property

from xegpu.on_demand import dataclass
from zebin.contract.linking import SYMBOLS
from zebin.elf.constants import (
    ABSOLUTE,
    ENTRY_SYMBOL,
    FUNCTION_PREFIX,
    GRID_PREFIXES,
    PRINTF_PREFIX,
    STRINGS,
    TEXT_PREFIX,
)
from zebin.elf.model import Buffer, ElfFile, Relocation, Section, Symbol
from zebin.elf.notes import Note, TargetNotes, target_of
from zebin.errors import Finding
from zebin.ze_info.schema import (
    ArgInfo,
    ExecutionEnv,
    KernelInfo,
    PayloadArgument,
    PerThreadMemoryBuffer,
    PerThreadPayloadArgument,
    ZeInfo,
)
from zebin.ze_info.vocabulary import AllocationType, MemoryUsage

_PRIVATE = MemoryUsage.PRIVATE_SPACE

_SPILL_SLOT, _PRIVATE_SLOT = 0, 1

_PAYLOAD_UNIT = 32


@dataclass(frozen=True)
class ZebinKernel:
    """A kernel: its entry in `.ze_info`, its code and its symbols."""

    info: KernelInfo
    section: Section
    args_info: Sequence[ArgInfo]
    symbol: Symbol | None
    entry: Symbol | None
    printf_strings: Sequence[str] = ()
    """The printf format strings of the kernel, in the order of their numbers."""
    known_grid_size: tuple[int, int, int] | None = None
    """The number of work-groups that the kernel was made for, if the binary states it."""

    @property
    def name(self) -> str:
        return self.info.name

    @property
    def text(self) -> Buffer:
        """The complete code section, including its padding."""
        return self.section.data

    @property
    def code(self) -> Buffer:
        """The bytes that the kernel's symbol covers: the section without its padding if the symbol states a size."""
        if self.symbol is None or not self.symbol.size:
            return self.section.data
        return self.section.data[self.symbol.value : self.symbol.value + self.symbol.size]

    @property
    def start(self) -> int:
        """The byte offset of the kernel in its section."""
        return 0 if self.symbol is None else self.symbol.value

    @property
    def entry_offset(self) -> int:
        """The byte offset in `text` at which execution starts once the hardware has loaded the payload registers."""
        return self.entry.value if self.entry is not None else 0

    @property
    def execution_env(self) -> ExecutionEnv:
        return self.info.execution_env

    @property
    def payload_arguments(self) -> Sequence[PayloadArgument]:
        return self.info.payload_arguments

    @property
    def per_thread_payload_arguments(self) -> Sequence[PerThreadPayloadArgument]:
        return self.info.per_thread_payload_arguments

    @property
    def per_thread_memory_buffers(self) -> Sequence[PerThreadMemoryBuffer]:
        return self.info.per_thread_memory_buffers

    @property
    def has_implicit_arguments(self) -> bool:
        """Returns whether code reads implicit arguments in front of the payload, as functions do."""
        return self.execution_env.has_stack_calls or self.execution_env.require_iab

    @property
    def payload_in_memory(self) -> int:
        """The bytes of the cross-thread payload without those that the hardware puts into registers."""
        end = max((argument.offset + argument.size for argument in self.payload_arguments), default=0)
        whole = -(-end // _PAYLOAD_UNIT) * _PAYLOAD_UNIT
        return max(whole - self.execution_env.inline_data_payload_size, 0)

    @property
    def private_memory(self) -> int:
        """The bytes of global memory that each hardware thread has as private memory of its work-items."""
        return self._thread_bytes(lambda buffer: buffer.type == AllocationType.GLOBAL and buffer.usage == _PRIVATE)

    @property
    def scratch(self) -> int:
        """The bytes of scratch space that each hardware thread has."""
        return self._thread_bytes(lambda buffer: buffer.type == AllocationType.SCRATCH)

    @property
    def private_size(self) -> int:
        """The bytes of a hardware thread for private memory, wherever they are.

        `.ze_info` states those in scratch space from version 1.39 on; in older files they are the second slot.
        """
        stated = self.execution_env.private_size if self._states_sizes else self._slot(_PRIVATE_SLOT)
        return stated or self.private_memory

    @property
    def spill_size(self) -> int:
        """The bytes of a hardware thread for values that its registers do not hold."""
        return self.execution_env.spill_size if self._states_sizes else self._slot(_SPILL_SLOT)

    @property
    def _states_sizes(self) -> bool:
        return bool(self.execution_env.private_size or self.execution_env.spill_size)

    def _slot(self, slot: int) -> int:
        return self._thread_bytes(lambda buffer: buffer.type == AllocationType.SCRATCH and buffer.slot == slot)

    def _thread_bytes(self, counts: Callable[[PerThreadMemoryBuffer], bool]) -> int:
        simd_size = self.execution_env.simd_size
        return sum(buffer.thread_bytes(simd_size) for buffer in self.per_thread_memory_buffers if counts(buffer))

    @property
    def argument_count(self) -> int:
        """The number of arguments that the application sets."""
        return self.info.argument_count


@dataclass
class Zebin:
    """The contents of a ZEBIN. `findings` holds what was reported while it was read.

    `ze_info` is None if the file has none or its text could not be read.
    """

    elf: ElfFile
    notes: Sequence[Note]
    ze_info: ZeInfo | None
    findings: Sequence[Finding] = field(default=(), compare=False)

    @property
    def sections(self) -> Sequence[Section]:
        """All sections, starting with the NULL section."""
        return self.elf.sections

    @property
    def symbols(self) -> Sequence[Symbol]:
        return self.elf.symbols

    @property
    def relocations(self) -> dict[int, Sequence[Relocation]]:
        """The entries of each REL and RELA section, by the section's index."""
        return self.elf.relocations

    @cached_property
    def imports(self) -> Sequence[str]:
        """The names that relocations refer to and that other modules must define (zeModuleDynamicLink)."""
        relocated = self.elf.relocated_symbols()
        names = (
            symbol.name
            for index, symbol in enumerate(self.symbols)
            if index in relocated and not symbol.section_index and symbol.name not in SYMBOLS
        )
        return tuple(dict.fromkeys(name for name in names if name))

    @property
    def target(self) -> TargetNotes:
        """The GPU for which the binary is made."""
        return target_of(self.notes)

    @cached_property
    def kernels(self) -> dict[str, ZebinKernel]:
        """The kernels by name, in the order of `.ze_info`, without those that have no code."""
        if self.ze_info is None:
            return {}
        texts = {section.name: section for section in reversed(self.sections)}
        symbols, texts_printed, grids = self.elf.code_symbols(), self._printf_strings(), self._grid_sizes()
        args_info = {entry.name: entry.args_info for entry in self.ze_info.kernels_misc_info}
        kernels: dict[str, ZebinKernel] = {}
        for info in self.ze_info.kernels:
            section = texts.get(TEXT_PREFIX + info.name)
            if section is not None and info.name not in kernels:
                own = symbols.get(section.index, {})
                arguments = args_info.get(info.name, [])
                symbol, entry, strings = own.get(info.name), own.get(ENTRY_SYMBOL), texts_printed.get(info.name, ())
                grid = grids.get(info.name)
                kernels[info.name] = ZebinKernel(info, section, arguments, symbol, entry, strings, grid)
        return kernels

    def _printf_strings(self) -> dict[str, Sequence[str]]:
        """Returns the printf format strings of each kernel that has any."""
        section = self.section(STRINGS)
        if section is None:
            return {}
        found: dict[str, Sequence[str]] = {}
        for symbol in self.symbols:
            if symbol.section_index == section.index and symbol.name.startswith(PRINTF_PREFIX):
                data = bytes(section.data[symbol.value : symbol.value + symbol.size])
                texts = tuple(text.decode(errors="replace") for text in data.split(b"\0")[:-1])
                found.setdefault(symbol.name.removeprefix(PRINTF_PREFIX), texts)
        return found

    def _grid_sizes(self) -> dict[str, tuple[int, int, int]]:
        """Returns the number of work-groups of each kernel that was made for one."""
        found: dict[str, list[int]] = {}
        for symbol in self.symbols:
            if symbol.section_index != ABSOLUTE:
                continue
            for dimension, prefix in enumerate(GRID_PREFIXES):
                if symbol.name.startswith(prefix):
                    found.setdefault(symbol.name.removeprefix(prefix), [1, 1, 1])[dimension] = symbol.value
        return {name: (x, y, z) for name, (x, y, z) in found.items()}

    @property
    def function_addresses(self) -> dict[str, int]:
        """The numbers by which code knows the functions that the host may name, if calls of them are inlined."""
        return {
            symbol.name.removeprefix(FUNCTION_PREFIX): symbol.value
            for symbol in self.symbols
            if symbol.section_index == ABSOLUTE and symbol.name.startswith(FUNCTION_PREFIX)
        }

    def section(self, name: str) -> Section | None:
        """Returns the first section called `name`."""
        return self.elf.find(name)
