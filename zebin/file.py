"""Reads a ZEBIN, checking it as a driver would and better."""

from __future__ import annotations

import mmap
import os
from dataclasses import replace
from os import PathLike
from pathlib import Path
from stat import S_ISREG

from zebin.archive import choose_member, is_archive, only_member, read_archive
from zebin.device import TargetDevice
from zebin.elf.constants import COMPAT_NOTE, MACHINE_INTELGT, ZE_INFO, SectionType
from zebin.elf.model import Buffer, ElfFile, Section
from zebin.elf.reader import read_elf
from zebin.elf.tables import check_symbol_names, read_tables
from zebin.elf.writer import write_elf
from zebin.errors import NOWHERE, Finding, FindingSeverity, Report, ZebinError, excerpt
from zebin.model import Zebin
from zebin.notes import Note, check_target, read_notes, target_of, write_notes
from zebin.rules import (
    check_code,
    check_kernels,
    check_relocations,
    check_sections,
    check_symbols,
    limits_of,
)
from zebin.ze_info.schema import ZeInfo
from zebin.ze_info.text import read_ze_info, write_ze_info


def read(
    source: Buffer | str | PathLike[str],
    *,
    device: TargetDevice | None = None,
    lenient: bool = False,
    strict: bool = False,
) -> Zebin:
    """The contents of a ZEBIN, given as bytes or as the path of a file, which is mapped and not copied.

    Of a fat binary, the member for `device` is read; without one, its only member. Offsets are those in the member.
    Warnings and notes are kept in `Zebin.findings`. Raises `ZebinError` with all findings when one of them is an error;
    with `lenient`, errors are kept as well, and only a file that cannot be taken apart at all raises. With `strict`,
    unknown keys of `.ze_info` are errors, as for current drivers, and so is a file that describes no kernels. Raises
    `OSError` when the file cannot be read.
    """
    data = map_file(source) if isinstance(source, str | PathLike) else memoryview(source)
    if is_archive(data):
        members = read_archive(data)
        data = (only_member(members) if device is None else choose_member(members, device)).data
    report = Report()
    zebin = _read(data, report, strict)
    if report.has_errors and not lenient:
        raise ZebinError(report.findings)
    zebin.findings = report.findings
    return zebin


def _read(data: memoryview, report: Report, strict: bool) -> Zebin:
    """Structure first, then contents, then how they agree; each step works on what the one before has left."""
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
        report.error("note.missing", "nothing says which GPU the binary is made for", location, expected=COMPAT_NOTE)
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
    """The file's bytes: the same for the same contents, aligned as current compilers do.

    Symbols, relocations, notes and `.ze_info` are written from the objects that stand for them, so that what has been
    changed there is changed in the file; all other sections are written as they are.
    """
    return write_elf(replace(zebin.elf, sections=[_current(section, zebin) for section in zebin.sections]))


def _current(section: Section, zebin: Zebin) -> Section:
    """The section with the contents that the objects of the ZEBIN call for."""
    if section.type == SectionType.ZEINFO and zebin.ze_info is not None:
        return replace(section, data=write_ze_info(zebin.ze_info), size=-1)
    if section.name == COMPAT_NOTE and zebin.notes:
        return replace(section, data=write_notes(zebin.notes), size=-1)
    return section


def map_file(path: str | PathLike[str]) -> memoryview:
    """The bytes of a file, mapped, so that only what is looked at is ever read; of a pipe or device, what it gives.

    The mapping lives as long as anything refers to it, and the file must not be cut short before: whoever writes to a
    path while its old contents are in use replaces the file. Raises `OSError` when the file cannot be read.
    """
    with Path(path).open("rb") as file:
        status = os.fstat(file.fileno())
        if S_ISREG(status.st_mode) and status.st_size:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return memoryview(file.read())
