"""`xe-canonicalize`: simplifies the instructions of `xe` kernels and erases those whose results nobody reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriterListener, RewritePattern
from xdsl.rewriter import InsertPoint
from xdsl.traits import HasCanonicalizationPatternsTrait
from xdsl.transforms.dead_code_elimination import would_be_trivially_dead

from xegpu.dialects.xe import kernels_of


@dataclass(frozen=True)
class XeCanonicalizePass(ModulePass):
    """Applies the canonicalization patterns of instructions until none applies.

    The results are those of `canonicalize`, which visits each operation of the module several times; here an
    instruction is visited again when another that it reads or that reads it has changed.
    """

    name = "xe-canonicalize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in kernels_of(op):
            _Worklist(kernel.body).run()


class _Worklist:
    """The instructions of a kernel that may still change, the first ones at the end."""

    def __init__(self, body: Region):
        self._pending = [op for block in reversed(body.blocks) for op in reversed(block.ops)]
        self._waiting = set(self._pending)

    def run(self) -> None:
        if not self._pending:
            return
        rewriter = PatternRewriter(self._pending[-1])
        rewriter.extend_from_listener(
            PatternRewriterListener(
                operation_insertion_handler=[self._push],
                operation_removal_handler=[self._push_operands],
                operation_replacement_handler=[self._push_users],
            )
        )
        while self._pending:
            op = self._pending.pop()
            self._waiting.discard(op)
            if op.parent is None:
                continue
            rewriter.has_done_action = False
            rewriter.current_operation = op
            rewriter.insertion_point = InsertPoint.before(op)
            if _is_dead(op):
                rewriter.erase(op)
                continue
            for pattern in _patterns(op):
                pattern.match_and_rewrite(op, rewriter)
                if rewriter.has_done_action:
                    break

    def _push(self, op: Operation) -> None:
        if op not in self._waiting:
            self._waiting.add(op)
            self._pending.append(op)

    def _push_operands(self, op: Operation) -> None:
        for operand in op.operands:
            if isinstance(owner := operand.owner, Operation):
                self._push(owner)

    def _push_users(self, op: Operation, results: Sequence[SSAValue | None]) -> None:
        for result in op.results:
            for use in result.uses:
                self._push(use.operation)


_PATTERNS: dict[type[Operation], tuple[RewritePattern, ...]] = {}
_REMOVABLE: dict[type[Operation], bool] = {}
"""Tells for a kind of operations whether they only compute results; the kind is enough, as none has regions."""


def _patterns(op: Operation) -> tuple[RewritePattern, ...]:
    """Returns the patterns for operations of the kind of one."""
    kind = op.__class__
    if (patterns := _PATTERNS.get(kind)) is None:
        traits = [trait for trait in op.traits if isinstance(trait, HasCanonicalizationPatternsTrait)]
        patterns = tuple(pattern for trait in traits for pattern in trait.get_patterns(kind))
        _PATTERNS[kind] = patterns
    return patterns


def _is_dead(op: Operation) -> bool:
    if any(result.first_use is not None for result in op.results):
        return False
    if (removable := _REMOVABLE.get(type(op))) is None:
        removable = _REMOVABLE[type(op)] = would_be_trivially_dead(op)
    return removable
