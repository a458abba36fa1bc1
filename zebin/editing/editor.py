"""The editing API: a sequence of changes, then the resulting file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from os import PathLike
from typing import Self

from zebin.binary.file import map_file, read
from zebin.editing.container import replace_contents
from zebin.editing.document import ZeInfoDocument, attribute_at
from zebin.editing.path import EditError, parse_path
from zebin.editing.values import value_of_words
from zebin.elf.constants import ZE_INFO, SectionType
from zebin.elf.model import Buffer
from zebin.errors import Finding, FindingSeverity, Report, ZebinError
from zebin.yaml.source import SourceText, read_text

_ITEM_NUMBER = re.compile(r"\[\d+\]")


def edit(source: Buffer | str | PathLike[str]) -> Editor:
    """Returns an editor for a ZEBIN, given as bytes or as the path of a file, which itself is not changed.

    Raises:
        ZebinError: If the file's structure cannot be read or its `.ze_info` is not text.
        EditError: If it has no `.ze_info`.
        OSError: If the file cannot be read.
    """
    return Editor(map_file(source) if isinstance(source, str | PathLike) else memoryview(source))


def parse_value(path: str, text: str) -> object:
    """Returns the value that a user's text stands for: numbers and booleans according to the key's type, else JSON.

    Text that is no such value is returned unchanged, for `Editor.set` to refuse.

    Raises:
        EditError: If the path is wrong.
    """
    return value_of_words(attribute_at(parse_path(path)).kind, text)


class Editor:
    """A ZEBIN with changes to its `.ze_info`. Paths are those of `zebin.editing.path`; every change returns the editor.

    A change edits lines: comments, layout and unknown keys of the text stay, and so do all other bytes of the file.
    Values are Python's: `int`, `bool`, `str`, `float`, three integers for sizes, mappings and lists of mappings for
    records.

    All methods raise `EditError` if the path is wrong or the value is not of the key's type.
    """

    def __init__(self, data: memoryview):
        self._data = data
        zebin = read(data, lenient=True)
        section = next(iter(zebin.elf.of_type(SectionType.ZEINFO)), None)
        if section is None:
            raise EditError(f"there is no {ZE_INFO} to change")
        self._elf, self._section, self._findings = zebin.elf, section, zebin.findings
        content = bytes(section.data)
        self._text = read_text(section, Report()).text
        text_end = len(content.rstrip(b"\0"))
        self._tail = content[text_end:]
        self._lacks_newline = not content[:text_end].endswith(b"\n")

    def set(self, path: str, value: object) -> Self:
        """Sets a key, and creates it and missing records on the path."""
        self._text = self._document().put(parse_path(path), value)
        return self

    def append(self, path: str, value: object) -> Self:
        """Appends an item, a mapping of keys to values, to a list, and creates the list if it is missing."""
        self._text = self._document().append(parse_path(path), value)
        return self

    def delete(self, path: str) -> Self:
        """Removes a key with everything below it, or an item of a list. What becomes empty is removed as well."""
        self._text = self._document().remove(parse_path(path))
        return self

    @property
    def text(self) -> str:
        """The current text of `.ze_info`."""
        return self._text.removesuffix("\n") if self._lacks_newline else self._text

    def binary(self, *, force: bool = False) -> bytes:
        """Returns the file with all changes.

        Args:
            force: Return the file even if the changes cause new errors.

        Raises:
            EditError: If the changes cause errors that the file did not have.
        """
        content = self.text.encode() + self._tail
        if content == bytes(self._section.data):
            return bytes(self._data)
        data = replace_contents(self._data, self._elf, self._section, content)
        if not force:
            faults = new_faults(data, self._findings)
            if faults:
                count = f"{len(faults)} faults" if len(faults) > 1 else "a fault"
                raise EditError(f"the edited file would have {count}: {faults[0]}", faults)
        return data

    def _document(self) -> ZeInfoDocument:
        return ZeInfoDocument(SourceText(self._text, self._section.offset, self._section.label))


def new_faults(data: bytes, before: Iterable[Finding]) -> list[Finding]:
    """Returns the errors in a file but for those that it had before."""
    try:
        findings = read(data, lenient=True).findings
    except ZebinError as error:
        findings = error.findings
    known = Counter(_identity(finding) for finding in before)
    faults = []
    for finding in findings:
        if finding.severity is FindingSeverity.ERROR:
            if not known[_identity(finding)]:
                faults.append(finding)
            known[_identity(finding)] -= 1
    return faults


def _identity(finding: Finding) -> tuple[str, ...]:
    """Returns the identity of a finding, which remains although text moves and items are removed."""
    return finding.code, finding.message, _ITEM_NUMBER.sub("[]", finding.location.path), finding.found
