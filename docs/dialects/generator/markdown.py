"""Pieces of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence


def code(text: str) -> str:
    """`text` as a code span of a table, whatever backticks and bars it has."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}".replace("|", "\\|")


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table, after an empty one; none where there are no rows."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if lines:
        yield from ("", f"| {' | '.join(titles)} |", f"|{' --- |' * len(titles)}", *lines)
