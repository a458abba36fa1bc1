"""Round trips are lossless, also for contents that no compiler writes."""

from __future__ import annotations

import pytest

from tests.unit.zebin.support import Image, container, findings, records_of, sample, with_external_function
from tests.unit.zebin.test_malformed_elf import KERNEL
from zebin import read, write
from zebin.elf.constants import NoteType, SectionFlags, SectionType
from zebin.elf.model import ElfClass, Section
from zebin.elf.notes import Note, write_notes
from zebin.ze_info import write_ze_info

CARRIERS = [
    Section(".spv", SectionType.SPIRV, data=b"\x03\x02\x23\x07" * 3),
    Section(".data.const", SectionType.PROGBITS, SectionFlags.ALLOC, b"123", alignment=16, address=0x1000),
    Section(".data.global", SectionType.PROGBITS, SectionFlags.ALLOC | SectionFlags.WRITE, b"1234567"),
    Section(".bss.global", SectionType.NOBITS, SectionFlags.ALLOC, size=4096, alignment=64),
    Section(".debug_info", SectionType.PROGBITS, data=b"x" * 5),
    Section(".private", SectionType.VISAASM, data=b"anything"),
    Section("more names", SectionType.STRTAB, data=b"\0abc\0"),
    Section(".misc.buildOptions", SectionType.MISC, data=b"-g"),
    Section(".misc.mine", SectionType.MISC, link=1, info=7, entry_size=3, data=b"mine"),
    Section(".note.mine", SectionType.NOTE, data=b"not a note list"),
    Section(".note.intelgt.metrics", SectionType.NOTE, data=b"\xff" * 61),
    Section(".gtpin_info.k", SectionType.GTPIN_INFO, info=1, data=b"tool"),
]


def everything(section: Section) -> tuple[object, ...]:
    facts = (section.name, section.type, section.flags, bytes(section.data), section.size, section.link, section.info)
    return (*facts, section.entry_size, section.alignment, section.address)


@pytest.mark.parametrize("elf_class", list(ElfClass))
def test_every_section_is_written_as_it_was(elf_class: ElfClass) -> None:
    data = container(KERNEL, extra=CARRIERS, elf_class=elf_class)
    first = read(data)
    second = read(write(first))
    assert [everything(s) for s in second.sections] == [everything(s) for s in first.sections]
    assert list(second.symbols) == list(first.symbols)
    assert write(second) == write(first)


def test_functions_for_other_modules_are_written() -> None:
    first = read(with_external_function(), strict=True)
    assert not first.findings
    second = read(write(first), strict=True)
    assert second.ze_info == first.ze_info
    assert list(second.symbols) == list(first.symbols)
    patched = {second.sections[second.sections[index].info].name: list(e) for index, e in second.relocations.items()}
    names = {name: [second.symbols[e.symbol].name for e in entries] for name, entries in patched.items()}
    assert names == {".text.k": ["helper"], ".data.const": ["table"]}


def test_notes_that_are_not_known_are_written() -> None:
    notes = [Note.of_word(NoteType.PRODUCT_FAMILY, 1271), Note(99, b"12345"), Note(1, b"x", b"Other\0")]
    zebin = read(write(read(container(KERNEL, notes=write_notes(notes)))))
    assert list(zebin.notes) == notes


def test_the_file_header_is_written() -> None:
    image = Image(sample("vadd.pvc.zebin"))
    image.header(type=0xFF12, machine=1271, flags=0x00270700).ident(8, 2)
    elf = read(write(read(image.bytes))).elf
    assert (elf.file_type, elf.machine, elf.flags, elf.abi_version) == (0xFF12, 1271, 0x00270700, 2)


def test_tables_that_could_not_be_read_are_written_as_they_were() -> None:
    image = Image(sample("const_table.pvc.zebin"))
    image.section(".symtab", entsize=16).section(".rel.text.weigh", entsize=24)
    first = read(image.bytes, lenient=True)
    second = read(write(first), lenient=True)
    for name in (".symtab", ".rel.text.weigh"):
        before, after = first.section(name), second.section(name)
        assert before is not None and after is not None
        assert everything(before) == everything(after)


DISORDERED = """---
kernels_misc_info:
  - args_info:
      - type_qualifiers: NONE
        index:           0
        access_qualifier: NONE
        address_qualifier: __global
        type_name:       'float*;8'
    name:            k
required_libs:
  - x:               'a b:c'
kernels:
  - mine:            [ 1, 2 ]
    execution_env:
      simd_size:       16
      future:          1
      slm_size:        0
      grf_count:       128
    name:            k
version:         '1.61'
...
"""


def test_keys_stay_in_the_order_of_the_text() -> None:
    assert write_ze_info(records_of(DISORDERED)).decode() == DISORDERED


def test_new_keys_of_a_text_out_of_order_come_behind_their_predecessors() -> None:
    ze_info = records_of(DISORDERED)
    env = ze_info.kernels[0].execution_env
    env.has_dpas, env.barrier_count = True, 1
    text = write_ze_info(ze_info).decode()
    keys = [line.split(":")[0].strip() for line in text.partition("execution_env:\n")[2].splitlines()]
    assert keys[:7] == ["barrier_count", "simd_size", "future", "slm_size", "grf_count", "has_dpas", "name"]


def test_a_key_that_is_taken_away_is_not_written() -> None:
    ze_info = records_of(DISORDERED)
    ze_info.unknown = {}
    assert "required_libs" not in write_ze_info(ze_info).decode()


@pytest.mark.parametrize("number", ["0.333333333", "123456789", "1e+300", "-0", "0.5", "1e-05"])
def test_floats_keep_their_digits(number: str) -> None:
    text = (
        "---\nversion:         '1.61'\nkernels:\n  - name:            k\n    execution_env:\n"
        "      grf_count:       128\n      simd_size:       16\nkernels_misc_info:\n  - name: k\n"
        "kernels_cost_info:\n  - name:            k\n"
        f"    kcm_loop_count_exps:\n      - factor:          {number}\n        argsym_index:    -1\n"
        "        C:               0\n    Kcm_loop_costs:\n      - cycle:           1\n        bytes_loaded:    0\n"
        "        bytes_stored:    0\n        num_loops:       0\n...\n"
    )
    first = records_of(text)
    second = records_of(write_ze_info(first).decode())
    assert first.kernels_cost_info[0].kcm_loop_count_exps[0].factor == float(number)
    assert second == first


def test_bytes_behind_the_last_structure_are_reported() -> None:
    """They belong to nothing, and are the one thing that is not written."""
    data = container(KERNEL) + b"tail"
    assert [finding.code for finding in findings(data)] == ["elf.trailing"]
    assert write(read(data)) == write(read(container(KERNEL)))
