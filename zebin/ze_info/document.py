"""The tables of docs/zebin.md that follow from the schema: `python -m zebin.ze_info.document docs/zebin.md`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from zebin.ze_info.conditions import AttributeCondition
from zebin.ze_info.kinds import WordKind
from zebin.ze_info.records import ListKind, Record, RecordAttribute, RecordKind
from zebin.ze_info.schema import ZeInfo

_BEGIN, _END = "<!-- begin: schema -->\n", "<!-- end: schema -->\n"
_MOST_WORDS = 5
"""Words of a condition that are listed; the rest is summarized."""


def schema_tables() -> str:
    """Returns a table for each record, in the order of files, and one for the words of all enumerations."""
    records, words = _reachable()
    parts = [line for record_type in records for line in _record_lines(record_type)]
    parts += ["### Words", "", "| Type | Words |", "|---|---|"]
    parts += [f"| `{kind.name}` | {', '.join(_word(kind, word) for word in kind.words)} |" for kind in words]
    return "\n".join(parts) + "\n"


def renewed(page: str) -> str:
    """Returns the page with current tables."""
    pattern = re.compile(re.escape(_BEGIN) + ".*?" + re.escape(_END), re.DOTALL)
    return pattern.sub(lambda _: f"{_BEGIN}\n{schema_tables()}\n{_END}", page)


def _reachable() -> tuple[list[type[Record]], list[WordKind[StrEnum]]]:
    """Returns all records and enumerations that are reachable from the root, each once."""
    records: dict[type[Record], None] = {}
    words: dict[str, WordKind[StrEnum]] = {}
    pending: list[type[Record]] = [ZeInfo]
    while pending:
        record_type = pending.pop(0)
        if record_type in records:
            continue
        records[record_type] = None
        for row in record_type.attributes:
            kind = row.kind
            if isinstance(kind, ListKind):
                pending.append(kind.item.record_type)
            elif isinstance(kind, RecordKind):
                pending.append(kind.record_type)
            elif isinstance(kind, WordKind):
                words.setdefault(kind.name, kind)
    return list(records), list(words.values())


def _record_lines(record_type: type[Record]) -> Iterator[str]:
    summary = " ".join((record_type.__doc__ or "").split())
    yield from (f"### {record_type.__name__}", "", summary, "")
    yield from ("| Key | Type | Default | Since | Remarks |", "|---|---|---|---|---|")
    for row in record_type.attributes:
        since = f"1.{row.since}" if row.since else ""
        yield f"| `{row.key}` | {row.kind.name} | {_default(row)} | {since} | {_remarks(row)} |"
    yield ""


def _default(row: RecordAttribute) -> str:
    if row.required:
        return "required"
    match row.default:
        case None | "":
            return "absent"
        case []:
            return "empty"
        case bool():
            return str(row.default).lower()
        case tuple():
            return str(list(row.default))
        case _:
            return str(row.default)


def _remarks(row: RecordAttribute) -> str:
    remarks = []
    if row.when is not None:
        remarks.append(f"with {_condition(row.when)}")
    if row.expected is not None:
        remarks.append("should be stated" + ("" if row.expected == row.when else f" with {_condition(row.expected)}"))
    if row.aliases:
        remarks.append(f"also read: {', '.join(f'`{alias}`' for alias in row.aliases)}")
    if row.unknown_to_drivers:
        remarks.append("drivers refuse it")
    return "; ".join(remarks)


def _condition(condition: AttributeCondition) -> str:
    return " or ".join(
        " and ".join(f"`{name}` {_words(list(allowed))}" for name, allowed in words.items())
        for words in condition.alternatives
    )


def _words(allowed: Sequence[str]) -> str:
    shown = ", ".join(allowed[:_MOST_WORDS])
    return shown if len(allowed) <= _MOST_WORDS else f"{shown} and others of arguments"


def _word(kind: WordKind[StrEnum], word: str) -> str:
    since = kind.since.get(word)
    refused = "; refused" if kind.words[word] in kind.unknown_to_drivers else ""
    note = f" (1.{since}{refused})" if since else f" ({refused.removeprefix('; ')})" if refused else ""
    return f"`{word}`{note}"


def main(argv: Sequence[str] | None = None) -> None:
    """Renews the tables of a page."""
    parser = argparse.ArgumentParser(prog="python -m zebin.ze_info.document", description=__doc__)
    parser.add_argument("page", type=Path)
    page = parser.parse_args(argv).page
    page.write_text(renewed(page.read_text()))


if __name__ == "__main__":
    main()
