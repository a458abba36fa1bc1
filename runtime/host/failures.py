"""How programs end that go wrong."""

from __future__ import annotations

from xegpu.diagnostics import Diagnostic


class ProgramError(Exception):
    """A program that was running and could not go on: `diagnostic` says why, and at which op."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


class DeviceUseError(Exception):
    """A wrong use of the GPU; the text goes on from the name of an op."""
