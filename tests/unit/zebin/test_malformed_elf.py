"""Broken files and headers: each fault is named by its own code, and nothing else happens."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest

from tests.unit.zebin.support import Image, container, expect, findings, sample
from zebin import FindingSeverity, ZebinError, read
from zebin.elf.constants import SectionFlags, SectionType
from zebin.elf.model import ElfClass, Section

ERROR, WARNING, INFO = FindingSeverity.ERROR, FindingSeverity.WARNING, FindingSeverity.INFO
VADD = sample("vadd.pvc.zebin")
KERNEL = """---
version:         '1.61'
kernels:
  - name:            k
    execution_env:
      grf_count:       128
      simd_size:       16
...
"""

Damage = Callable[[Image], object]

HEADER_FAULTS: dict[str, tuple[Damage, FindingSeverity, str]] = {
    "class 3": (lambda i: i.ident(4, 3), ERROR, "elf.class"),
    "class 0": (lambda i: i.ident(4, 0), ERROR, "elf.class"),
    "32-bit class on a 64-bit file": (lambda i: i.ident(4, 1), ERROR, "elf.no-sections"),
    "big-endian": (lambda i: i.ident(5, 2), ERROR, "elf.endian"),
    "identification version": (lambda i: i.ident(6, 0), WARNING, "elf.version"),
    "ABI version 9": (lambda i: i.ident(8, 9), WARNING, "elf.abiversion"),
    "file version": (lambda i: i.header(version=2), WARNING, "elf.version"),
    "header size": (lambda i: i.header(ehsize=52), WARNING, "elf.ehsize"),
    "flags": (lambda i: i.header(flags=1), WARNING, "elf.flags"),
    "executable": (lambda i: i.header(type=2), ERROR, "elf.type"),
    "shared object": (lambda i: i.header(type=3), ERROR, "elf.type"),
    "unlinked ZEBIN type": (lambda i: i.header(type=0xFF11), ERROR, "elf.type"),
    "linked ZEBIN": (lambda i: i.header(type=0xFF12), INFO, "elf.type"),
    "x86-64": (lambda i: i.header(machine=62), ERROR, "elf.machine"),
    "legacy product number": (lambda i: i.header(machine=1271), WARNING, "elf.machine-legacy"),
    "legacy core number": (lambda i: i.header(machine=0xC08, flags=0x8000), WARNING, "elf.machine-legacy"),
    "section table past the end": (lambda i: i.header(shoff=1 << 32), ERROR, "elf.shtab-bounds"),
    "section table that wraps": (lambda i: i.header(shoff=(1 << 64) - 8), ERROR, "elf.shtab-bounds"),
    "section table at 0": (lambda i: i.header(shoff=0), ERROR, "elf.shtab-overlap"),
    "section table in the header": (lambda i: i.header(shoff=16), ERROR, "elf.shtab-overlap"),
    "no sections": (lambda i: i.header(shnum=0), ERROR, "elf.no-sections"),
    "too many sections": (lambda i: i.header(shnum=0xFFFF), ERROR, "elf.shtab-bounds"),
    "section header size 0": (lambda i: i.header(shentsize=0), ERROR, "elf.shentsize"),
    "section header size 40": (lambda i: i.header(shentsize=40), ERROR, "elf.shentsize"),
    "program headers past the end": (
        lambda i: i.header(phnum=3, phoff=1 << 40, phentsize=56),
        ERROR,
        "elf.phdr-bounds",
    ),
    "no program headers, past the end": (lambda i: i.header(phoff=1 << 40), ERROR, "elf.phdr-bounds"),
    "program headers of no size": (lambda i: i.header(phnum=3, phoff=64, phentsize=0), ERROR, "elf.phdr-bounds"),
    "program headers in the file": (lambda i: i.header(phnum=1, phoff=64, phentsize=56), WARNING, "elf.phdr"),
    "string table 0": (lambda i: i.header(shstrndx=0), ERROR, "elf.shstrndx"),
    "string table past the end": (lambda i: i.header(shstrndx=8), ERROR, "elf.shstrndx"),
    "string table 0xffff": (lambda i: i.header(shstrndx=0xFFFF), ERROR, "elf.shstrndx"),
    "string table is code": (lambda i: i.header(shstrndx=1), ERROR, "elf.shstrndx-type"),
}


@pytest.mark.parametrize(("damage", "severity", "code"), HEADER_FAULTS.values(), ids=HEADER_FAULTS)
def test_header(damage: Damage, severity: FindingSeverity, code: str) -> None:
    image = Image(VADD)
    damage(image)
    expect(image.bytes, severity, code)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file.foreign"),
        (VADD[:3], "elf.short"),
        (VADD[:15], "elf.short"),
        (VADD[:51], "elf.short"),
        (VADD[:63], "elf.short"),
        (sample("vadd-m32.dg2.zebin")[:51], "elf.short"),
        (VADD[: len(VADD) // 2], "elf.shtab-bounds"),
        (VADD[:-1], "elf.shtab-bounds"),
        (b"\x03\x02\x23\x07" + bytes(100), "file.foreign"),
        (b"\x7fELG" + bytes(100), "file.foreign"),
        (sample("vadd.fat.ar"), "ar.device"),
    ],
)
def test_short_or_foreign_file(data: bytes, code: str) -> None:
    expect(data, ERROR, code)


def test_a_foreign_file_is_named() -> None:
    assert "fat binary" in str(expect(sample("vadd.fat.ar"), ERROR, "ar.device"))


def test_trailing_bytes_are_a_remark() -> None:
    finding = expect(VADD + bytes(10), INFO, "elf.trailing")
    assert finding.offset == len(VADD)


def test_a_segment_past_the_end() -> None:
    segments = struct.pack("<IIQQQQQQ", 1, 4, len(VADD), 0, 0, 1 << 40, 0, 0)
    image = Image(VADD + segments)
    image.header(phnum=1, phoff=len(VADD), phentsize=56)
    expect(image.bytes, ERROR, "elf.phdr-bounds")


def test_a_finding_says_where_what_and_what_was_expected() -> None:
    finding = expect(Image(VADD).header(shstrndx=8).bytes, ERROR, "elf.shstrndx")
    assert (finding.offset, finding.found, finding.expected) == (62, "8", "1 to 7")
    assert str(finding) == (
        "0x3e: error: e_shstrndx is not the index of a section: found 8, expected 1 to 7 [elf.shstrndx]"
    )


def test_an_error_carries_all_findings() -> None:
    image = Image(VADD).ident(6, 0).header(type=2, machine=62)
    with pytest.raises(ZebinError, match="and 1 more") as caught:
        read(image.bytes)
    assert [f.code for f in caught.value.findings] == ["elf.version", "elf.type", "elf.machine"]
    assert caught.value.finding.code == "elf.type"


SECTION_FAULTS: dict[str, tuple[Damage, FindingSeverity, str]] = {
    "offset past the end": (lambda i: i.section(".spv", offset=1 << 20), ERROR, "sec.bounds"),
    "size past the end": (lambda i: i.section(".spv", size=1 << 63), ERROR, "sec.bounds"),
    "offset and size wrap": (lambda i: i.section(".spv", offset=(1 << 64) - 8, size=16), ERROR, "sec.bounds"),
    "string table past the end": (lambda i: i.section(".strtab", size=1 << 40), ERROR, "sec.bounds"),
    "overlap": (lambda i: i.section(".spv", offset=0x50), ERROR, "sec.overlap"),
    "overlap with the header": (lambda i: i.section(".spv", offset=0x10), ERROR, "sec.overlap"),
    "name past the string table": (lambda i: i.section(".spv", name=1 << 20), ERROR, "sec.name-bounds"),
    "string table without end": (lambda i: i.section(".strtab", size=0x60), ERROR, "str.unterminated"),
    "string table without start": (lambda i: i.content(".strtab", 0, b"x"), WARNING, "str.first"),
    "name that is not UTF-8": (lambda i: i.content(".strtab", 0x14, b".sp\xff"), ERROR, "sec.name-encoding"),
    "unknown type": (lambda i: i.section(".spv", type=0xFF000019), ERROR, "sec.type"),
    "extended indices": (lambda i: i.section(".spv", type=18), ERROR, "sec.type"),
    "unknown data": (lambda i: i.content(".strtab", 0x14, b".foo").section(".spv", type=1), ERROR, "sec.name"),
    "ze_info as data": (lambda i: i.section(".ze_info", type=1), ERROR, "sec.type-mismatch"),
    "symbols as strings": (lambda i: i.section(".symtab", type=3), ERROR, "sec.type-mismatch"),
    "ze_info under another name": (lambda i: i.content(".strtab", 0x2F, b".zz_info"), WARNING, "sec.name"),
    "no ze_info": (lambda i: i.section(".ze_info", type=0), WARNING, "ze_info.missing"),
    "text of another kernel": (lambda i: i.content(".strtab", 0x1, b".text.vsub"), ERROR, "kernel.no-text"),
    "text that is not listed": (lambda i: i.content(".strtab", 0x1, b".text.vsub"), WARNING, "text.unlisted"),
    "empty text": (lambda i: i.section(".text.vadd", size=0), ERROR, "text.empty"),
    "text without tail": (lambda i: i.section(".text.vadd", size=0x1E0), WARNING, "text.padding"),
    "odd text": (lambda i: i.section(".text.vadd", size=0x27F), WARNING, "text.size"),
    "text that is not executable": (lambda i: i.section(".text.vadd", flags=2), WARNING, "sec.flags"),
    "SPIR-V of odd size": (lambda i: i.section(".spv", size=0x503), WARNING, "spv.magic"),
    "no SPIR-V": (lambda i: i.content(".spv", 0, b"\0"), WARNING, "spv.magic"),
    "section 0 past the end": (lambda i: i.section(0, offset=1 << 30), ERROR, "sec.bounds"),
    "section 0 larger than the file": (lambda i: i.section(0, size=1 << 30), ERROR, "sec.bounds"),
    "section 0": (lambda i: i.section(0, type=7), ERROR, "sec.null"),
    "note of another name": (lambda i: i.content(".strtab", 0x19, b".note.intelgt.metricz"), WARNING, "sec.unknown"),
}


@pytest.mark.parametrize(("damage", "severity", "code"), SECTION_FAULTS.values(), ids=SECTION_FAULTS)
def test_section(damage: Damage, severity: FindingSeverity, code: str) -> None:
    image = Image(VADD)
    damage(image)
    expect(image.bytes, severity, code)


EXECUTABLE = SectionFlags.ALLOC | SectionFlags.EXECUTE
PROGBITS, NOBITS, MISC, SPIRV = SectionType.PROGBITS, SectionType.NOBITS, SectionType.MISC, SectionType.SPIRV

EXTRA_SECTIONS: dict[str, tuple[list[Section], FindingSeverity, str]] = {
    "two SPIR-V": ([Section(".spv", SPIRV, data=b"\x03\x02\x23\x07")] * 2, ERROR, "sec.duplicate"),
    "two constants": ([Section(".data.const", PROGBITS, data=b"\0")] * 2, ERROR, "sec.duplicate"),
    "two constants, one misspelt": (
        [Section(".data.const", PROGBITS, data=b"\0"), Section(".data.global_const", PROGBITS, data=b"\0")],
        ERROR,
        "sec.duplicate",
    ),
    "misspelt": ([Section(".data.global_const", PROGBITS, data=b"\0")], WARNING, "sec.misspelt"),
    "two ze_info": ([Section(".ze_info", SectionType.ZEINFO, data=KERNEL.encode())], ERROR, "sec.duplicate"),
    "two symbol tables": ([Section(".symtab2", SectionType.SYMTAB)], ERROR, "sec.duplicate"),
    "two target notes": ([Section(".note.intelgt.compat", SectionType.NOTE)], ERROR, "sec.duplicate"),
    "two texts": ([Section(".text.k", PROGBITS, EXECUTABLE, bytes(256))], ERROR, "sec.duplicate"),
    "text of no kernel": ([Section(".text.", PROGBITS, EXECUTABLE, bytes(256))], ERROR, "sec.name"),
    "unknown data": ([Section(".rodata", PROGBITS, data=b"\0")], ERROR, "sec.name"),
    "data that is executable": ([Section(".data.const", PROGBITS, EXECUTABLE, b"\0")], WARNING, "sec.flags"),
    "huge zero data": ([Section(".bss.global", NOBITS, size=1 << 40)], ERROR, "bss.size"),
    "unknown misc": ([Section(".misc.foo", MISC, data=b"\0")], WARNING, "sec.unknown"),
    "unknown zero data": ([Section(".bss.foo", NOBITS, size=4)], WARNING, "sec.unknown"),
    "two build options": ([Section(".misc.buildOptions", MISC, data=b"-g")] * 2, WARNING, "misc.options"),
    "zero in build options": ([Section(".misc.buildOptions", MISC, data=b"-g\0")], WARNING, "misc.options"),
    "binary build options": ([Section(".misc.buildOptions", MISC, data=b"\xff")], WARNING, "misc.options"),
    "identifiers without values": ([Section(".misc.specConstantsIds", MISC, data=bytes(4))], ERROR, "misc.specconst"),
    "more identifiers than values": (
        [
            Section(".misc.specConstantsIds", MISC, data=bytes(8)),
            Section(".misc.specConstantsValues", MISC, data=bytes(8)),
        ],
        ERROR,
        "misc.specconst",
    ),
    "half an identifier": (
        [
            Section(".misc.specConstantsIds", MISC, data=bytes(6)),
            Section(".misc.specConstantsValues", MISC, data=bytes(12)),
        ],
        ERROR,
        "misc.specconst",
    ),
    "tool data of no symbol": ([Section(".gtpin_info.k", SectionType.GTPIN_INFO, info=99)], WARNING, "gtpin.info"),
}


@pytest.mark.parametrize(("extra", "severity", "code"), EXTRA_SECTIONS.values(), ids=EXTRA_SECTIONS)
def test_extra_section(extra: list[Section], severity: FindingSeverity, code: str) -> None:
    copies = [Section(s.name, s.type, s.flags, s.data, s.size, info=s.info) for s in extra]
    expect(container(KERNEL, extra=copies), severity, code)


@pytest.mark.parametrize("elf_class", list(ElfClass))
def test_a_clean_container_has_no_findings(elf_class: ElfClass) -> None:
    carriers = [
        Section(".data.const", PROGBITS, SectionFlags.ALLOC, b"1234"),
        Section(".bss.const", NOBITS, size=4096),
        Section(".debug_info", PROGBITS, data=b"x"),
        Section("anything", SectionType.VISAASM, data=b"x"),
        Section("more names", SectionType.STRTAB, data=b"\0"),
        Section(".misc.specConstantsIds", MISC, data=bytes(8)),
        Section(".misc.specConstantsValues", MISC, data=bytes(16)),
    ]
    assert findings(container(KERNEL, extra=carriers, elf_class=elf_class)) == []


def test_huge_zero_data_is_not_allocated() -> None:
    zebin = read(container(KERNEL, extra=[Section(".bss.global", NOBITS, size=1 << 50)]), lenient=True)
    section = zebin.section(".bss.global")
    assert section is not None
    assert (section.size, len(section.data)) == (1 << 50, 0)


def test_no_ze_info_is_an_error_when_asked_to_be_strict() -> None:
    expect(Image(VADD).section(".ze_info", type=0).bytes, ERROR, "ze_info.missing", strict=True)


def test_findings_are_capped() -> None:
    extra = [Section(".rodata", PROGBITS, data=b"\0") for _ in range(300)]
    found = findings(container(KERNEL, extra=extra))
    assert len(found) == 101
    assert found[-1].code == "report.limit"


def test_names_that_share_a_long_tail_are_bounded() -> None:
    """Many name offsets into one long string must not make the reader hold the string many times."""
    image = Image(
        container(
            KERNEL,
            extra=[Section("x" * 50_000, SectionType.VISAASM, data=b"x")]
            + [Section(f"{n}", SectionType.VISAASM, data=b"x") for n in range(200)],
        )
    )
    start = image.elf.sections[image.index(".strtab")].data
    first = bytes(start).find(b"xxx")
    for n in range(200):
        image.section(f"{n}", name=first + n)
    expect(image.bytes, ERROR, "sec.name-limit")
