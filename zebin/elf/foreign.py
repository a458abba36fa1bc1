"""Recognises files of other formats, so that an error names the format instead of all that a ZEBIN would have."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping

from zebin.elf.constants import MACHINE_INTELGT, MAGIC, SectionType
from zebin.elf.model import IDENT_SIZE, Buffer, ElfClass
from zebin.errors import Finding, FindingSeverity, ZebinError
from zebin.products import legacy_target

SPIRV_MODULE = "SPIR-V module"
_PATCH_TOKENS = "program in Intel's older patch-token format"
_WINDOWS_PROGRAM, _WINDOWS_OBJECT = "Windows program", "Windows object file"
_COFF_HEADER = struct.Struct("<HHIIIHH")
_COFF_MACHINES = (0x8664, 0xAA64)
"""The machines of object files of Windows for x86-64 and AArch64, with which these start."""

_PREFIXES: Mapping[bytes, str] = {
    b"\x03\x02\x23\x07": SPIRV_MODULE,
    b"\x07\x23\x02\x03": SPIRV_MODULE,
    b"CTNI": _PATCH_TOKENS,
    b"INTC": _PATCH_TOKENS,
    b"BC\xc0\xde": "LLVM bitcode",
    b"\xde\xc0\x17\x0b": "LLVM bitcode",
    b"ML\xefR": "MLIR bytecode",
    b"!<arch>\n": "ar archive",
    b"!<thin>\n": "thin ar archive",
    b"MZ": _WINDOWS_PROGRAM,
    b"\xcf\xfa\xed\xfe": "Mach-O file",
    b"\xca\xfe\xba\xbe": "Mach-O file",
    b"PK\x03\x04": "ZIP archive",
    b"\x1f\x8b": "gzip file",
    b"\x28\xb5\x2f\xfd": "zstd file",
    b"\x89PNG": "PNG file",
    b"%PDF": "PDF file",
    b"---": "text of a .ze_info section",
}
_MLIR = re.compile(
    rb"^\s*(?://.*\s+|#\S+ *=.*\s+)*\"?(?:builtin\.)?(?:module|gpu\.|func\.|xegpu\.|llvm\.)", re.MULTILINE
)
_LLVM_IR = re.compile(rb"\s*(?:;.*\s+)*(?:source_filename\b|target (?:datalayout|triple)\b|define )")
_TEXT = re.compile(rb"[\t\n\r -~\x80-\xff]+")
_LANGUAGES = {"MLIR text": _MLIR, "LLVM IR": _LLVM_IR}
_SAMPLE = 512
"""Bytes that are looked at to tell text from binary data."""

_HINTS: Mapping[str, str] = {
    _PATCH_TOKENS: "; compile with --format zebin",
    "MLIR text": "; compile it with xegpu-opt",
    SPIRV_MODULE: "; compile it with ocloc",
}

_MACHINES: Mapping[int, str] = {
    2: "SPARC",
    3: "x86",
    8: "MIPS",
    20: "PowerPC",
    21: "PowerPC64",
    22: "S/390",
    40: "ARM",
    43: "SPARC64",
    62: "x86-64",
    183: "AArch64",
    190: "NVIDIA CUDA",
    224: "AMD GPU",
    243: "RISC-V",
    247: "BPF",
    258: "LoongArch",
}
"""`e_machine` of other processors (ELF gABI, chapter 4, "ELF Header")."""

_DEVICE_MACHINES = (190, 224)
"""Those of GPUs, whose code programs of the host hold as well."""

_OWN_TYPES = frozenset(
    (SectionType.ZEINFO, SectionType.GTPIN_INFO, SectionType.VISAASM, SectionType.MISC, SectionType.PISA)
)
"""Section types of ZEBINs alone."""

_OPENCL_FILE_TYPES = range(0xFF01, 0xFF06)
"""`e_type` of the files in which OpenCL drivers keep programs."""

_DEVICE_BINARY = 0xFF000005
"""The type of the section in which such a file has code for a GPU."""


class ForeignFileError(ZebinError):
    """Raised for a file of another format. `description` names the format, as in `x86-64 ELF file`."""

    def __init__(self, description: str):
        self.description = description
        message = f"{description}, not a ZEBIN{_HINTS.get(description, '')}"
        super().__init__([Finding(FindingSeverity.ERROR, "file.foreign", message)])


def refuse_foreign(data: Buffer) -> None:
    """Does nothing for a file that may be a ZEBIN, however broken.

    Raises:
        ForeignFileError: If the file has another format.
    """
    description = describe_foreign(data)
    if description:
        raise ForeignFileError(description)


def describe_foreign(data: Buffer) -> str:
    """Returns the name of the format of a file that is no ZEBIN, empty for a file that may be one."""
    start = bytes(data[:_SAMPLE])
    if not start:
        return "empty file"
    if start.startswith(MAGIC[: len(start)]):
        return _foreign_elf(data)
    known = next((name for prefix, name in _PREFIXES.items() if start.startswith(prefix)), "")
    if known:
        return known
    if _is_coff(data):
        return _WINDOWS_OBJECT
    if _TEXT.fullmatch(start):
        return next((name for name, pattern in _LANGUAGES.items() if pattern.match(start)), "text file")
    return "file of an unknown format"


def is_host_file(data: Buffer) -> bool:
    """Returns whether the file is a program, library or object file of a host, which may hold device code."""
    if bytes(data[: len(MAGIC)]) != MAGIC:
        return bytes(data[:2]) == b"MZ" or _is_coff(data)
    if not _foreign_elf(data).endswith(_ELF_FILE):
        return False
    at = IDENT_SIZE + ElfClass(data[4]).layouts.header.offset_of("machine")
    return int.from_bytes(data[at : at + 2], "little") not in _DEVICE_MACHINES


def _is_coff(data: Buffer) -> bool:
    """Returns whether the file starts like an object file of Windows: with a machine and tables, for want of a mark."""
    if len(data) < _COFF_HEADER.size:
        return False
    machine, sections, _, symbols_at, _, optional_bytes, _ = _COFF_HEADER.unpack(bytes(data[: _COFF_HEADER.size]))
    return machine in _COFF_MACHINES and sections > 0 and optional_bytes == 0 and symbols_at < len(data)


_ELF_FILE = " ELF file"


def _foreign_elf(data: Buffer) -> str:
    if len(data) < IDENT_SIZE or data[4] not in set(ElfClass):
        return ""
    elf_class = ElfClass(data[4])
    if len(data) < elf_class.header_bytes:
        return ""
    header = elf_class.layouts.header.unpack(data, IDENT_SIZE)
    types = set(_section_types(data, elf_class, header))
    if _DEVICE_BINARY in types:
        return _PATCH_TOKENS
    if header["type"] in _OPENCL_FILE_TYPES:
        return "OpenCL program without code for a GPU"
    is_big_endian = data[5] == 2
    machine = int.from_bytes(header["machine"].to_bytes(2, "little"), "big") if is_big_endian else header["machine"]
    if machine == MACHINE_INTELGT or types & _OWN_TYPES:
        return ""
    is_legacy = legacy_target(machine, header["flags"]) is not None and not is_big_endian and not header["phnum"]
    return "" if is_legacy else f"{_MACHINES.get(machine, f'machine {machine}')}{_ELF_FILE}"


def _section_types(data: Buffer, elf_class: ElfClass, header: Mapping[str, int]) -> Iterator[int]:
    """Yields the types of the sections whose headers lie in the file."""
    layout = elf_class.layouts.section
    for index in range(header["shnum"]):
        at = header["shoff"] + index * layout.size
        if at + layout.size <= len(data):
            yield layout.unpack(data, at)["type"]
