"""Failures of host programs."""

from __future__ import annotations

from xegpu.diagnostics import Diagnostic


class ProgramError(Exception):
    """The end of a program that could not continue: `diagnostic` says why, and at which operation."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


class DeviceUseError(Exception):
    """A wrong use of the GPU; the text continues after the name of an operation."""


class UnwrittenRead(Exception):
    """A read of memory that nothing has written; the text continues after the name of an operation."""
