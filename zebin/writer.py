"""Writes a ZEBIN."""

from __future__ import annotations

from dataclasses import replace

from zebin.elf.constants import COMPAT_NOTE, SectionType
from zebin.elf.model import Section
from zebin.elf.writer import write_elf
from zebin.model import Zebin
from zebin.notes import write_notes
from zebin.ze_info.text import write_ze_info


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
