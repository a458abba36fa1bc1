"""Binaries of Intel's compiler are read without complaint, and as other readers read them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import yaml
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from tests.unit.zebin.support import DATA, SAMPLES
from zebin import FindingSeverity, read, write
from zebin.elf.constants import COMPAT_NOTE
from zebin.elf.notes import write_notes
from zebin.yaml import Mapping, Node, Scalar, Sequence
from zebin.ze_info import write_ze_info
from zebin.ze_info.records import Record, write_record

EXPLAINED = {"mem.base": FindingSeverity.INFO, "rel.payload-offset": FindingSeverity.INFO}
"""A private base without private memory, and a relocation that needs no symbol: harmless habits of the compiler."""

every_sample = pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)


def plain(node: Node) -> object:
    """A node as the values that PyYAML's BaseLoader makes."""
    match node:
        case Scalar(text):
            return text
        case Sequence(items):
            return [plain(item) for item in items]
        case Mapping(entries):
            return {key: plain(value) for key, value in entries.items()}


def test_there_are_samples() -> None:
    assert len(SAMPLES) == 27


@every_sample
def test_findings_are_explained(path: Path) -> None:
    unexplained = [f for f in read(path).findings if EXPLAINED.get(f.code) is not f.severity]
    if path.stem == "vadd-bindless.pvc":
        (mix,) = unexplained
        assert (mix.code, mix.severity) == ("arg.mix", FindingSeverity.WARNING)
    else:
        assert not unexplained


@every_sample
def test_values_equal_an_independent_yaml_load(path: Path) -> None:
    zebin = read(path)
    section, ze_info = zebin.section(".ze_info"), zebin.ze_info
    assert section is not None
    assert ze_info is not None
    assert plain(write_record(ze_info)) == yaml.load(bytes(section.data), yaml.BaseLoader)


@every_sample
def test_ze_info_is_written_byte_for_byte(path: Path) -> None:
    zebin = read(path)
    section, ze_info = zebin.section(".ze_info"), zebin.ze_info
    assert section is not None
    assert ze_info is not None
    assert write_ze_info(ze_info) == bytes(section.data)


@every_sample
def test_notes_are_written_byte_for_byte(path: Path) -> None:
    zebin = read(path)
    section = zebin.section(COMPAT_NOTE)
    assert section is not None
    assert write_notes(zebin.notes) == bytes(section.data)


@every_sample
def test_sections_and_symbols_equal_those_of_pyelftools(path: Path) -> None:
    zebin = read(path)
    elf = ELFFile(io.BytesIO(path.read_bytes()))
    ours = [(s.name, s.offset, s.size, s.flags, s.link, s.info, bytes(s.data)) for s in zebin.sections[1:]]
    theirs = [
        (s.name, s["sh_offset"], s["sh_size"], s["sh_flags"], s["sh_link"], s["sh_info"], s.data())
        for s in list(elf.iter_sections())[1:]
    ]
    assert ours == theirs
    table = elf.get_section_by_name(".symtab")
    assert isinstance(table, SymbolTableSection)
    assert [(s.name, s.value, s.size) for s in zebin.symbols] == [
        (s.name, s["st_value"], s["st_size"]) for s in table.iter_symbols()
    ]


@every_sample
def test_reading_what_is_written_gives_the_same(path: Path) -> None:
    first = read(path)
    written = write(first)
    second = read(written)
    assert second.ze_info == first.ze_info
    assert list(second.symbols) == list(first.symbols)
    assert {k: list(v) for k, v in second.relocations.items()} == {k: list(v) for k, v in first.relocations.items()}
    for before, after in zip(first.sections, second.sections, strict=True):
        assert (after.name, after.type, after.flags, after.link, after.info) == (
            before.name,
            before.type,
            before.flags,
            before.link,
            before.info,
        )
        assert bytes(after.data) == bytes(before.data)
    assert [f.code for f in second.findings] == [f.code for f in first.findings]


@every_sample
def test_what_is_written_is_aligned_and_stable(path: Path) -> None:
    written = write(read(path))
    again = read(written)
    alignment = again.elf.elf_class.pointer_bytes
    assert all(section.offset % alignment == 0 for section in again.sections if len(section.data))
    assert write(again) == written


def test_kernels_give_what_a_launch_needs() -> None:
    kernel = read(DATA / "vadd.pvc.zebin").kernels["vadd"]
    assert (len(kernel.text), len(kernel.code), kernel.entry_offset) == (640, 0x1E0, 0xB8)
    assert (kernel.execution_env.simd_size, kernel.execution_env.grf_count) == (32, 128)
    assert kernel.argument_count == 4
    assert [(a.name, a.type_name) for a in kernel.args_info][-1] == ("n", "uint;4")
    slots = {a.arg_index: a.offset for a in kernel.payload_arguments if a.size and a.arg_index >= 0}
    assert slots == {0: 32, 1: 40, 2: 48, 3: 56}
    (local_id,) = kernel.per_thread_payload_arguments
    assert local_id.size == 192


def test_a_kernel_may_be_called_on() -> None:
    assert list(read(DATA / "yaml_names.pvc.zebin").kernels) == ["on", "pieces", "quals"]


def test_scratch_of_a_spilling_kernel() -> None:
    (buffer,) = read(DATA / "priv_spill.pvc.zebin").kernels["pressure"].per_thread_memory_buffers
    assert (buffer.type, buffer.usage, buffer.size) == ("scratch", "single_space", 65536)


def test_a_legal_edit_of_a_record_is_written() -> None:
    zebin = read(DATA / "vadd.pvc.zebin")
    zebin.kernels["vadd"].execution_env.slm_size = 2048
    assert read(write(zebin)).kernels["vadd"].execution_env.slm_size == 2048


def test_every_record_of_the_samples_was_complete() -> None:
    def records(record: Record) -> list[Record]:
        nested = [getattr(record, row.name) for row in record.attributes]
        children = [c for value in nested for c in (value if isinstance(value, list) else [value])]
        return [record] + [r for child in children if isinstance(child, Record) for r in records(child)]

    for path in SAMPLES:
        ze_info = read(path).ze_info
        assert ze_info is not None
        assert not any(record.incomplete or record.unknown for record in records(ze_info))
