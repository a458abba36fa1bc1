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


def anchor(title: str) -> str:
    """Returns the anchor that a link to the section of this title names."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def fenced(text: str, language: str = "") -> Iterator[str]:
    """The lines of a block of code, after an empty one."""
    yield from ("", f"```{language}", text, "```")


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table, after an empty one; none where there are no rows."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if lines:
        yield from ("", f"| {' | '.join(titles)} |", f"|{' --- |' * len(titles)}", *lines)
