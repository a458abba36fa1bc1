"""The stages of a compilation: texts, each line of which knows the line of the source that it comes from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tools.explore.protocol import Json
from xegpu.diagnostics import location_of
from xegpu.dialects.printer import MLIRPrinter

MAX_TEXT = 2 << 20
"""The characters of a stage that are shown."""

LineOf = Callable[[Operation], int]
"""Returns the line of the source that an operation comes from, 0 where it is not known."""


@dataclass
class Stage:
    """A text that a kernel goes through.

    Attributes:
        title: What has made it, for the menus of the page.
        language: `mlir`, `llvm`, `spirv`, `xe-asm`, `yaml` or `text`.
        text: The text.
        lines: The line of the source that each of its lines comes from, 0 where it is not known.
        same: Whether it is the same text as that of the stage before, which is not repeated.
        columns: Numbers about its lines, by their names; None for lines without one.
        editable: The text as a source that can be edited, of language `source`; empty if it is none.
    """

    title: str
    language: str
    text: str = ""
    lines: Sequence[int] = ()
    same: bool = False
    columns: Mapping[str, Sequence[int | None]] = field(default_factory=dict)
    editable: str = ""
    source: str = ""

    def json(self) -> dict[str, Json]:
        """Returns the stage as the page reads it."""
        text = self.text
        if len(text) > MAX_TEXT:
            text = f"{text[:MAX_TEXT]}\n... {len(text) - MAX_TEXT} more characters"
        found: dict[str, Json] = {"title": self.title, "language": self.language, "text": text, "same": self.same}
        found["lines"] = list(self.lines)
        if self.editable and len(self.editable) <= MAX_TEXT:
            found["source"] = {"language": self.source, "text": self.editable}
        found["columns"] = {name: list(values) for name, values in self.columns.items()}
        return found


class _PlacingPrinter(MLIRPrinter):
    """Prints a module, and notes where each operation begins."""

    def __init__(self, line_of: LineOf) -> None:
        self._written = StringIO()
        super().__init__(stream=self._written)
        self._line_of = line_of
        self._starts: list[tuple[int, int]] = []

    def print_op(self, op: Operation) -> None:
        self._starts.append((self._written.tell(), self._line_of(op)))
        super().print_op(op)

    def placed(self) -> tuple[str, list[int]]:
        """Returns the text, and the line of the source that the first operation of each of its lines comes from."""
        text = self._written.getvalue()
        lines = [0] * (text.count("\n") + 1)
        number = end = -1
        for start, line in self._starts:
            while end < start:
                number += 1
                end = text.find("\n", end + 1)
                end = len(text) if end < 0 else end
                is_first = True
            if is_first:
                lines[number] = line
            is_first = False
        return text, lines


def lines_in(filename: str) -> LineOf:
    """Returns the function that tells the line of a file that an operation comes from."""

    def line_of(op: Operation) -> int:
        place = location_of(op)
        return place.line if place is not None and place.file == filename else 0

    return line_of


def mlir_stage(title: str, module: ModuleOp, line_of: LineOf) -> Stage:
    """Returns a module as a stage."""
    printer = _PlacingPrinter(line_of)
    printer.print_op(module)
    return Stage(title, "mlir", *printer.placed())


def shape_of(module: ModuleOp) -> list[object]:
    """Returns all objects that the text of a module is made of; it is the same text if they are the same objects.

    Comparing them takes far less time than printing the module after each pass, most of which change nothing.
    """
    found: list[object] = []
    for op in module.walk():
        found += (op, op.parent, *op.operands, *op.successors)
        found += (*op.properties, *op.properties.values(), *op.attributes, *op.attributes.values())
        for result in op.results:
            found += (result.type, result.name_hint)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    found += (argument, argument.type, argument.name_hint)
    return found


_PLACE = re.compile(r"^!(\d+) = (?:distinct )?!DI(?:Location|Subprogram)\(.*?\bline: (\d+)", re.MULTILINE)
_REFERENCE = re.compile(r"!dbg !(\d+)")


def llvm_stage(title: str, text: str) -> Stage:
    """Returns LLVM IR as a stage; its metadata tell lines."""
    known = {number: int(line) for number, line in _PLACE.findall(text)}
    found = (_REFERENCE.search(line) for line in text.split("\n"))
    return Stage(title, "llvm", text, [0 if match is None else known.get(match[1], 0) for match in found])


_LINE = re.compile(r"\s*OpLine\s+\S+\s+(\d+)\s")


def spirv_stage(title: str, text: str) -> Stage:
    """Returns SPIR-V as a stage; `OpLine` tells the lines of what follows it."""
    lines: list[int] = []
    current = 0
    for line in text.split("\n"):
        if (match := _LINE.match(line)) is not None:
            current = int(match[1])
        elif line.split(";")[0].split()[:1] in (["OpNoLine"], ["OpFunctionEnd"]):
            current = 0
        lines.append(current)
    return Stage(title, "spirv", text, lines)
