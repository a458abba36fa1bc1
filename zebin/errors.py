"""Findings: what is wrong with a binary and where, the value found and the value expected."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from xegpu.on_demand import dataclass

FINDING_LIMIT = 100
"""Findings that are listed. A hostile file can contain millions of errors; the first hundred suffice."""

EXCERPT_LENGTH = 60


def excerpt(value: str | bytes) -> str:
    """Returns the value quoted, with escapes, and shortened for a message."""
    text = repr(value[: EXCERPT_LENGTH + 1])
    return text if len(value) <= EXCERPT_LENGTH else f"{text[:EXCERPT_LENGTH]}...{text[-1]}"


class FindingSeverity(StrEnum):
    """The severity of a finding: a driver refuses the file, the file is usable, or the fact is worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class BinaryLocation:
    """A location in a file: byte offset, section, and for `.ze_info` the line, column and path of the key."""

    offset: int | None = None
    section: str = ""
    line: int | None = None
    column: int | None = None
    path: str = ""

    def __str__(self) -> str:
        parts = [
            f"{self.offset:#x}" if self.offset is not None else "",
            self.section,
            f"line {self.line}:{self.column}" if self.line is not None else "",
            self.path,
        ]
        return ", ".join(part for part in parts if part)


NOWHERE = BinaryLocation()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with a binary. `code` is stable and meant for programs, for example `sec.bounds`."""

    severity: FindingSeverity
    code: str
    message: str
    location: BinaryLocation = NOWHERE
    found: str = ""
    expected: str = ""

    @property
    def offset(self) -> int | None:
        """The byte offset in the file."""
        return self.location.offset

    @property
    def section(self) -> str:
        """The section's number and name, empty if the finding concerns the whole file."""
        return self.location.section

    def __str__(self) -> str:
        where = str(self.location)
        text = f"{where}: {self.severity}: {self.message}" if where else f"{self.severity}: {self.message}"
        details = [f"found {self.found}" if self.found else "", f"expected {self.expected}" if self.expected else ""]
        stated = ", ".join(detail for detail in details if detail)
        return f"{text}: {stated} [{self.code}]" if stated else f"{text} [{self.code}]"


class ZebinError(ValueError):
    """Raised for a binary that cannot be used. `findings` holds all findings, `finding` the first error."""

    def __init__(self, findings: Iterable[Finding]):
        self.findings = tuple(findings)
        errors = [finding for finding in self.findings if finding.severity is FindingSeverity.ERROR]
        self.finding = errors[0]
        super().__init__(f"{errors[0]} (and {len(errors) - 1} more)" if len(errors) > 1 else str(errors[0]))


class Report:
    """Collects findings while a file is read, and stops collecting at `FINDING_LIMIT`."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.has_errors = False
        self.is_full = False

    def add(self, finding: Finding) -> None:
        first_error = finding.severity is FindingSeverity.ERROR and not self.has_errors
        self.has_errors |= first_error
        if len(self.findings) < FINDING_LIMIT or first_error:
            self.findings.append(finding)
        elif not self.is_full:
            self.is_full = True
            text = f"more than {FINDING_LIMIT} findings; the rest is not listed"
            self.findings.append(Finding(FindingSeverity.INFO, "report.limit", text))

    def error(
        self, code: str, message: str, location: BinaryLocation = NOWHERE, *, found: object = "", expected: str = ""
    ) -> None:
        self.add(Finding(FindingSeverity.ERROR, code, message, location, str(found), expected))

    def warning(
        self, code: str, message: str, location: BinaryLocation = NOWHERE, *, found: object = "", expected: str = ""
    ) -> None:
        self.add(Finding(FindingSeverity.WARNING, code, message, location, str(found), expected))

    def info(
        self, code: str, message: str, location: BinaryLocation = NOWHERE, *, found: object = "", expected: str = ""
    ) -> None:
        self.add(Finding(FindingSeverity.INFO, code, message, location, str(found), expected))

    def fatal(
        self, code: str, message: str, location: BinaryLocation = NOWHERE, *, found: object = "", expected: str = ""
    ) -> ZebinError:
        """Adds an error after which nothing can be read, and returns the exception for the caller to raise."""
        self.error(code, message, location, found=found, expected=expected)
        return ZebinError(self.findings)
