"""`--verify-diagnostics`: comments that say which messages an input must give.

    // expected-error@+1 {{part of the message}}
    // expected-warning-re@below {{exact {{regular|expression}} inside}}

A comment expects one message of its kind that contains its text, on its own line, `+N` or `-N` lines away, on the
nearest line `above` or `below` that is no such comment, or (`unknown`) on no line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xegpu.diagnostics import CompileError, Diagnostic, Severity, SourceBuffer, SourceLocation

_COMMENT = re.compile(
    r"expected-(?P<kind>error|warning|remark|note)(?P<regex>-re)? *(@(?P<where>[+-]\d{1,9}|above|below|unknown))? *"
    r"\{\{(?P<text>.*)\}\}$"
)
_DESIGNATOR = re.compile(r"^\s*//\s*expected-(error|warning|remark|note)")


@dataclass(frozen=True)
class Expectation:
    """One expected message. `line` is the line of the message; None for a message without a location."""

    kind: Severity
    text: str
    pattern: re.Pattern[str]
    line: int | None
    comment: SourceLocation

    def is_met_by(self, diagnostic: Diagnostic) -> bool:
        line = None if diagnostic.location is None else diagnostic.location.line
        return (
            self.kind is diagnostic.severity
            and self.line == line
            and self.pattern.search(diagnostic.message) is not None
        )


def expectations(source: SourceBuffer) -> list[Expectation]:
    """Returns the expected messages in `source`. Raises `CompileError` for an illegal regular expression."""
    lines = source.text.split("\n")
    return [
        _expectation(source, lines, index, match)
        for index, line in enumerate(lines)
        if (match := _COMMENT.search(line.rstrip())) is not None
    ]


def _expectation(source: SourceBuffer, lines: Sequence[str], index: int, match: re.Match[str]) -> Expectation:
    comment = SourceLocation(source.name, source.first_line + index, match.start() + 1)
    text = match["text"]
    try:
        pattern = re.compile(_pattern(text) if match["regex"] else re.escape(text))
    except re.error as error:
        raise CompileError(comment, f"illegal regular expression '{text}': {error}") from error
    target = _line(lines, index, match["where"])
    return Expectation(
        Severity(match["kind"]), text, pattern, None if target is None else source.first_line + target, comment
    )


def _pattern(text: str) -> str:
    """Returns the pattern of a text in which `{{...}}` are regular expressions and the rest is literal."""
    parts = re.split(r"\{\{(.*?)\}\}", text)
    return "".join(f"(?:{part})" if number % 2 else re.escape(part) for number, part in enumerate(parts))


def _line(lines: Sequence[str], index: int, where: str | None) -> int | None:
    """Returns the index of the line that a comment at `index` refers to; None for no line."""
    if where == "unknown":
        return None
    if where in ("above", "below"):
        step = -1 if where == "above" else 1
        index += step
        while 0 <= index < len(lines) and _DESIGNATOR.match(lines[index]):
            index += step
        return index
    return index + int(where or 0)


def mismatches(expected: Sequence[Expectation], given: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Yields an error for each unexpected message, and for each expected message that was not produced.

    Notes need not be expected.
    """
    open_expectations = list(expected)
    for diagnostic in _with_notes(given):
        met = next((entry for entry in open_expectations if entry.is_met_by(diagnostic)), None)
        if met is not None:
            open_expectations.remove(met)
        elif diagnostic.severity is not Severity.NOTE:
            yield Diagnostic(
                Severity.ERROR, f"unexpected {diagnostic.severity.value}: {diagnostic.message}", diagnostic.location
            )
    for entry in open_expectations:
        yield Diagnostic(Severity.ERROR, f'expected {entry.kind.value} "{entry.text}" was not produced', entry.comment)


def _with_notes(diagnostics: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    for diagnostic in diagnostics:
        yield diagnostic
        yield from _with_notes(diagnostic.notes)
