"""Doc strings of ops, types and attributes: a text, and examples in MLIR.

An example is a fenced block, or a code span that begins with the name, be it after results and `=` or after a sigil.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from inspect import cleandoc
from typing import NamedTuple

from xdsl.ir import Attribute

from xegpu.dialects.documentation.constraints import sigil
from xegpu.dialects.documentation.markdown import fenced

_FENCED = re.compile(r"```mlir\n(.*?)```\n*", re.DOTALL)
_SPAN = re.compile(r"`([^`]+)`")
_RESULTS = r"(?:%[\w:]+(?:, %[\w:]+)* = )?"


class Description(NamedTuple):
    """The contents of a docstring: words, in Markdown, and examples, each of which is one op, type or attribute."""

    text: str
    examples: Sequence[str]

    def lines(self) -> Iterator[str]:
        """The examples as Markdown."""
        if self.examples:
            blocks = any("\n" in example for example in self.examples)
            yield from ("", "Example:" if len(self.examples) == 1 else "Examples:")
            yield from fenced(("\n\n" if blocks else "\n").join(self.examples), "mlir")


def describe_op(form: type, names: Sequence[str]) -> Description:
    """The description of an op that occurs under `names`. What the class inherits does not count."""
    return _describe(form, rf'{_RESULTS}"?({"|".join(map(re.escape, names))})(?![\w.])')


def describe_attribute(attribute: type[Attribute]) -> Description:
    """The description of a type or attribute; an example of one that is its name alone holds nothing else."""
    dialect, name = attribute.name.split(".", 1)
    return _describe(attribute, rf"{sigil(attribute)}{dialect}(\.{name}(<|$)|<{name} )")


def _describe(entry: type, beginning: str) -> Description:
    begin = re.compile(beginning)
    doc = cleandoc(entry.__dict__.get("__doc__") or "")
    blocks = [match[1].rstrip() for match in _FENCED.finditer(doc)]
    doc = _FENCED.sub("", doc)
    spans = [match[1].replace("\n", "\n    ") for match in _SPAN.finditer(doc) if begin.match(match[1])]
    text = "\n\n".join(_without_leading(paragraph, begin) for paragraph in doc.split("\n\n"))
    return Description(re.sub(r"\n{3,}", "\n\n", text).strip(), (*blocks, *spans))


def _without_leading(paragraph: str, begin: re.Pattern[str]) -> str:
    """A paragraph whose first words are examples, without them."""
    rest = paragraph
    while (span := _SPAN.match(rest)) is not None and begin.match(span[1]):
        rest = re.sub(r"^(?:[,.:;]|or|and|\s)+", "", rest[span.end() :])
    return rest if rest == paragraph else rest[:1].upper() + rest[1:]
