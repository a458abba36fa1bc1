"""Reductions along dimensions: within each part, over the parts of a subgroup, and over subgroups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Operation, SSAValue

from passes.support.op_builder import OpBuilder
from passes.support.vectors.combining import combine
from passes.support.work_groups.exchange import Exchange, reshaped
from passes.support.work_groups.exchange_memory import ExchangeMemory
from passes.support.work_groups.sharing import Share, Sharing, whole
from passes.support.work_groups.subgroups import Subgroups
from xegpu.diagnostics import CompileError

Combine = Callable[[OpBuilder, Operation, CombiningKindFlag, SSAValue, Sequence[int]], SSAValue]
"""Combines the elements of one vector along dimensions, which stay with size 1.

Takes what inserts operations, the operation that needs the result, the kind, the vector and the dimensions.
"""


class SharedReduction:
    """Combines the elements of a shared value along `dims`."""

    def __init__(
        self,
        op: Operation,
        subgroups: Subgroups,
        memory: ExchangeMemory,
        kind: CombiningKindFlag,
        dims: Sequence[int],
        combine_part: Combine,
    ):
        self._combine_part = combine_part
        self._op, self._subgroups, self._memory = op, subgroups, memory
        self._kind, self._dims = kind, dims
        self._builder = OpBuilder(op)

    def run(self, parts: Sequence[SSAValue], sharing: Sharing) -> list[SSAValue]:
        """Returns the parts of the result, in which the reduced dimensions have size 1 and every subgroup has all.

        Raises `CompileError` if subgroups own something twice, or if some may not execute the exchange.
        """
        reduced = [sharing.dims[dim] for dim in self._dims]
        if any(dim.repeats for dim in reduced):
            raise CompileError(
                self._op,
                f"cannot combine over subgroups: some elements would be counted twice in {sharing}",
            )
        partial = self._within_subgroup(parts, sharing)
        if all(dim.is_whole for dim in reduced):
            return partial
        # The partial results form a value again, in which each subgroup owns one element of each reduced dimension.
        scattered, gathered = list(sharing.dims), list(sharing.dims)
        for dim in self._dims:
            owners = min(sharing.dims[dim].count, sharing.dims[dim].blocks)
            scattered[dim] = replace(sharing.dims[dim], size=owners, block=1)
            gathered[dim] = whole(owners)
        target = Sharing(tuple(gathered))
        moved = Exchange(self._op, self._subgroups, self._memory).move(partial, Sharing(tuple(scattered)), target)
        return self._within_subgroup(moved, target)

    def _within_subgroup(self, parts: Sequence[SSAValue], sharing: Sharing) -> list[SSAValue]:
        grid = Sharing(tuple(_one_part(dim) if i in self._dims else dim for i, dim in enumerate(sharing.dims)))
        totals: dict[int, SSAValue] = {}
        for part, position in zip(parts, sharing.positions(), strict=True):
            number = grid.index([0 if i in self._dims else p for i, p in enumerate(position)])
            total = totals.get(number)
            # Whole parts are combined first, which needs no exchange between lanes.
            totals[number] = part if total is None else self._builder.add(combine(self._kind, total, part))
        return [
            self._combine_part(self._builder, self._op, self._kind, totals[number], self._dims)
            for number in range(grid.part_count)
        ]


def _one_part(dim: Share) -> Share:
    return whole(dim.block)


def combined(
    kind: CombiningKindFlag, parts: Sequence[SSAValue], accumulators: Sequence[SSAValue], builder: OpBuilder
) -> list[SSAValue]:
    """Returns parts combined with those of an accumulator, in the accumulator's types."""
    results: list[SSAValue] = []
    for part, accumulator in zip(parts, accumulators, strict=True):
        assert isinstance(accumulator.type, VectorType)
        part = reshaped(part, accumulator.type.get_shape(), builder)
        results.append(builder.add(combine(kind, part, accumulator)))
    return results
