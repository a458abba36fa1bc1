"""A ZEBIN as a sequence of text tables. The tables of `.ze_info` follow from the schema."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial

from xegpu.on_demand import dataclass
from zebin.binary.model import Zebin
from zebin.dump.text import inline, printable
from zebin.elf.constants import ABSOLUTE, MACHINE_INTELGT, FileType, name_of
from zebin.elf.model import ElfFile, Relocation, Section, Symbol
from zebin.elf.notes import OWNER, Note
from zebin.elf.tables import TableView
from zebin.errors import excerpt
from zebin.products import config_name, core_name, family_name, legacy_target
from zebin.ze_info.kinds import INT32
from zebin.ze_info.records import ListKind, Record, RecordKind, write_record
from zebin.ze_info.schema import KernelInfo, ZeInfo
from zebin.ze_info.vocabulary import AllocationType

_NO_HEAD = ("", "")
_LISTED = 20
"""Imports that the header of the dump lists."""


@dataclass(frozen=True)
class Table:
    """A titled table of text. Columns in `numbers` are right-aligned."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: frozenset[str] = frozenset()

    def lines(self) -> Iterator[str]:
        """Yields the table as plain text, columns two spaces apart, without a header if the columns have no names.

        Iterates over the rows twice and holds none of them.
        """
        widths = [0] * len(self.columns)
        for row in self._cells():
            widths = [max(width, len(cell)) for width, cell in zip(widths, row, strict=True)]
        right = [column in self.numbers for column in self.columns]
        yield f"{printable(self.title)}:"
        for row in self._cells():
            cells = (
                cell.rjust(width) if align_right else cell.ljust(width)
                for cell, width, align_right in zip(row, widths, right, strict=True)
            )
            yield ("  " + "  ".join(cells)).rstrip()

    def mapped(self, text_of: Callable[[str], str]) -> Table:
        """Returns the table with other texts in its rows; none of them is held."""
        rows = TableView(len(self.rows), lambda index: [text_of(cell) for cell in self.rows[index]])
        return Table(self.title, self.columns, rows, self.numbers)

    def _cells(self) -> Iterator[list[str]]:
        """Yields the header, if there is one, and the rows as printable text."""
        if any(self.columns):
            yield list(self.columns)
        for row in self.rows:
            yield [printable(cell) for cell in row]


TABLE_PARTS = ("file-header", "kernels", "section-headers", "notes", "symbols", "relocations", "ze-info")
"""The parts of a file that have tables, in their order."""


def tables_of(zebin: Zebin, parts: Container[str] = TABLE_PARTS) -> Iterator[Table]:
    """Yields the tables of these parts, those without rows left out."""
    if "file-header" in parts:
        yield _header(zebin)
    if "kernels" in parts and zebin.ze_info is not None and zebin.ze_info.kernels:
        yield _kernels(zebin, zebin.ze_info.kernels)
        yield from grid_tables(zebin)
    if "section-headers" in parts:
        yield _sections(zebin.sections)
    if "notes" in parts and zebin.notes:
        yield _notes(zebin.notes)
    if "symbols" in parts and zebin.symbols:
        yield _symbols(zebin.elf)
    if "relocations" in parts:
        yield from _relocations(zebin.elf)
    if "ze-info" in parts and zebin.ze_info is not None:
        yield from _ze_info(zebin.ze_info)


def _header(zebin: Zebin) -> Table:
    elf = zebin.elf
    rows = [
        ("format", f"ELF{elf.elf_class.bits}, type {name_of(FileType, elf.file_type)}, ABI version {elf.abi_version}"),
        ("target", _target(zebin)),
    ]
    if zebin.ze_info is not None:
        rows.append(("ze_info", f"version {zebin.ze_info.version or 'not stated'}"))
    if zebin.imports:
        names = [excerpt(name) for name in zebin.imports]
        more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        rows.append(("imports", ", ".join(names[:_LISTED]) + more))
    return Table("ZEBIN", _NO_HEAD, rows)


def _kernels(zebin: Zebin, kernels: Sequence[KernelInfo]) -> Table:
    """Returns the resources of the kernels. Sizes are in bytes; `spill`, `private` and `scratch` count per thread."""

    def row(index: int) -> Sequence[str]:
        info = kernels[index]
        env, kernel = info.execution_env, zebin.kernels.get(info.name)
        scratch = sum(buffer.size for buffer in info.per_thread_memory_buffers if buffer.type == AllocationType.SCRATCH)
        spill, private = (0, 0) if kernel is None else (kernel.spill_size, kernel.private_size)
        numbers = (env.simd_size, env.grf_count, info.argument_count, env.slm_size, env.barrier_count)
        cells = map(str, (*numbers, spill, private, scratch))
        return info.name, *cells, "missing" if kernel is None else str(len(kernel.code))

    columns = ("name", "simd", "registers", "arguments", "local", "barriers", "spill", "private", "scratch", "code")
    return Table("Kernels", columns, TableView(len(kernels), row), frozenset(columns[1:]))


def grid_tables(zebin: Zebin, names: Container[str] | None = None) -> Iterator[Table]:
    """Yields a table of the kernels, or of those called `names`, that were made for a number of work-groups."""
    rows = [
        (name, *map(str, kernel.known_grid_size))
        for name, kernel in zebin.kernels.items()
        if kernel.known_grid_size is not None and (names is None or name in names)
    ]
    if rows:
        yield Table("Known grid sizes", ("name", "x", "y", "z"), rows, frozenset("xyz"))


