"""Errors of modules that use the builtins of ComputeMux wrongly."""

from __future__ import annotations

import re

from passes.frontends.optimisation import IrError


class MuxError(IrError):
    """A module breaks a rule of ComputeMux. `line` is where, counting from 1."""


def error(message: str, text: str, pattern: str, skip: int = 0) -> MuxError:
    """Returns an error at a line of a text.

    Args:
        message: What is wrong.
        text: The module as its author wrote it.
        pattern: What stands in the line.
        skip: The number of places before it that have the same pattern.

    """
    for place, found in enumerate(re.finditer(pattern, text, re.MULTILINE)):
        if place == skip:
            return MuxError(message, text.count("\n", 0, found.start()) + 1)
    return MuxError(message)
