"""Edits that cannot be made."""

from __future__ import annotations

from collections.abc import Iterable

from zebin.errors import Finding


class EditError(ValueError):
    """An edit that cannot be made. `findings` are the faults that the edited file would have, if that is the reason."""

    def __init__(self, message: str, findings: Iterable[Finding] = ()):
        super().__init__(message)
        self.findings = tuple(findings)
