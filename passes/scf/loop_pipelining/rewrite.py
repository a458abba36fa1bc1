"""Rewrites a loop so that it loads ahead: a prologue of loads, the pipelined loop and an epilogue of computation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.arith import AddiOp
from xdsl.dialects.scf import YieldOp
from xdsl.ir import Block, Operation, Region, SSAValue

from passes.scf.loop_pipelining.stages import Stages
from passes.support.loops.counted import (
    constant,
    empty_loop,
    known_step,
    known_trip_count,
    lowered_bound,
    replace_loop,
    type_limit,
)
from passes.support.op_builder import OpBuilder
from xegpu.dialects.upstream.arith import CmpiOp
from xegpu.dialects.upstream.scf import ForOp, IfOp
from xegpu.dialects.xegpu.ops import constant_index

Carried = dict[int, SSAValue]
"""Loop-carried values by their numbers."""


def pipeline(loop: ForOp, stages: Stages, distance: int) -> ForOp | None:
    """Replaces a loop by one that executes its first stage `distance` iterations ahead; None if it cannot.

    If the trip count is unknown, a condition selects the pipelined loop for enough iterations, and the original one for
    fewer.
    """
    step, count = known_step(loop), known_trip_count(loop)
    if step is None or (distance + 1) * step >= type_limit(loop.lb.type) or (count is not None and count <= distance):
        return None
    if count is not None:
        writer = _Writer(loop, stages, distance, step, OpBuilder(loop))
        pipelined, results = writer.write()
    else:
        pipelined, results = _guarded(loop, stages, distance, step)
    used = [(result, results[index]) for index, result in enumerate(loop.results) if index in results]
    for result, value in used:
        result.replace_all_uses_with(value)
    replace_loop(loop, loop.iter_args)
    return pipelined


def _guarded(loop: ForOp, stages: Stages, distance: int, step: int) -> tuple[ForOp, Carried]:
    builder = OpBuilder(loop)
    bound = lowered_bound(builder, loop.ub, (distance - 1) * step)
    are_enough = builder.add(CmpiOp(loop.lb, bound, "slt"))
    used = [index for index, result in enumerate(loop.results) if any(result.uses)]
    end = YieldOp()
    then = Block([end])
    choice = IfOp(are_enough, [loop.results[index].type for index in used], Region(then), Region(Block()))
    builder.insert(choice)
    pipelined, results = _Writer(loop, stages, distance, step, OpBuilder(end)).write()
    end.operands = [results[index] for index in used]
    otherwise = choice.false_region.block
    few: Sequence[SSAValue] = loop.iter_args
    if distance > 1:
        unchanged = loop.clone()
        otherwise.add_op(unchanged)
        few = unchanged.results
    otherwise.add_op(YieldOp(*(few[index] for index in used)))
    return pipelined, dict(zip(used, choice.results, strict=True))


@dataclass
class _Writer:
    """Inserts the pipelined form of a loop of at least `distance` iterations."""

    loop: ForOp
    stages: Stages
    distance: int
    step: int
    builder: OpBuilder

    def write(self) -> tuple[ForOp, Carried]:
        """Returns the new loop, and the values of those results of the old one that are needed."""
        stages, builder = self.stages, self.builder
        starts = dict(enumerate(self.loop.iter_args))
        ahead, sets = {i: starts[i] for i in stages.ahead_carried}, list[list[SSAValue]]()
        for iteration in range(self.distance):
            counter = self._shifted(builder, self.loop.lb, iteration)
            loaded, ahead = self._ahead(builder, counter, ahead)
            sets.append(loaded)
        upper = lowered_bound(builder, self.loop.ub, self.distance * self.step)
        end_position = self._position()
        carried = [
            *([] if end_position is not None else [self.loop.lb]),
            *(starts[i] for i in stages.rest_carried),
            *ahead.values(),
            *(value for loaded in sets for value in loaded),
        ]
        far = constant(builder, self.distance * self.step, self.loop.lb.type)
        new, end = empty_loop(builder, self.loop.lb, upper, self.loop.step, carried)
        new.attributes.update(self.loop.attributes)
        counter, *arguments = new.body.block.args
        position, rest, ahead, sets = self._split(arguments, end_position)
        inner = OpBuilder(end)
        loaded, ahead = self._ahead(inner, inner.add(AddiOp(counter, far)), ahead)
        rest = self._rest(inner, counter, rest, sets[0])
        end.operands = [
            *([] if end_position is not None else [inner.add(AddiOp(counter, self.loop.step))]),
            *rest.values(),
            *ahead.values(),
            *(value for later in (*sets[1:], loaded) for value in later),
        ]
        position, rest, _, sets = self._split(new.results, end_position)
        for iteration, loaded in enumerate(sets):
            rest = self._rest(builder, self._shifted(builder, position, iteration), rest, loaded)
        return new, rest

    def _position(self) -> SSAValue | None:
        """Returns the final value of the induction variable, if it is known."""
        count, lower = known_trip_count(self.loop), constant_index(self.loop.lb)
        if count is None or lower is None:
            return None
        return constant(self.builder, lower + (count - self.distance) * self.step, self.loop.lb.type)

    def _shifted(self, builder: OpBuilder, counter: SSAValue, iterations: int) -> SSAValue:
        if iterations == 0:
            return counter
        return builder.add(AddiOp(counter, constant(builder, iterations * self.step, counter.type)))

    def _split(
        self, values: Sequence[SSAValue], end_position: SSAValue | None
    ) -> tuple[SSAValue, Carried, Carried, list[list[SSAValue]]]:
        """Splits the values that the new loop carries: its position, those of both stages, and the loaded ones."""
        remaining = iter(values)
        position = next(remaining) if end_position is None else end_position
        rest = {i: next(remaining) for i in self.stages.rest_carried}
        ahead = {i: next(remaining) for i in self.stages.ahead_carried}
        return position, rest, ahead, [[next(remaining) for _ in self.stages.loaded] for _ in range(self.distance)]

    def _ahead(self, builder: OpBuilder, counter: SSAValue, carried: Carried) -> tuple[list[SSAValue], Carried]:
        copies = self._copy(builder, self.stages.ahead, counter, carried)
        return [copies[value] for value in self.stages.loaded], self._next(copies, carried)

    def _rest(self, builder: OpBuilder, counter: SSAValue, carried: Carried, loaded: Sequence[SSAValue]) -> Carried:
        known = dict(zip(self.stages.loaded, loaded, strict=True))
        return self._next(self._copy(builder, self.stages.rest, counter, carried, known), carried)

    def _copy(
        self,
        builder: OpBuilder,
        operations: Sequence[Operation],
        counter: SSAValue,
        carried: Carried,
        known: dict[SSAValue, SSAValue] | None = None,
    ) -> dict[SSAValue, SSAValue]:
        """Copies operations of the body. Returns the values that replace those of the body."""
        first, *arguments = self.loop.body.block.args
        copies: dict[SSAValue, SSAValue] = {first: counter, **(known or {})}
        copies.update((arguments[index], value) for index, value in carried.items())
        for op in operations:
            builder.insert(op.clone(copies))
        return copies

    def _next(self, copies: dict[SSAValue, SSAValue], carried: Carried) -> Carried:
        """Returns the loop-carried values of the next iteration."""
        end = self.loop.body.block.last_op
        assert end is not None
        return {index: copies.get(end.operands[index], end.operands[index]) for index in carried}
