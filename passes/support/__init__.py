"""Analyses and rewrites that several passes share."""

from __future__ import annotations

from passes.support.pass_sequence import PassSequence, apply_step

__all__ = [
    "PassSequence",
    "apply_step",
]
