"""The ELF file header (ELF gABI, chapter 4, "ELF Header"), checked against what drivers accept."""

from __future__ import annotations

from zebin.elf.constants import ABI_VERSIONS, MACHINE_INTELGT, FileType
from zebin.elf.foreign import refuse_foreign
from zebin.elf.model import IDENT_SIZE, Buffer, ElfClass
from zebin.errors import BinaryLocation, Report, ZebinError
from zebin.products import legacy_target


class ElfHeader:
    """The header's fields by name: `header["shoff"]`."""

    def __init__(self, data: Buffer, elf_class: ElfClass):
        self.elf_class = elf_class
        self.abi_version = data[8]
        self._fields = elf_class.layouts.header.unpack(data, IDENT_SIZE)

    def __getitem__(self, name: str) -> int:
        return self._fields[name]

    def location(self, name: str) -> BinaryLocation:
        """Returns the location of the field in the file."""
        return BinaryLocation(IDENT_SIZE + self.elf_class.layouts.header.offset_of(name))


def read_header(data: Buffer, report: Report) -> ElfHeader:
    """Returns the header.

    Raises:
        ForeignFileError: If the file has another format.
        ZebinError: If it is shorter than a header.
    """
    header = ElfHeader(data, _identify(data, report))
    _check_identification(data, header, report)
    _check_type(header, report)
    _check_machine(header, report)
    _check_segments(data, header, report)
    return header


def _identify(data: Buffer, report: Report) -> ElfClass:
    refuse_foreign(data)
    if len(data) < IDENT_SIZE:
        raise _too_short(data, ElfClass.ELF64, report)
    try:
        elf_class = ElfClass(data[4])
    except ValueError:
        expected = "1 (32-bit) or 2 (64-bit)"
        raise report.fatal(
            "elf.class", "unknown ELF class", BinaryLocation(4), found=data[4], expected=expected
        ) from None
    if len(data) < elf_class.header_bytes:
        raise _too_short(data, elf_class, report)
    return elf_class


def _too_short(data: Buffer, elf_class: ElfClass, report: Report) -> ZebinError:
    return report.fatal(
        "elf.short",
        "file is shorter than an ELF header",
        BinaryLocation(0),
        found=f"{len(data)} bytes",
        expected=f"at least {elf_class.header_bytes}",
    )


def _check_identification(data: Buffer, header: ElfHeader, report: Report) -> None:
    if data[5] != 1:
        report.error("elf.endian", "byte order is not little-endian", BinaryLocation(5), found=data[5], expected="1")
    if data[6] != 1:
        report.warning("elf.version", "EI_VERSION is not current", BinaryLocation(6), found=data[6], expected="1")
    if header["version"] != 1:
        location = header.location("version")
        report.warning("elf.version", "e_version is not current", location, found=header["version"], expected="1")
    if header.abi_version not in ABI_VERSIONS:
        report.warning(
            "elf.abiversion", "unknown ABI version", BinaryLocation(8), found=header.abi_version, expected="1 or 2"
        )
    size = header.elf_class.header_bytes
    if header["ehsize"] != size:
        location = header.location("ehsize")
        report.warning("elf.ehsize", "e_ehsize is wrong", location, found=header["ehsize"], expected=str(size))


def _check_type(header: ElfHeader, report: Report) -> None:
    location = header.location("type")
    if header["type"] == FileType.ZEBIN_EXE:
        report.info("elf.type", "linked ZEBIN (e_type 0xff12)", location)
    elif header["type"] != FileType.REL:
        found = f"{header['type']:#x}"
        report.error("elf.type", "e_type that no driver accepts", location, found=found, expected="1 or 0xff12")


def _check_machine(header: ElfHeader, report: Report) -> None:
    machine, flags, location = header["machine"], header["flags"], header.location("machine")
    if machine == MACHINE_INTELGT:
        if flags:
            location = header.location("flags")
            report.warning("elf.flags", "e_flags is set", location, found=f"{flags:#x}", expected="0")
        return
    target = legacy_target(machine, flags)
    if target is None:
        report.error(
            "elf.machine",
            "not a binary for Intel graphics, nor in the legacy encoding that puts a product number here",
            location,
            found=machine,
            expected=str(MACHINE_INTELGT),
        )
    else:
        report.warning(
            "elf.machine-legacy",
            f"e_machine names the target {target}, an encoding no longer in use",
            location,
            found=machine,
            expected=str(MACHINE_INTELGT),
        )


def _check_segments(data: Buffer, header: ElfHeader, report: Report) -> None:
    """Checks that program headers, which have no use in a ZEBIN, and what they describe lie in the file."""
    count, start, stride = header["phnum"], header["phoff"], header["phentsize"]
    layout = header.elf_class.layouts.segment
    end = start + count * stride
    if not count and end <= len(data):
        return
    if (count and stride != layout.size) or end > len(data):
        report.error(
            "elf.phdr-bounds",
            f"table of {count} program headers does not lie in the file",
            header.location("phoff"),
            found=f"entries of {stride} bytes, end {end:#x}",
            expected=f"entries of {layout.size} bytes, end at most {len(data):#x}",
        )
        return
    report.warning("elf.phdr", "program headers have no use here", BinaryLocation(start), found=count, expected="0")
    for index in range(count):
        at = start + index * stride
        segment = layout.unpack(data, at)
        segment_end = segment["offset"] + segment["filesz"]
        if segment_end > len(data):
            report.error(
                "elf.phdr-bounds",
                f"program header {index} describes bytes past the end of the file",
                BinaryLocation(at),
                found=f"end {segment_end:#x}",
                expected=f"at most {len(data):#x}",
            )
