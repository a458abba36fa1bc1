"""Completion: the words that may stand where the user types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lsprotocol.types import CompletionItemKind

from tools.lsp.catalogue import Catalogue

_VALUE = re.compile(r"#(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|<[a-z_]+))(?:<| )\s*[\w.]*$", re.ASCII)
_NAME = re.compile(r"(?P<mark>[#!]?)(?P<prefix>[A-Za-z_]\w*)\.[\w.]*$", re.ASCII)
_START = re.compile(r"(?:^\s*|[={]\s*)(?:%[\w:]+(?:,\s*%[\w:]+)*\s*=\s*)?[A-Za-z_]\w*$|(?P<mark>[#!])\w*$", re.ASCII)

_WINDOW = 1000
"""The characters before the cursor that matter."""


class Proposal(NamedTuple):
    """A word that may stand at the cursor."""

    text: str
    kind: CompletionItemKind


def proposals(line: str, catalogue: Catalogue) -> Iterator[Proposal]:
    """Yields the completions of `line`, the text of a line up to the cursor.

    Behind the prefix of a dialect these are its operations, types or attributes, without the prefix; inside an
    enumeration its values; at the beginning of an operation, a type or an attribute the dialects.
    """
    line = line[-_WINDOW:]
    if (match := _VALUE.search(line)) is not None:
        for value in catalogue.values(match["name"].replace("<", ".")):
            yield Proposal(value, CompletionItemKind.EnumMember)
    elif (match := _NAME.search(line)) is not None:
        prefix, mark = match["prefix"], match["mark"]
        if mark:
            kind = CompletionItemKind.Class if mark == "!" else CompletionItemKind.Struct
            for name in sorted(catalogue.attributes(prefix, mark)):
                yield Proposal(name.removeprefix(f"{prefix}."), kind)
        else:
            for name in sorted(catalogue.operations(prefix)):
                yield Proposal(name.removeprefix(f"{prefix}."), CompletionItemKind.Function)
    elif _START.search(line) is not None:
        for name in catalogue.names:
            yield Proposal(name, CompletionItemKind.Module)
