"""Traits that hold canonicalization patterns. `canonicalization` fills them in: its patterns need the operations."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import HasCanonicalizationPatternsTrait


class AluPattern(RewritePattern):
    """A pattern of instructions that compute."""

    def fits(self, mnemonic: str) -> bool:
        """Returns whether the pattern may apply to an instruction of this name."""
        return True


ALU_PATTERNS: list[AluPattern] = []
COPY_PATTERNS: list[RewritePattern] = []


class AluPatterns(HasCanonicalizationPatternsTrait):
    """The patterns of instructions that compute."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return tuple(ALU_PATTERNS)

    def get_patterns(self, op: type[Operation]) -> tuple[RewritePattern, ...]:
        mnemonic = op.name.rpartition(".")[2]
        return tuple(pattern for pattern in ALU_PATTERNS if pattern.fits(mnemonic))


class CopyPatterns(HasCanonicalizationPatternsTrait):
    """The patterns of copies of register blocks."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return tuple(COPY_PATTERNS)
