"""The rules for a text of `.ze_info` that is not part of a file."""

from __future__ import annotations

from zebin.elf.model import ElfClass
from zebin.elf.notes import TargetNotes
from zebin.errors import Report, ZebinError
from zebin.rules.kernels import check_kernels
from zebin.rules.limits import limits_of
from zebin.ze_info.schema import ZeInfo
from zebin.ze_info.text import read_ze_info_text

_ANY_TARGET = TargetNotes()


def parse_ze_info(text: str, *, strict: bool = False, target: TargetNotes = _ANY_TARGET) -> ZeInfo:
    """Returns the records of a text, which obey the same rules as those in a file of 64 bits.

    Args:
        text: The text.
        strict: Treat unknown keys as errors, as current drivers do.
        target: The GPU, whose limits the kernels have; without one, those that all have.

    Raises:
        ZebinError: If the text has errors.
    """
    report = Report()
    ze_info, text_report = read_ze_info_text(text, report, strict=strict)
    check_kernels(ze_info, text_report, ElfClass.ELF64, limits_of(target))
    if report.has_errors:
        raise ZebinError(report.findings)
    return ze_info
