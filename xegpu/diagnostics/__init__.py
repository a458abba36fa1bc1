"""Errors and warnings for users, each with its file, line and column."""

from __future__ import annotations

from xegpu.diagnostics.diagnostic import (
    XDSL_FAILURES,
    CompileError,
    Diagnostic,
    Handler,
    Severity,
    diagnose,
    failing_as,
    handling,
    note,
    remark,
    report,
    warn,
)
from xegpu.diagnostics.mlir.parsing import LocatingParser, parse_module
from xegpu.diagnostics.mlir.verification import verify
from xegpu.diagnostics.propagation import LocationListener, fill_locations, inherit_location
from xegpu.diagnostics.related import RuleViolation, about
from xegpu.diagnostics.rendering import render
from xegpu.diagnostics.source import SourceBuffer, SourceLocation, definition_of, location_of, resolve

__all__ = [
    "XDSL_FAILURES",
    "CompileError",
    "Diagnostic",
    "Handler",
    "LocatingParser",
    "LocationListener",
    "RuleViolation",
    "Severity",
    "SourceBuffer",
    "SourceLocation",
    "about",
    "definition_of",
    "diagnose",
    "failing_as",
    "fill_locations",
    "handling",
    "inherit_location",
    "location_of",
    "note",
    "parse_module",
    "remark",
    "render",
    "report",
    "resolve",
    "verify",
    "warn",
]
