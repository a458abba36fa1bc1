"""Broken notes, symbols and relocations."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest

from tests.unit.zebin.support import (
    NOTES,
    VERSION_NOTE,
    Image,
    container,
    expect,
    findings,
    sample,
    with_external_function,
)
from tests.unit.zebin.test_malformed_elf import KERNEL
from zebin import FindingSeverity, read, write
from zebin.dump import as_json, tables_of
from zebin.elf.constants import (
    ABSOLUTE,
    NoteType,
    RelocationType,
    SectionFlags,
    SectionType,
    SymbolBinding,
    SymbolType,
)
from zebin.elf.model import Section, Symbol
from zebin.elf.notes import Note, write_notes

ERROR, WARNING, INFO = FindingSeverity.ERROR, FindingSeverity.WARNING, FindingSeverity.INFO
PVC = NOTES[0]


def version(text: bytes) -> list[Note]:
    return [*NOTES[:3], Note(NoteType.ZEBIN_VERSION, text)]


RECORDS = write_notes(NOTES)

NOTE_FAULTS: dict[str, tuple[bytes, FindingSeverity, str]] = {
    "empty": (b"", ERROR, "note.missing"),
    "cut short": (RECORDS[:-8], ERROR, "note.truncated"),
    "without the last padding": (RECORDS[:-1], ERROR, "note.truncated"),
    "half a record header": (RECORDS + bytes(11), ERROR, "note.truncated"),
    "huge content": (struct.pack("<III", 8, 0xFFFFFFFF, 1) + b"IntelGT\0", ERROR, "note.truncated"),
    "huge owner": (struct.pack("<III", 0x7FFFFFFF, 4, 1) + b"IntelGT\0", ERROR, "note.truncated"),
    "another owner": (write_notes([Note(1, bytes(4), b"ImtelGT\0"), *NOTES]), WARNING, "note.owner"),
    "only another owner": (write_notes([Note(1, bytes(4), b"ImtelGT\0")]), ERROR, "target.none"),
    "owner without end": (write_notes([Note(1, bytes(4), b"IntelGT"), *NOTES]), WARNING, "note.owner"),
    "no owner": (write_notes([Note(1, bytes(4), b""), *NOTES]), WARNING, "note.owner"),
    "unknown type": (write_notes([*NOTES, Note(99, bytes(4))]), WARNING, "note.type"),
    "number of no bytes": (write_notes([*NOTES[1:], Note(1, b"")]), ERROR, "note.size"),
    "number of two bytes": (write_notes([*NOTES[1:], Note(1, b"\1\2")]), ERROR, "note.size"),
    "number of eight bytes": (write_notes([*NOTES[1:], Note(1, bytes(8))]), ERROR, "note.size"),
    "version without end": (write_notes(version(b"1.61")), WARNING, "note.version"),
    "version of no bytes": (write_notes(version(b"")), ERROR, "note.version"),
    "empty version": (write_notes(version(b"\0")), ERROR, "note.version"),
    "version in words": (write_notes(version(b"abc\0")), ERROR, "note.version"),
    "version with more behind it": (write_notes(version(b"1.61junk\0")), ERROR, "note.version"),
    "version 2": (write_notes(version(b"2.0\0")), ERROR, "note.version"),
    "other version than the text": (write_notes(version(b"1.20\0")), WARNING, "version.mismatch"),
    "twice": (write_notes([*NOTES, PVC]), WARNING, "note.duplicate"),
    "too many": (write_notes([PVC] * 1001), ERROR, "note.limit"),
    "no target": (write_notes([VERSION_NOTE]), ERROR, "target.none"),
    "unknown product": (write_notes([Note.of_word(NoteType.PRODUCT_FAMILY, 9999)]), WARNING, "target.unknown"),
    "unknown core": (write_notes([Note.of_word(NoteType.GFXCORE_FAMILY, 0xFFF)]), WARNING, "target.unknown"),
    "product and core differ": (
        write_notes([PVC, Note.of_word(NoteType.GFXCORE_FAMILY, 0xC07)]),
        WARNING,
        "target.unknown",
    ),
    "reserved metadata": (
        write_notes([PVC, Note.of_word(NoteType.TARGET_METADATA, 0x01008000)]),
        WARNING,
        "target.metadata",
    ),
    "padding": (RECORDS[:-1] + b"\1", INFO, "note.padding"),
}


@pytest.mark.parametrize(("notes", "severity", "code"), NOTE_FAULTS.values(), ids=NOTE_FAULTS)
def test_note(notes: bytes, severity: FindingSeverity, code: str) -> None:
    expect(container(KERNEL, notes=notes), severity, code)


def test_the_last_of_two_notes_counts() -> None:
    notes = write_notes([Note.of_word(NoteType.PRODUCT_FAMILY, 1270), PVC])
    assert read(container(KERNEL, notes=notes)).target.product_family == 1271


def test_no_notes_at_all() -> None:
    image = Image(container(KERNEL))
    image.section(".note.intelgt.compat", type=SectionType.NULL)
    expect(image.bytes, ERROR, "note.missing")


def test_metrics_may_hold_anything() -> None:
    metrics = Section(".note.intelgt.metrics", SectionType.NOTE, data=b"\xff" * 61)
    assert findings(container(KERNEL, extra=[metrics])) == []


Damage = Callable[[Image], object]
TABLE = sample("const_table.pvc.zebin")
"""Locals 1 to 6 are three kernels and their entries, 7 to 9 are globals."""

SYMBOL_FAULTS: dict[str, tuple[Damage, FindingSeverity, str]] = {
    "entry size of 32 bits": (lambda i: i.section(".symtab", entsize=16), ERROR, "sym.entsize"),
    "entry size 0": (lambda i: i.section(".symtab", entsize=0), ERROR, "sym.entsize"),
    "half a symbol": (lambda i: i.section(".symtab", size=24 * 4 + 12), ERROR, "sym.size"),
    "names elsewhere": (lambda i: i.section(".symtab", link=1), WARNING, "sym.link"),
    "name past the string table": (lambda i: i.symbol(7, name=1 << 30), ERROR, "sym.name-bounds"),
    "section past the end": (lambda i: i.symbol(7, shndx=200), ERROR, "sym.section"),
    "absolute": (lambda i: i.symbol(7, shndx=0xFFF1), ERROR, "sym.absolute"),
    "section 0xffff": (lambda i: i.symbol(7, shndx=0xFFFF), ERROR, "sym.section"),
    "past its section": (lambda i: i.symbol(7, value=1 << 20), ERROR, "sym.bounds"),
    "size wraps": (lambda i: i.symbol(7, size=(1 << 64) - 1), ERROR, "sym.bounds"),
    "binding 9": (lambda i: i.symbol(7, info=0x91), ERROR, "sym.info"),
    "type 13": (lambda i: i.symbol(7, info=0x1D), ERROR, "sym.info"),
    "local behind global": (lambda i: i.symbol(8, info=0x01), WARNING, "sym.order"),
    "count of locals": (lambda i: i.section(".symtab", info=2), WARNING, "sym.order"),
    "symbol 0": (lambda i: i.symbol(0, value=1), WARNING, "sym.null"),
    "global kernel": (lambda i: i.symbol(1, info=0x12), ERROR, "sym.global-kernel"),
    "kernel without symbol": (lambda i: i.symbol(1, name=0), WARNING, "sym.kernel"),
    "kernel that starts late": (lambda i: i.symbol(1, value=8), WARNING, "sym.kernel"),
    "kernel of no size": (lambda i: i.symbol(1, size=0), WARNING, "sym.kernel"),
    "entry outside the kernel": (lambda i: i.symbol(1, size=16), WARNING, "sym.kernel"),
    "kernel outside the code": (lambda i: i.symbol(1, shndx=i.index(".symtab")), ERROR, "sym.function"),
    "kernel in no section": (lambda i: i.symbol(1, shndx=0), ERROR, "sym.function"),
    "file": (lambda i: i.symbol(7, info=0x04), ERROR, "sym.info"),
    "weak": (lambda i: i.symbol(7, info=0x21), ERROR, "sym.info"),
    "in the names": (lambda i: i.symbol(7, shndx=i.index(".strtab"), value=0, size=1), ERROR, "sym.section"),
    "undefined and without a name": (lambda i: i.symbol(7, shndx=0, name=0), ERROR, "sym.undefined"),
    "imported": (lambda i: i.symbol(7, shndx=0), INFO, "sym.import"),
}


@pytest.mark.parametrize(("damage", "severity", "code"), SYMBOL_FAULTS.values(), ids=SYMBOL_FAULTS)
def test_symbol(damage: Damage, severity: FindingSeverity, code: str) -> None:
    image = Image(TABLE)
    damage(image)
    expect(image.bytes, severity, code)


def test_two_globals_of_one_name() -> None:
    names = [Symbol(""), Symbol("x", SymbolBinding.GLOBAL, section_index=1), Symbol("x", SymbolBinding.GLOBAL)]
    expect(container(KERNEL, symbols=names), ERROR, "sym.duplicate")


def test_an_undefined_symbol_that_nobody_needs() -> None:
    expect(container(KERNEL, symbols=[Symbol(""), Symbol("x", SymbolBinding.GLOBAL)]), WARNING, "sym.undefined")


def test_a_module_that_imports_a_function_is_fine() -> None:
    image = Image(TABLE)
    image.symbol(7, shndx=0).symbol(8, shndx=0)
    binary = read(image.bytes)
    assert binary.imports == tuple(binary.symbols[index].name for index in (7, 8))
    assert {finding.severity for finding in binary.findings} == {INFO}
    assert [finding.code for finding in binary.findings].count("sym.import") == 2
    assert as_json(binary)["imports"] == binary.imports
    assert ("imports", ", ".join(map(repr, binary.imports))) in next(tables_of(binary)).rows


def test_a_function_that_is_called_and_not_described() -> None:
    binary = read(with_external_function())
    assert binary.ze_info is not None
    binary.ze_info.functions[0].name = "other"
    expect(write(binary), ERROR, "func.missing")


def test_code_that_calls_and_is_not_described() -> None:
    binary = read(with_external_function())
    assert binary.ze_info is not None
    binary.ze_info.kernels = [kernel for kernel in binary.ze_info.kernels if kernel.name != "k"]
    expect(write(binary), ERROR, "text.unlisted")


def test_relocations_of_debug_information_that_are_applied_to_code() -> None:
    image = Image(sample("vadd-debug.pvc.zebin"))
    image.section(".rela.debug_info", info=image.index(".text.vadd"))
    expect(image.bytes, ERROR, "sym.section")


def test_symbols_that_the_driver_defines() -> None:
    names = [Symbol(""), Symbol("__INTEL_PER_THREAD_OFF", SymbolBinding.GLOBAL)]
    assert "sym.undefined" not in {f.code for f in findings(container(KERNEL, symbols=names))}


@pytest.mark.parametrize(
    ("symbol", "code"),
    [
        (Symbol("n", section_index=ABSOLUTE, value=7), None),
        (Symbol("n", SymbolBinding.GLOBAL, section_index=ABSOLUTE, value=7), "sym.absolute"),
        (Symbol("known_grid_size.x.k", section_index=ABSOLUTE, value=(1 << 32) - 1), None),
        (Symbol("known_grid_size.y.k", section_index=ABSOLUTE), "sym.grid"),
        (Symbol("known_grid_size.z.k", section_index=ABSOLUTE, value=1 << 32), "sym.grid"),
    ],
    ids=["local", "global", "as many groups as there can be", "no group", "too many groups"],
)
def test_an_absolute_symbol(symbol: Symbol, code: str | None) -> None:
    data = container(KERNEL, symbols=[Symbol(""), symbol])
    if code is None:
        assert not {f.code for f in findings(data)} & {"sym.absolute", "sym.grid", "sym.section"}
    else:
        expect(data, ERROR, code)


def test_a_dimension_of_the_grid_that_is_not_stated_is_one() -> None:
    symbols = [Symbol(""), Symbol("known_grid_size.y.k", section_index=ABSOLUTE, value=3)]
    (kernel,) = read(container(KERNEL, symbols=symbols), lenient=True).kernels.values()
    assert kernel.known_grid_size == (1, 3, 1)


def test_variables_of_zero_data_continue_those_of_initialised_data() -> None:
    extra = [
        Section(".data.global", SectionType.PROGBITS, SectionFlags.ALLOC, bytes(16)),
        Section(".bss.global", SectionType.NOBITS, size=4000),
    ]

    def with_symbol(value: int) -> bytes:
        symbol = Symbol("x", SymbolBinding.GLOBAL, SymbolType.OBJECT, 2, value, 4)
        return container(KERNEL, extra=extra, symbols=[Symbol(""), symbol])

    assert "sym.bounds" not in {f.code for f in findings(with_symbol(4012))}
    expect(with_symbol(4013), ERROR, "sym.bounds")


TEXT_RELOCATIONS = ".rel.text.weigh"

RELOCATION_FAULTS: dict[str, tuple[Damage, FindingSeverity, str]] = {
    "entry size of RELA": (lambda i: i.section(TEXT_RELOCATIONS, entsize=24), ERROR, "rel.entsize"),
    "half an entry": (lambda i: i.section(TEXT_RELOCATIONS, size=24), ERROR, "rel.size"),
    "target 0": (lambda i: i.section(TEXT_RELOCATIONS, info=0), ERROR, "rel.target"),
    "target past the end": (lambda i: i.section(TEXT_RELOCATIONS, info=99), ERROR, "rel.target"),
    "target is ze_info": (lambda i: i.section(TEXT_RELOCATIONS, info=i.index(".ze_info")), ERROR, "rel.target"),
    "other link": (lambda i: i.section(TEXT_RELOCATIONS, link=1), WARNING, "rel.link"),
    "past its target": (lambda i: i.relocation(TEXT_RELOCATIONS, 0, offset=1 << 20), ERROR, "rel.bounds"),
    "offset wraps": (lambda i: i.relocation(TEXT_RELOCATIONS, 0, offset=(1 << 64) - 2), ERROR, "rel.bounds"),
    "symbol past the end": (lambda i: i.relocation(TEXT_RELOCATIONS, 0, info=99 << 32 | 2), ERROR, "rel.symbol"),
    "symbol 2^31": (lambda i: i.relocation(TEXT_RELOCATIONS, 0, info=1 << 63 | 2), ERROR, "rel.symbol"),
    "address of symbol 0": (lambda i: i.relocation(TEXT_RELOCATIONS, 0, info=2), ERROR, "rel.symbol"),
    "nothing of symbol 0": (lambda i: i.relocation(TEXT_RELOCATIONS, 0, info=0), ERROR, "rel.symbol"),
    "type 99": (lambda i: i.relocation(TEXT_RELOCATIONS, 0, info=7 << 32 | 99), ERROR, "rel.type"),
    "type 5 in code": (lambda i: i.relocation(TEXT_RELOCATIONS, 0, info=7 << 32 | 5), ERROR, "rel.unsupported"),
    "address of a local symbol": (lambda i: i.symbol(7, info=SymbolType.OBJECT), ERROR, "rel.local"),
    "half an address": (lambda i: i.relocation(TEXT_RELOCATIONS, 0, info=7 << 32 | 3), WARNING, "rel.pair"),
    "two on one field": (lambda i: i.relocation(TEXT_RELOCATIONS, 0, offset=0x1CC), WARNING, "rel.overlap"),
    "name of another target": (lambda i: i.section(TEXT_RELOCATIONS, info=2), WARNING, "rel.name"),
    "no symbols": (lambda i: i.section(".symtab", type=0), ERROR, "rel.no-symtab"),
    "no addends for debug data": (
        lambda i: i.section(TEXT_RELOCATIONS, type=SectionType.RELA, entsize=24, size=24),
        WARNING,
        "rel.kind",
    ),
}


@pytest.mark.parametrize(("damage", "severity", "code"), RELOCATION_FAULTS.values(), ids=RELOCATION_FAULTS)
def test_relocation(damage: Damage, severity: FindingSeverity, code: str) -> None:
    image = Image(TABLE)
    damage(image)
    expect(image.bytes, severity, code)


def test_relocations_of_the_compiler() -> None:
    zebin = read(TABLE)
    section = zebin.section(TEXT_RELOCATIONS)
    assert section is not None
    first, second = zebin.relocations[section.index][:2]
    assert (first.offset, first.type, zebin.symbols[first.symbol].name) == (
        0x1BC,
        RelocationType.SYM_ADDR_32,
        "weights",
    )
    assert (second.offset, second.type) == (0x1CC, RelocationType.SYM_ADDR_32_HI)
    assert first.addend is None


def test_payload_offset_needs_no_symbol() -> None:
    expect(sample("vadd-tools.dg2.zebin"), INFO, "rel.payload-offset")
