"""Transform schedules in MLIR text: recipes for mlir-opt, which say how to rewrite a module and are no part of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xegpu.diagnostics import SourceBuffer, remark

_SCHEDULE = re.compile(r"^[^\S\n]*(transform\.(?:named_sequence|sequence))\b", re.MULTILINE)
_TOKEN = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|[(){}]')
_OPENING, _CLOSING = ("(", "{"), (")", "}")


def without_schedules(source: SourceBuffer) -> SourceBuffer:
    """Returns a source with blanks in place of its schedules, and tells of each; places in the text stay the same."""
    text = source.text
    for begin, end, name in list(_schedules(text)):
        remark(source.locate(begin), f"'{name}' is skipped: mlir-opt applies schedules, with --transform-interpreter")
        text = text[:begin] + re.sub(r"[^\n]", " ", text[begin:end]) + text[end:]
    return source if text is source.text else SourceBuffer(source.name, text, source.first_line)


def _schedules(text: str) -> Iterator[tuple[int, int, str]]:
    """Yields the first place of each schedule that is complete, the place after its last one, and its name."""
    end = 0
    for found in _SCHEDULE.finditer(text):
        if found.start() >= end and (last := _end_of_body(text, found.end())) is not None:
            end = last
            yield found.start(1), end, found[1]


def _end_of_body(text: str, start: int) -> int | None:
    """Returns the place after the brace that closes the body of an operation; None if nothing closes it.

    Braces in a list of parameters, or after `attributes`, hold attributes.
    """
    depth, is_body = 0, False
    for token in _TOKEN.finditer(text, start):
        if token[0] in _OPENING:
            if depth == 0:
                is_body = token[0] == "{" and not text[start : token.start()].rstrip().endswith("attributes")
            depth += 1
        elif token[0] in _CLOSING:
            depth -= 1
            if depth <= 0 and (is_body or depth < 0):
                return token.end() if depth == 0 else None
    return None
