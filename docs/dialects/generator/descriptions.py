"""Doc strings of ops: a text, and examples in MLIR.

An example is a fenced block, or a code span that begins with the op's name, be it after results and `=`.
"""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import NamedTuple

_FENCED = re.compile(r"```mlir\n(.*?)```\n*", re.DOTALL)
_SPAN = re.compile(r"`([^`]+)`")
_RESULTS = r"(?:%[\w:]+(?:, %[\w:]+)* = )?"


class Description(NamedTuple):
    """What a doc string says in words, in Markdown, and in examples, each of which is one op."""

    text: str
    examples: tuple[str, ...]


def describe(op: type, *names: str) -> Description:
    """The description of an op that occurs under `names`. What the class inherits does not count."""
    doc = cleandoc(op.__dict__.get("__doc__") or "")
    begin = re.compile(rf'{_RESULTS}"?({"|".join(map(re.escape, names))})(?![\w.])')
    fenced = [match[1].rstrip() for match in _FENCED.finditer(doc)]
    doc = _FENCED.sub("", doc)
    examples = [match for match in _SPAN.finditer(doc) if begin.match(match[1])]
    text = "\n\n".join(_without_leading(paragraph, begin) for paragraph in doc.split("\n\n"))
    return Description(
        re.sub(r"\n{3,}", "\n\n", text).strip(), (*fenced, *(_continued(example[1]) for example in examples))
    )


def _without_leading(paragraph: str, begin: re.Pattern[str]) -> str:
    """A paragraph whose first words are examples, without them."""
    rest = paragraph
    while (span := _SPAN.match(rest)) is not None and begin.match(span[1]):
        rest = re.sub(r"^(?:[,.:;]|or|and|\s)+", "", rest[span.end() :])
    return rest if rest == paragraph else rest[:1].upper() + rest[1:]


def _continued(example: str) -> str:
    """Lines after the first belong to it."""
    return example.replace("\n", "\n    ")
