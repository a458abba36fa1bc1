"""Errors of modules that use the builtins of ComputeMux wrongly."""

from __future__ import annotations

import re
from itertools import islice

from passes.frontends.optimisation import IrError


class MuxIrError(IrError):
    """A module breaks a rule of ComputeMux. `line` is where, counting from 1."""


def error(message: str, text: str, pattern: str, skip: int = 0, behind: str = "") -> MuxIrError:
    """Returns an error at a line of a text.

    Args:
        message: What is wrong.
        text: The module as its author wrote it.
        pattern: What stands in the line.
        skip: The number of places before it that have the same pattern.
        behind: A pattern that stands before all of them, such as the head of a function.

    """
    head = re.search(behind, text, re.MULTILINE)
    start = head.end() if head is not None else 0
    places = re.compile(pattern, re.MULTILINE).finditer(text, start)
    place = next(islice(places, skip, None), None)
    return MuxIrError(message, None if place is None else text.count("\n", 0, place.start()) + 1)
