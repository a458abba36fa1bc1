"""`xe-cse`: eliminates common subexpressions in `xe` kernels."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator

from xegpu.dialects.xe import effects_of, kernels_of, only_reads


@dataclass(frozen=True)
class XeCsePass(ModulePass):
    """Eliminates common subexpressions in each block of a kernel.

    Two loads of the same place are one where nothing between them may write. Payloads of messages to one surface share
    the instructions that they begin with; register allocation copies the register block where they diverge.
    """

    name = "xe-cse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in kernels_of(op):
            for block in kernel.body.blocks:
                _merge_in(block)


def _merge_in(block: Block) -> None:
    computed, loaded = _Known(), _Known()
    for op in list(block.ops):
        if op.regions or op.has_trait(IsTerminator):
            continue
        reads = only_reads(op)
        if not reads and effects_of(op) != frozenset():
            loaded = _Known()
            continue
        same = (loaded if reads else computed).earlier(op)
        if same is not None:
            for result, other in zip(op.results, same.results, strict=True):
                result.replace_all_uses_with(other)
            block.erase_op(op)


class _Known:
    """The operations of a block so far that later ones may equal."""

    def __init__(self) -> None:
        self._first: dict[Hashable, Operation] = {}
        self._all: dict[Hashable, Operation] = {}

    def earlier(self, op: Operation) -> Operation | None:
        """Returns an earlier operation that gives the same results; keeps this one if there is none."""
        # Few operations read the same values by the same instruction: only those are worth a look at their properties.
        place = (type(op), *map(id, op.operands))
        first = self._first.setdefault(place, op)
        if first is op:
            return None
        self._all.setdefault((place, _contents(first)), first)
        same = self._all.setdefault((place, _contents(op)), op)
        return None if same is op else same


def _contents(op: Operation) -> Hashable:
    return frozenset(op.properties.items()), frozenset(op.attributes.items()), tuple(op.result_types)
