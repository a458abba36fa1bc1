"""Packs code that has been written by hand, with a description of its kernel, into a ZEBIN."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zebin.builder import add_code, notes_of
from zebin.elf.builder import ElfBuilder
from zebin.elf.constants import COMPAT_NOTE, ZE_INFO, SectionType
from zebin.elf.model import Section
from zebin.errors import Report, ZebinError
from zebin.file import read, write
from zebin.model import Zebin
from zebin.ze_info.text import parse_ze_info

if TYPE_CHECKING:
    from xegpu.targets import Target


def pack(target: Target, description: str, code: bytes, entry_offset: int = 0) -> bytes:
    """Returns a ZEBIN with one kernel.

    Args:
        target: The GPU that the code is for.
        description: The text of `.ze_info`, which describes that kernel and no other.
        code: The kernel's code, native or of the virtual ISA.
        entry_offset: The byte of the code where threads begin whose registers have been loaded.

    Raises:
        ZebinError: If the description is wrong, or does not fit the code.
    """
    info = parse_ze_info(description, strict=True)
    if len(info.kernels) != 1:
        report = Report()
        report.error("ze_info.kernels", "describes other than one kernel", found=len(info.kernels), expected="1")
        raise ZebinError(report.findings)
    builder = ElfBuilder()
    add_code(builder, info.kernels[0].name, code, entry_offset)
    file = builder.finish([Section(ZE_INFO, SectionType.ZEINFO), Section(COMPAT_NOTE, SectionType.NOTE)])
    data = write(Zebin(file, notes_of(target), info))
    read(data, strict=True)
    return data
