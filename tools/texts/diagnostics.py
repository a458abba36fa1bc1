"""Diagnostics of MLIR as messages of a command."""

from __future__ import annotations

from xegpu.diagnostics import Diagnostic, SourceBuffer, render


def message(diagnostic: Diagnostic, source: SourceBuffer, command: str) -> str:
    """Returns a diagnostic with its source line. Without a location, it starts with the command as other errors do."""
    text = render(diagnostic, {source.name: source})
    return text if diagnostic.location is not None else f"{command}: {text}"
