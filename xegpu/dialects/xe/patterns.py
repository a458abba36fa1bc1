"""Traits that hold canonicalization patterns. `canonicalization` fills them in: its patterns need the operations."""

from __future__ import annotations

from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import HasCanonicalizationPatternsTrait

ALU_PATTERNS: list[RewritePattern] = []
COPY_PATTERNS: list[RewritePattern] = []


class AluPatterns(HasCanonicalizationPatternsTrait):
    """The patterns of instructions that compute."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return tuple(ALU_PATTERNS)


class CopyPatterns(HasCanonicalizationPatternsTrait):
    """The patterns of copies of register blocks."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return tuple(COPY_PATTERNS)
