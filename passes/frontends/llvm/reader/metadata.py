"""Reads the metadata that kernels need: numbers of nodes, and places in the source."""

from __future__ import annotations

import re

from xdsl.dialects.builtin import FileLineColLoc

from passes.frontends.llvm.reader.tokens import place

_FIELD = re.compile(r'(\w+): ("(?:[^"]*)"|[^,()]+)')
_INTEGER = re.compile(r"\bi\d+ (-?[0-9]{1,18})\b")
_STRING = re.compile(r'!"([^"]*)"')
_POSITION = re.compile(r"[0-9]{1,9}")
_MOST_SCOPES = 64


class Metadata:
    """The nodes of a module by name, read when they are asked for."""

    def __init__(self) -> None:
        self._lines: dict[str, str] = {}
        self._places: dict[str, FileLineColLoc | None] = {}

    def add(self, line: str) -> None:
        """Keeps the line of a node."""
        name, _, text = line.partition(" = ")
        self._lines[name] = text

    def text(self, node: str) -> str:
        """Returns the text of a node; empty without one."""
        return self._lines.get(node, "")

    def numbers(self, node: str) -> list[int]:
        """Returns the integers in a node."""
        return [int(number) for number in _INTEGER.findall(self._lines.get(node, ""))]

    def strings(self, node: str) -> list[str]:
        """Returns the strings in a node."""
        return _STRING.findall(self._lines.get(node, ""))

    def place(self, node: str) -> FileLineColLoc | None:
        """Returns the place in the source that a location or a function names."""
        if node not in self._places:
            fields = self._fields(node)
            file = self._file(fields)
            line, column = fields.get("line", "0"), fields.get("column", "1")
            if file is not None and _POSITION.fullmatch(line) and _POSITION.fullmatch(column):
                self._places[node] = place(file, int(line), int(column) or 1)
            else:
                self._places[node] = None
        return self._places[node]

    def _fields(self, node: str) -> dict[str, str]:
        return dict(_FIELD.findall(self._lines.get(node, "")))

    def _file(self, fields: dict[str, str]) -> str | None:
        for _ in range(_MOST_SCOPES):
            if "filename" in fields:
                name, folder = fields["filename"].strip('"'), fields.get("directory", "").strip('"')
                return f"{folder}/{name}" if folder not in ("", ".") and not name.startswith(("/", "<")) else name
            following = fields.get("file") or fields.get("scope")
            if following is None:
                return None
            fields = self._fields(following)
        return None
