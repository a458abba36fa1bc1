"""Errors and warnings for users, each with its file, line and column."""

from xegpu.diagnostics.diagnostic import (
    XDSL_FAILURES as XDSL_FAILURES,
    CompileError as CompileError,
    Diagnostic as Diagnostic,
    Handler as Handler,
    Severity as Severity,
    diagnose as diagnose,
    failing_as as failing_as,
    handling as handling,
    note as note,
    remark as remark,
    report as report,
    warn as warn,
)
from xegpu.diagnostics.propagation import (
    LocationListener as LocationListener,
    fill_locations as fill_locations,
    inherit_location as inherit_location,
)
from xegpu.diagnostics.related import RuleViolation as RuleViolation, about as about
from xegpu.diagnostics.rendering import render as render
from xegpu.diagnostics.source import (
    SourceBuffer as SourceBuffer,
    SourceLocation as SourceLocation,
    definition_of as definition_of,
    file_name as file_name,
    location_of as location_of,
    resolve as resolve,
)
