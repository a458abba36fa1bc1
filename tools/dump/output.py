"""Standard output: text, tables and bytes, with colors on request."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping

from tools.cli import Style, is_colored, styled
from zebin.dump import Table
from zebin.elf import Buffer

_MANGLED = re.compile(r"_Z\w+")


class DumpOutput:
    """Standard output. `color` is `auto`, `always` or `never`; `names` are shown instead of the mangled ones."""

    def __init__(self, color: str = "never", names: Mapping[str, str] | None = None):
        self._is_colored = is_colored(color, sys.stdout)
        self._names = names or {}

    def _readable(self, text: str) -> str:
        return _MANGLED.sub(lambda match: self._names.get(match[0], match[0]), text) if self._names else text

    def line(self, text: str = "", style: Style | None = None) -> None:
        """Prints a line. Text from a file must have been made printable."""
        text = self._readable(text)
        print(styled(text, style) if self._is_colored and style is not None else text)

    def lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            print(self._readable(line))

    def table(self, table: Table) -> None:
        """Prints a table as it is on every terminal: rows that are too long are not folded inside of their columns."""
        lines = iter(table.mapped(self._readable).lines() if self._names else table.lines())
        self.line(next(lines), Style.TITLE)
        if any(table.columns):
            self.line(next(lines), Style.HEADING)
        self.lines(lines)
        self.line()

    def raw(self, data: Buffer) -> None:
        """Writes bytes unchanged."""
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def title(self, text: str) -> None:
        self.line(f"# {text}", Style.HEADING)
        self.line()
