"""Checks a text with the parser and the rules of the dialects."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context

from tools.opt.inputs import split
from xegpu.diagnostics import CompileError, Diagnostic, SourceBuffer, handling
from xegpu.dialects import register_dialects
from xegpu.mlir import parse_module, verify


def check(source: SourceBuffer, *, allow_unregistered: bool) -> Sequence[Diagnostic]:
    """Returns the errors and warnings of a text; its pieces between split markers are modules of their own."""
    found: dict[Diagnostic, None] = {}
    context = Context(allow_unregistered=allow_unregistered)
    register_dialects(context)

    def keep(diagnostic: Diagnostic) -> None:
        found[diagnostic] = None

    with handling(keep):
        for piece in split(source):
            try:
                verify(parse_module(context, piece))
            except CompileError as error:
                found.update(dict.fromkeys(error.diagnostics))
    return list(found)
