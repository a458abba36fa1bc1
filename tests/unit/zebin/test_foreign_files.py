"""Files of other formats: one message, which names the format."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.zebin.support import Image, container, sample
from tools import zebin_dump, zebin_edit
from zebin import ForeignFileError, read, write_archive
from zebin.elf.constants import SectionType
from zebin.elf.foreign import describe_foreign

VADD = sample("vadd.pvc.zebin")


def elf(machine: int, *, elf_class: int = 2, big_endian: bool = False, file_type: int = 1, segments: int = 0) -> bytes:
    """An ELF file without sections, as other processors have it."""
    order = ">" if big_endian else "<"
    word = "Q" if elf_class == 2 else "I"
    ident = bytes((0x7F, *b"ELF", elf_class, 2 if big_endian else 1, 1)).ljust(16, b"\0")
    return ident + struct.pack(f"{order}HHI3{word}I6H", file_type, machine, 1, 0, 0, 0, 0, 64, 56, segments, 64, 0, 0)


def program(section_type: int, file_type: int = 0xFF04) -> bytes:
    """A file in which an OpenCL driver keeps a program."""
    image = Image(container("---\n...\n"))
    image.header(type=file_type, machine=0)
    for section in image.elf.sections[1:]:
        if section.type not in (SectionType.STRTAB, SectionType.SYMTAB):
            image.section(section.index, type=section_type)
    return image.bytes


FOREIGN: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "empty file"),
    "SPIR-V": (b"\x03\x02\x23\x07" + bytes(100), "SPIR-V module"),
    "LLVM": (b"BC\xc0\xde" + bytes(100), "LLVM bitcode"),
    "MLIR": (b"// a kernel\nmodule @m {\n}\n", "MLIR text"),
    "gpu.module": (b"gpu.module @m {\n}\n", "MLIR text"),
    "generic MLIR": (b'"builtin.module"() ({\n}) : () -> ()\n', "MLIR text"),
    "text": (b"hello\n", "text file"),
    "zeros": (bytes(100), "file of an unknown format"),
    "damaged magic": (b"\x7fELG" + VADD[4:], "file of an unknown format"),
    "x86-64": (elf(62, file_type=2, segments=3), "x86-64 ELF file without device code"),
    "x86": (elf(3, elf_class=1), "x86 ELF file without device code"),
    "AArch64": (elf(183), "AArch64 ELF file without device code"),
    "PowerPC": (elf(20, elf_class=1, big_endian=True), "PowerPC ELF file without device code"),
    "S/390, big-endian": (elf(22, big_endian=True), "S/390 ELF file without device code"),
    "a machine without a name": (elf(0x1234), "machine 4660 ELF file without device code"),
    "patch tokens": (program(0xFF000005), "program in Intel's older patch-token format"),
    "bare patch tokens": (b"CTNI" + bytes(100), "program in Intel's older patch-token format"),
    "OpenCL library": (program(SectionType.SPIRV, 0xFF03), "OpenCL program without code for a GPU"),
}


@pytest.mark.parametrize(("data", "description"), FOREIGN.values(), ids=FOREIGN)
@pytest.mark.parametrize("lenient", [False, True])
def test_a_foreign_file_has_one_finding(data: bytes, description: str, lenient: bool) -> None:
    with pytest.raises(ForeignFileError, match=", not a ZEBIN") as caught:
        read(data, lenient=lenient)
    assert caught.value.description == description
    assert [finding.code for finding in caught.value.findings] == ["file.foreign"]


def test_a_program_of_patch_tokens_can_be_compiled_otherwise() -> None:
    with pytest.raises(ForeignFileError, match="compile with --format zebin"):
        read(program(0xFF000005))


def test_an_archive_of_object_files_is_a_library() -> None:
    library = write_archive({"a.o": elf(62), "b.o": elf(62)})
    with pytest.raises(ForeignFileError, match="ar archive without device code, not a ZEBIN"):
        read(library)


DAMAGE: dict[str, Callable[[Image], object]] = {
    "another machine": lambda image: image.header(machine=62),
    "another type": lambda image: image.header(type=2),
    "the other byte order": lambda image: image.ident(5, 2),
    "a legacy machine": lambda image: image.header(machine=18),
    "sections past the end": lambda image: image.header(shoff=1 << 40),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_zebin_is_not_foreign(damage: Callable[[Image], object]) -> None:
    image = Image(VADD)
    damage(image)
    assert describe_foreign(image.bytes) == ""
    assert describe_foreign(VADD[:3]) == ""


@pytest.mark.parametrize("options", [[], ["--validate"], ["--json"], ["--disassemble"]])
def test_commands_print_the_one_message(options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program"
    path.write_bytes(elf(62))
    assert zebin_dump.main([*options, str(path)]) == 1
    output, errors = capsys.readouterr()
    assert (output + errors).count("x86-64 ELF file without device code, not a ZEBIN") == (
        2 if options == ["--json"] else 1
    )
    assert zebin_edit.main([str(path), "--delete", "version", "-o", str(tmp_path / "out")]) == 1
    assert "x86-64 ELF file without device code, not a ZEBIN" in capsys.readouterr().err


def test_a_module_of_spirv_in_a_fat_binary_is_fine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "fat"
    path.write_bytes(write_archive({"64.12.60.7": VADD, "generic_ir": program(SectionType.SPIRV, 0xFF02)}))
    assert zebin_dump.main(["--validate", str(path)]) == 0
    assert "SPIR-V module for GPUs that have no member of their own [ar.generic-ir]" in capsys.readouterr().out
