"""Pieces of HTML from which objects build their display in notebooks (`_repr_html_`).

All text is escaped, whatever it comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

_LEFT = ' style="text-align:left"'


def heading(text: str) -> str:
    """Returns a line that names the content after it."""
    return f"<p><b><code>{escape(text)}</code></b></p>"


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """Returns a table; columns of numbers are aligned to the right, and an empty one says that there is nothing."""
    shown = [[_text(cell) for cell in row] for row in rows]
    if not shown:
        return f"<p>{escape(caption)}: none</p>" if caption else "<p>none</p>"
    styles = ["" if all(_is_number(row[column]) for row in shown) else _LEFT for column in range(len(columns))]
    head = "".join(f"<th{style}>{escape(name)}</th>" for name, style in zip(columns, styles, strict=True))
    body = "\n".join(
        "<tr>" + "".join(f"<td{style}>{escape(cell)}</td>" for cell, style in zip(row, styles, strict=True)) + "</tr>"
        for row in shown
    )
    title = f"<caption{_LEFT}>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def figures(values: Mapping[str, object]) -> str:
    """Returns a line of facts, each behind its name."""
    return "<p>" + " · ".join(f"{escape(name)} <b>{escape(_text(v))}</b>" for name, v in values.items()) + "</p>"


def listing(text: str) -> str:
    """Returns lines of code."""
    return f"<pre>{escape(text)}</pre>"


def folded(summary: str, body: str) -> str:
    """Returns HTML that a click on its summary unfolds."""
    return f"<details><summary>{escape(summary)}</summary>{body}</details>"


def _text(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "", 1).replace("e+", "", 1).replace("e-", "", 1).rstrip(" %").isdigit()
