"""The rules of ops, types and attributes: what is said of the tests that break them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from xdsl.context import Context

from tools.opt.inputs import split
from xegpu.diagnostics import CompileError, Diagnostic, Severity, SourceBuffer, handling
from xegpu.mlir import parse_module, verify

_OP = re.compile(r'\s*(?P<code>(?:%[\w:]+(?:, %[\w:]+)* = )?"?(?P<name>[a-z]+\.[\w.]+).*)')
_DECLARATION = re.compile(r"func\.func private @\w+\((?:\) attributes \{\w+ = )?(?P<text>.*)[)}]$")
_NAME = re.compile(r"[!#](?P<dialect>\w+)(?:\.(?P<name>\w+)|<(?P<spaced>\w+) )")
_PREFIX = re.compile(r"'[\w.]+' op ")


class Rule(NamedTuple):
    """A message, and the line of MLIR that it is given for."""

    message: str
    code: str


def tested_rules(context: Context, folder: Path) -> Mapping[str, Sequence[Rule]]:
    """The rules that the invalid tests in `folder` break, by the name of the op, type or attribute that they are for.

    That the errors are those which the tests expect is for the tests to say.
    """
    found: defaultdict[str, dict[str, Rule]] = defaultdict(dict)
    for path in sorted(folder.glob("*invalid.mlir")):
        for piece in split(SourceBuffer(path.name, path.read_text())):
            for name, rule in _broken_rules(context, piece):
                found[name].setdefault(rule.message, rule)
    return {name: list(rules.values()) for name, rules in found.items()}


def _broken_rules(context: Context, piece: SourceBuffer) -> Iterator[tuple[str, Rule]]:
    for error in _errors(context, piece):
        if error.location is None:
            continue
        subject = _subject(_statement(piece, error.location.line))
        if subject is not None:
            name, code = subject
            yield name, Rule(_PREFIX.sub("", error.message, count=1), code)


def _statement(piece: SourceBuffer, number: int) -> str:
    """A line with those after it that begin with types."""
    lines = [piece.line(number) or ""]
    while (following := (piece.line(number + len(lines)) or "").strip()).startswith((":", "->")):
        lines.append(following)
    return " ".join(lines)


def _errors(context: Context, piece: SourceBuffer) -> Iterator[Diagnostic]:
    try:
        with handling(lambda _: None):  # warnings are no rules
            verify(parse_module(context, piece))
    except CompileError as error:
        yield from (found for found in error.diagnostics if found.severity is Severity.ERROR)


def _subject(line: str) -> tuple[str, str] | None:
    """The name of what stands on a line, and its text."""
    if (declaration := _DECLARATION.match(line)) is not None:
        text = declaration["text"]
        name = _NAME.match(text)
        return (f"{name['dialect']}.{name['name'] or name['spaced']}", text) if name else None
    op = _OP.match(line)
    return (op["name"], op["code"].strip()) if op else None
