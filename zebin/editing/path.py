"""Paths in `.ze_info`: `kernels[vadd].payload_arguments[3].offset`.

Keys are joined by dots. An item of a list is selected in brackets, by its number (from 0) or by its name; a name that
looks like a number or contains a bracket is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from xegpu.on_demand import dataclass
from zebin.errors import Finding, excerpt


class EditError(ValueError):
    """Raised if an edit cannot be made. `findings` are the errors that the edited file would have, if they are the
    reason.
    """

    def __init__(self, message: str, findings: Iterable[Finding] = ()):
        super().__init__(message)
        self.findings = tuple(findings)


_STEP = re.compile(
    r"""(?P<key>\w+)(?:\[(?:(?P<number>\d{1,9})|'(?P<single>[^']*)'|"(?P<double>[^"]*)"|(?P<name>[^]'"]+))\])?"""
)

Selector: TypeAlias = int | str | None
"""The number or name of an item of a list, None for the list itself."""


@dataclass(frozen=True)
class PathStep:
    """One key of a path."""

    key: str
    item: Selector = None

    def __str__(self) -> str:
        return self.key if self.item is None else f"{self.key}[{self.item}]"


def parse_path(text: str) -> Sequence[PathStep]:
    """Returns the steps of a path.

    Raises:
        EditError: If the text is not a path.
    """
    steps: list[PathStep] = []
    at = 0
    while True:
        match = _STEP.match(text, at)
        if match is None:
            raise EditError(
                f"{excerpt(text)} is not a path: expected a key at {excerpt(text[at:])}, as in kernels[k].name"
            )
        names = (match[group] for group in ("single", "double", "name"))
        item = int(match["number"]) if match["number"] else next((name for name in names if name is not None), None)
        steps.append(PathStep(match["key"], item))
        at = match.end()
        if at == len(text):
            return steps
        if text[at] != ".":
            raise EditError(f"{excerpt(text)} is not a path: expected '.' or its end at {excerpt(text[at:])}")
        at += 1