def _target(zebin: Zebin) -> str:
    """Returns the names of the GPU that the file states."""
    elf, target = zebin.elf, zebin.target
    if elf.machine != MACHINE_INTELGT:
        return f"{legacy_target(elf.machine, elf.flags) or elf.machine} (legacy encoding)"
    words = [
        family_name(target.product_family) if target.product_family else "",
        core_name(target.gfx_core) if target.gfx_core else "",
        config_name(target.product_config) if target.product_config else "",
    ]
    return ", ".join(word for word in words if word) or "not stated"


def _sections(sections: Sequence[Section]) -> Table:
    rows = [
        (
            str(section.index),
            section.name,
            section.type_name,
            section.flag_letters,
            f"{section.offset:#x}",
            f"{section.size:#x}",
            str(section.link),
            str(section.info),
        )
        for section in sections
    ]
    columns = ("index", "name", "type", "flags", "offset", "size", "link", "info")
    return Table("Sections", columns, rows, frozenset({"index", "offset", "size", "link", "info"}))


def _notes(notes: Sequence[Note]) -> Table:
    rows = [
        (note.type_name, note.description if note.owner == OWNER else f"owner {note.owner!r}, {note.data.hex(' ')}")
        for note in notes
    ]
    return Table("Notes", ("type", "content"), rows)


def _symbols(elf: ElfFile) -> Table:
    def row(index: int) -> Sequence[str]:
        symbol = elf.symbols[index]
        return (
            str(index),
            symbol.name,
            symbol.scope,
            symbol.type_name,
            _section_name(elf, symbol.section_index),
            f"{symbol.value:#x}",
            f"{symbol.size:#x}",
        )

    columns = ("index", "name", "binding", "type", "section", "value", "size")
    rows = TableView(len(elf.symbols), row)
    return Table("Symbols", columns, rows, frozenset({"index", "value", "size"}))


def _section_name(elf: ElfFile, index: int) -> str:
    if not index:
        return ""
    if index == ABSOLUTE:
        return "ABS"
    return elf.sections[index].name if index < len(elf.sections) else f"{index:#x}"


def _relocations(elf: ElfFile) -> Iterator[Table]:
    columns = ("offset", "type", "symbol", "addend")
    for index, entries in elf.relocations.items():
        section = elf.sections[index]
        title = f"Relocations of {_section_name(elf, section.info)} ({section.name})"
        rows = TableView(len(entries), partial(_relocation, entries, elf.symbols))
        yield Table(title, columns, rows, frozenset({"offset", "addend"}))


def _relocation(entries: Sequence[Relocation], symbols: Sequence[Symbol], index: int) -> Sequence[str]:
    entry = entries[index]
    addend = "" if entry.addend is None else f"{entry.addend:#x}"
    return f"{entry.offset:#x}", entry.type_name, _symbol_name(symbols, entry.symbol), addend


def _symbol_name(symbols: Sequence[Symbol], index: int) -> str:
    name = symbols[index].name if index < len(symbols) else ""
    return name or f"symbol {index}"


def _ze_info(ze_info: ZeInfo) -> Iterator[Table]:
    yield from kernel_tables(ze_info)
    for function in ze_info.functions:
        yield from _record_tables(f"Function {function.name}", function)
    if ze_info.global_host_access_table:
        yield _list_table("global_host_access_table", ze_info.global_host_access_table)


def kernel_tables(ze_info: ZeInfo, names: Container[str] | None = None) -> Iterator[Table]:
    """Yields the `.ze_info` tables of all kernels, or of those called `names`."""
    misc_info = {entry.name: entry for entry in ze_info.kernels_misc_info}
    cost_info = {entry.name: entry for entry in ze_info.kernels_cost_info}
    for kernel in ze_info.kernels:
        if names is None or kernel.name in names:
            for record in (kernel, misc_info.get(kernel.name), cost_info.get(kernel.name)):
                if record is not None:
                    yield from _record_tables(f"Kernel {kernel.name}", record)


def _record_tables(title: str, record: Record) -> Iterator[Table]:
    """Yields a table for each nested record and list. Attributes that the file does not state are left out."""
    for row in record.attributes:
        value = getattr(record, row.name)
        if isinstance(row.kind, RecordKind) and value is not None:
            yield _attribute_table(f"{title}, {row.key}", value)
        elif isinstance(row.kind, ListKind) and value:
            yield _list_table(f"{title}, {row.key}", value)


def _attribute_table(title: str, record: Record) -> Table:
    node = write_record(record)
    return Table(title, _NO_HEAD, [(key, inline(value)) for key, value in node.entries.items()])


def _list_table(title: str, records: Sequence[Record]) -> Table:
    """Returns a table with one row per record and one column for each attribute that any of them states."""
    nodes = [write_record(record) for record in records]
    stated = {key for node in nodes for key in node.entries}
    rows = records[0].attributes
    columns = [row.key for row in rows if row.key in stated]
    columns += sorted(stated.difference(columns))
    numbers = frozenset(row.key for row in rows if row.kind is INT32)
    cells = [[inline(node.entries[key]) if key in node.entries else "" for key in columns] for node in nodes]
    return Table(title, columns, cells, numbers)
