"""Errors and warnings for people: every one knows file, line and column."""

from __future__ import annotations

from xegpu.diagnostics.diagnostic import (
    CompileError,
    Diagnostic,
    Handler,
    Severity,
    diagnose,
    handling,
    note,
    remark,
    warn,
)
from xegpu.diagnostics.source import Source, SourceLocation, definition_of, inherit_location, location_of, resolve

__all__ = [
    "CompileError",
    "Diagnostic",
    "Handler",
    "Severity",
    "Source",
    "SourceLocation",
    "definition_of",
    "diagnose",
    "handling",
    "inherit_location",
    "location_of",
    "note",
    "remark",
    "resolve",
    "warn",
]
