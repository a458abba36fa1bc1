"""Reads ZEBINs, checking more than drivers do, and writes them."""

from __future__ import annotations

import mmap
import os
from dataclasses import replace
from os import PathLike
from pathlib import Path
from stat import S_ISREG

from zebin.binary.model import Zebin
from zebin.containers.choice import image_in
from zebin.containers.unpacking import is_container
from zebin.device import TargetDevice
from zebin.elf.constants import COMPAT_NOTE, MACHINE_INTELGT, ZE_INFO, SectionType
from zebin.elf.model import Buffer, ElfFile, Section
from zebin.elf.notes import Note, check_target, read_notes, target_of, write_notes
from zebin.elf.reader import read_elf
from zebin.elf.tables import check_symbol_names, read_tables
from zebin.elf.writer import write_elf
from zebin.errors import NOWHERE, Finding, FindingSeverity, Report, ZebinError, excerpt
from zebin.rules import check_code, check_kernels, check_relocations, check_sections, check_symbols, limits_of
from zebin.ze_info.schema import ZeInfo
from zebin.ze_info.text import read_ze_info, write_ze_info


def read(
    source: Buffer | str | PathLike[str],
    *,
    device: TargetDevice | None = None,
    lenient: bool = False,
    strict: bool = False,
) -> Zebin:
    """Returns the contents of a ZEBIN, given as bytes or as the path of a file, which is mapped instead of copied.

    Of a fat binary, or a program or library with device code, the ZEBIN for `device` is read, without a device the only
    one; offsets count from its start. Warnings and remarks are kept in `Zebin.findings`.

    Args:
        source: The file's bytes or path.
        device: The GPU for which one of several ZEBINs is chosen.
        lenient: Keep errors in `findings` as well, and raise only if the file's structure cannot be read.
        strict: Treat unknown keys of `.ze_info` and a file without kernels as errors, as current drivers do.

    Raises:
        ForeignFileError: If the file is no ZEBIN but has another format.
        ZebinError: If the file has errors; it holds all findings.
        OSError: If the file cannot be read.
    """
    data = map_file(source) if isinstance(source, str | PathLike) else memoryview(source)
    if is_container(data):
        data = image_in(data, device).data
    report = Report()
    zebin = _read(data, report, strict)
    if report.has_errors and not lenient:
        raise ZebinError(report.findings)
    zebin.findings = report.findings
    return zebin


def _read(data: memoryview, report: Report, strict: bool) -> Zebin:
    """Reads structure, then contents, then checks their consistency; each step uses what the previous ones have
    read.
    """
    elf, names = read_elf(data, report)
    read_tables(elf, names, report)
    check_sections(elf, report)
    check_symbol_names(elf, names, report)
    check_symbols(elf, report)
    check_relocations(elf, report)
    notes = _read_notes(elf, report)
    return Zebin(elf, notes, _read_ze_info(elf, notes, report, strict))


def _read_notes(elf: ElfFile, report: Report) -> list[Note]:
    section = elf.find(COMPAT_NOTE)
    if section is not None and section.data:
        notes = read_notes(section, report)
        check_target(target_of(notes), section.location(), report)
        return notes
    if elf.machine == MACHINE_INTELGT:
        location = section.location() if section is not None else NOWHERE
        report.error("note.missing", "the binary does not state its target GPU", location, expected=COMPAT_NOTE)
    return []


def _read_ze_info(elf: ElfFile, notes: list[Note], report: Report, strict: bool) -> ZeInfo | None:
    section = next(iter(elf.of_type(SectionType.ZEINFO)), None)
    if section is None:
        severity = FindingSeverity.ERROR if strict else FindingSeverity.WARNING
        report.add(Finding(severity, "ze_info.missing", "no kernels are described", expected=ZE_INFO))
        return None
    try:
        ze_info, text = read_ze_info(section, report, strict=strict)
    except ZebinError:
        return None
    target = target_of(notes)
    if target.version and ze_info.version and target.version != ze_info.version:
        found, expected = excerpt(ze_info.version), f"{excerpt(target.version)} as in {COMPAT_NOTE}"
        report.warning("version.mismatch", "versions differ", section.location(), found=found, expected=expected)
    check_kernels(ze_info, text, elf.elf_class, limits_of(target))
    check_code(elf, ze_info, text)
    return ze_info


def write(zebin: Zebin) -> bytes:
    """Returns the bytes of a ZEBIN: the same for the same contents, aligned as current compilers do.

    Symbols, relocations, notes and `.ze_info` are written from their objects, so that changes to these take effect; all
    other sections are written unchanged.
    """
    return write_elf(replace(zebin.elf, sections=[_current(section, zebin) for section in zebin.sections]))


def _current(section: Section, zebin: Zebin) -> Section:
    """Returns the section with the contents that the ZEBIN's objects determine."""
    if section.type == SectionType.ZEINFO and zebin.ze_info is not None:
        return replace(section, data=write_ze_info(zebin.ze_info), size=-1)
    if section.name == COMPAT_NOTE and zebin.notes:
        return replace(section, data=write_notes(zebin.notes), size=-1)
    return section


def map_file(path: str | PathLike[str]) -> memoryview:
    """Returns the contents of a file, mapped so that only what is used is read; a pipe or device is read to its end.

    The mapping lives as long as anything refers to it, and the file must not be truncated during that time: to change a
    file that is in use, replace it.

    Raises:
        OSError: If the file cannot be read.
    """
    with Path(path).open("rb") as file:
        status = os.fstat(file.fileno())
        if S_ISREG(status.st_mode) and status.st_size:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return memoryview(file.read())
