"""Choices about the code that kernels become."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CodeOptions:
    """Choices about code.

    Attributes:
        grf_count: The registers of a thread; 0 for as many as a kernel needs.
        is_optimised: Whether the passes run that only make code fast.

    """

    grf_count: int = 0
    is_optimised: bool = True


DEFAULT_CODE = CodeOptions()
"""Fast code with as many registers as a kernel needs."""
