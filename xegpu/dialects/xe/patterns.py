"""How operations are simplified. `canonicalization` fills this in: its patterns need the operations, these do not."""

from __future__ import annotations

from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import HasCanonicalizationPatternsTrait

ALU_PATTERNS: list[RewritePattern] = []
COPY_PATTERNS: list[RewritePattern] = []


class AluPatterns(HasCanonicalizationPatternsTrait):
    """Those of instructions that compute."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return tuple(ALU_PATTERNS)


class CopyPatterns(HasCanonicalizationPatternsTrait):
    """Those of copies of register blocks."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return tuple(COPY_PATTERNS)
