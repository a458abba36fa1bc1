"""Output streams: coloured tables on a terminal, plain text elsewhere."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TextIO

from zebin.dump import Table, printable
from zebin.elf import Buffer

if TYPE_CHECKING:
    from rich.console import Console

_ROWS_DRAWN = 2_000
"""Rows up to which tables are drawn with colours; longer ones are printed as plain text, row by row."""

_INTERRUPTED = 130
"""The exit status that shells report for a command ended by Ctrl-C."""


class DumpOutput:
    """Standard output. `color` is `auto`, `always` or `never`."""

    def __init__(self, color: str = "never"):
        self._console = _console(color) if color == "always" or (color == "auto" and sys.stdout.isatty()) else None

    def line(self, text: str = "", style: str = "") -> None:
        """Prints a line. Text from a file must have been made printable."""
        if self._console is None or not style:
            print(text)
        else:
            self._console.print(text, style=style, markup=False, soft_wrap=True)

    def lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            print(line)

    def table(self, table: Table) -> None:
        if self._console is None or len(table.rows) > _ROWS_DRAWN:
            self.lines(table.lines())
            self.line()
        else:
            self._console.print(_rich_table(table))

    def raw(self, data: Buffer) -> None:
        """Writes bytes unchanged."""
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def title(self, text: str) -> None:
        self.line(f"# {text}", "bold")
        self.line()


def complain(text: str) -> None:
    """Prints lines on standard error, after flushing standard output."""
    sys.stdout.flush()
    for line in text.split("\n"):
        print(printable(line), file=sys.stderr)


def prepare_streams() -> None:
    """Makes closed standard streams discard their output, and lets all of them escape what is not Unicode."""
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def finish(command: Callable[[], int], trouble: int) -> int:
    """Runs a command and returns its exit status, `trouble` if its output cannot be written or it is interrupted.

    A closed pipe is not reported: its reader has seen enough.
    """
    try:
        status = command()
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        return trouble
    except OSError as error:
        print(f"error: cannot write the output: {error.strerror or error}", file=sys.stderr)
        _discard_output()
        return trouble
    except KeyboardInterrupt:
        _discard_output()
        return _INTERRUPTED
    return status


def _discard_output() -> None:
    """Redirects standard output, because Python reports the failure again when it closes the stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _nowhere() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _console(color: str) -> Console:
    from rich.console import Console

    always = color == "always"
    return Console(highlight=False, force_terminal=always, width=None if sys.stdout.isatty() else 160)


def _rich_table(table: Table) -> object:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(
        title=Text(printable(table.title), "bold cyan"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        show_header=any(table.columns),
        header_style="bold",
    )
    for column in table.columns:
        drawn.add_column(Text(column), justify="right" if column in table.numbers else "left", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(printable(cell)) for cell in row))
    return drawn
