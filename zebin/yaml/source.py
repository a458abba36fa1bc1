"""The text of `.ze_info`, with the mapping from positions in it to bytes of the file."""

from __future__ import annotations

import re

from zebin.elf.model import Section
from zebin.errors import EXCERPT_LENGTH, BinaryLocation, Finding, FindingSeverity, Report, ZebinError, excerpt

_COLON = re.compile(" *+:")
_BYTE_ORDER_MARKS = {b"\xef\xbb\xbf": "UTF-8 byte order mark", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


class SourceText:
    """Text at byte `offset` of a file; `label` names it in messages."""

    def __init__(self, text: str, offset: int = 0, label: str = ""):
        self.text, self._offset, self._label = text, offset, label

    def location(self, at: int, path: str = "") -> BinaryLocation:
        """Returns byte offset, line and column of the character at position `at`."""
        line_start = self.text.rfind("\n", 0, at) + 1
        bytes_before = at if self.text.isascii() else len(self.text[:at].encode())
        return BinaryLocation(self._offset + bytes_before, self._label, self.line(at), at - line_start + 1, path)

    def line(self, at: int) -> int:
        return self.text.count("\n", 0, at) + 1

    def find_key(self, at: int, key: str) -> int:
        """Returns the position of `key` in the mapping whose first key is at `at`, or `at` if it is not there."""
        if at < 0 or self._is_key(at, key):
            return at
        column = at - (self.text.rfind("\n", 0, at) + 1)
        line = "\n" + " " * column + key
        found = self.text.find(line, at)
        while found >= 0 and not self._is_key(found + column + 1, key):
            found = self.text.find(line, found + 1)
        if found < 0 or (column and re.compile(rf"\n {{0,{column - 1}}}+[^ \r\n#]").search(self.text, at, found)):
            return at
        return found + column + 1

    def _is_key(self, at: int, key: str) -> bool:
        """Returns True if the key and a colon are at `at`."""
        return self.text.startswith(key, at) and _COLON.match(self.text, at + len(key)) is not None


class TextReport:
    """Reports findings about a text. `path` leads to the current value, for example `kernels[0].name`.

    Locating a line takes time, so nothing is located for findings that the report would drop.
    """

    def __init__(self, source: SourceText, report: Report):
        self.source, self.report = source, report
        self.path: list[str | int] = []

    def drops(self, severity: FindingSeverity) -> bool:
        """Returns True if the report would drop another finding. The first error is always kept."""
        return self.report.is_full and (severity is not FindingSeverity.ERROR or self.report.has_errors)

    def add(
        self, severity: FindingSeverity, code: str, message: str, at: int, *, found: object = "", expected: str = ""
    ) -> None:
        if not self.drops(severity):
            location = self.source.location(at, _path_text(self.path))
            self.report.add(Finding(severity, code, message, location, str(found), expected))

    def error(self, code: str, message: str, at: int, *, found: object = "", expected: str = "") -> None:
        self.add(FindingSeverity.ERROR, code, message, at, found=found, expected=expected)

    def warning(self, code: str, message: str, at: int, *, found: object = "", expected: str = "") -> None:
        self.add(FindingSeverity.WARNING, code, message, at, found=found, expected=expected)

    def info(self, code: str, message: str, at: int, *, found: object = "", expected: str = "") -> None:
        self.add(FindingSeverity.INFO, code, message, at, found=found, expected=expected)

    def fatal(self, code: str, message: str, at: int, *, found: object = "", expected: str = "") -> ZebinError:
        """Adds an error after which nothing can be read, and returns the exception for the caller to raise."""
        self.error(code, message, at, found=found, expected=expected)
        return ZebinError(self.report.findings)


def _path_text(path: list[str | int]) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part[:EXCERPT_LENGTH]}" for part in path)
    return text.removeprefix(".")


_WIDE = re.compile(r"[^\x00-\xff]")
TEXT_LIMIT = 128 << 20
"""Bytes of a text: a thousand times what compilers write for their largest modules."""
WIDE_LIMIT = 8 << 20
"""Characters of a text that contains characters beyond Latin-1, each of which takes two or four bytes in memory."""


def read_text(section: Section, report: Report) -> SourceText:
    """Returns the section as text that ends with a newline.

    Raises:
        ZebinError: If it is not UTF-8, contains zero bytes, or is too long.
    """
    data = memoryview(section.data)
    if len(data) > TEXT_LIMIT:
        found, expected = f"{len(data)} bytes", f"at most {TEXT_LIMIT}"
        raise report.fatal("yaml.limit", "long text", section.location(), found=found, expected=expected)
    start = bytes(data[:4])
    for mark, what in _BYTE_ORDER_MARKS.items():
        if start.startswith(mark):
            found = f"{what} ({start.hex(' ')})"
            raise report.fatal("yaml.encoding", "text is not plain UTF-8", section.location(), found=found)
    try:
        text = str(data, "utf-8")
    except UnicodeDecodeError as error:
        location, found = section.location(error.start), excerpt(bytes(data[error.start : error.end]))
        raise report.fatal("yaml.encoding", "text is not UTF-8", location, found=found) from None
    if len(text) > WIDE_LIMIT and not text.isascii() and _WIDE.search(text):
        expected = f"at most {WIDE_LIMIT} with characters beyond Latin-1"
        raise report.fatal(
            "yaml.limit", "long text", section.location(), found=f"{len(text)} characters", expected=expected
        )
    source = SourceText(text, section.offset, section.label)
    zero = text.find("\0")
    if zero >= 0:
        end = len(text.rstrip("\0"))
        if zero < end:
            found = excerpt(text[max(zero - 8, 0) : zero + 8])
            raise report.fatal("yaml.nul", "zero byte in the text", source.location(zero), found=found)
        report.warning("yaml.nul", f"{len(text) - end} zero bytes at the end of the text", source.location(end))
        text = text[:end]
    return SourceText(text if text.endswith("\n") else text + "\n", section.offset, section.label)
