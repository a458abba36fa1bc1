"""The facts of a kernel's integers, each computed when somebody asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import count

from xdsl.ir import BlockArgument, OpResult, Region, SSAValue

from passes.analysis.integers.comparisons import holding
from passes.analysis.integers.control import Phi, branch_conditions, counted_loop, counter_fact, phi_of
from passes.analysis.integers.fact import IntegerFact, anything, join, widened
from passes.analysis.integers.memref import argument_fact
from passes.analysis.integers.table import RULES, SOURCES, Facts, LaunchShape, bits_of
from xegpu.dialects.upstream.gpu import FuncOp

_EXACT_ROUNDS, _MOST_ROUNDS = 4, 64
"""The rounds through a loop after which bounds are widened, and after which nothing is said of its values."""


class IntegerFacts:
    """Knows what can be known of the values of a kernel, each of which `of` returns.

    A fact speaks of the lanes that compute a value, as choices may leave others out. Values that depend on each other
    through a loop have the strongest facts that imply each other.
    """

    def __init__(self, launch: LaunchShape | None = None, divergent: frozenset[SSAValue] = frozenset()):
        """Knows that values are uniform which are not among the `divergent` ones, whatever computes them."""
        self._launch = LaunchShape() if launch is None else launch
        self._divergent = divergent
        self._facts: dict[SSAValue, IntegerFact] = {}
        self._phis: dict[SSAValue, Phi | None] = {}
        self._apart: dict[Region, tuple[SSAValue, ...]] = {}

    def of(self, value: SSAValue) -> IntegerFact:
        """Returns the fact of a value."""
        if value not in self._facts:
            self._solve(value)
        return self._facts[value]

    def _solve(self, value: SSAValue) -> None:
        """Finds the facts of a value and all that it depends on; those that depend on each other at once (Tarjan)."""
        number = {value: 0}
        lowest = {value: 0}
        pending = [value]
        path = [(value, iter(self._sources(value)))]
        while path:
            current, sources = path[-1]
            for source in sources:
                if source in self._facts:
                    continue
                if source in number:
                    lowest[current] = min(lowest[current], number[source])
                    continue
                number[source] = lowest[source] = len(number)
                pending.append(source)
                path.append((source, iter(self._sources(source))))
                break
            else:
                path.pop()
                if path:
                    user = path[-1][0]
                    lowest[user] = min(lowest[user], lowest[current])
                if lowest[current] == number[current]:
                    self._settle(_taken_from(pending, current))

    def _sources(self, value: SSAValue) -> Sequence[SSAValue]:
        """Returns the values whose facts decide that of another one."""
        if isinstance(value, OpResult) and value.op.name in RULES:
            return value.op.operands
        if (loop := counted_loop(value)) is not None:
            return (loop.lb, loop.ub, loop.step)
        phi = self._phis[value] = self._phi(value)
        if phi is None:
            return ()
        others = () if phi.relation is None else (phi.relation[1],)
        return (*phi.options, *phi.deciders, *others)

    def _phi(self, value: SSAValue) -> Phi | None:
        """Returns the origin of a value in control flow; branches that lanes take differently decide, too."""
        phi = phi_of(value)
        if phi is None or not self._divergent or not isinstance(value, BlockArgument):
            return phi
        region = value.block.parent
        if region is None or region.first_block is value.block:
            return phi
        if region not in self._apart:
            self._apart[region] = tuple(self._divergent.intersection(branch_conditions(region)))
        return phi._replace(deciders=self._apart[region])

    def _settle(self, values: Sequence[SSAValue]) -> None:
        """Finds the facts of values that depend on each other; of those that nothing else decides, nothing is known."""
        (*_, first) = values
        if len(values) == 1 and first not in self._sources(first):
            self._facts[first] = self._computed(first) or self._unknown(first)
            return
        for turn in count():
            changed = False
            for value in values:
                if (new := self._computed(value)) is None:
                    continue
                old = self._facts.get(value)
                if turn > _MOST_ROUNDS:
                    new = self._unknown(value)
                elif old is not None:
                    widens = turn >= _EXACT_ROUNDS and self._joins(value)
                    new = widened(old, new) if widens else join(old, new)
                if new != old:
                    self._facts[value], changed = new, True
            if not changed:
                break
        for value in values:
            self._facts.setdefault(value, self._unknown(value))

    def _joins(self, value: SSAValue) -> bool:
        """Returns whether a value is one of several: each way around a loop leads through such a value."""
        phi = self._phis.get(value)
        return phi is not None and len(phi.options) > 1

    def _unknown(self, value: SSAValue) -> IntegerFact:
        return anything(bits_of(value.type), self._launch.lanes, uniform=value not in self._divergent)

    def _computed(self, value: SSAValue) -> IntegerFact | None:
        """Returns the fact that follows from those of the sources; None if a value is not reached yet."""
        found = self._derived(value)
        if found is not None and self._launch.lanes > 1 and value not in self._divergent:
            return found.uniform()
        return found

    def _derived(self, value: SSAValue) -> IntegerFact | None:
        """Returns what rules say of a value, and the origin of one that control flow chooses."""
        facts, lanes = self._facts, self._launch.lanes
        if isinstance(value, OpResult):
            if (rule := RULES.get(value.op.name)) is not None:
                operands = [fact for operand in value.op.operands if (fact := facts.get(operand)) is not None]
                if len(operands) < len(value.op.operands):
                    return None
                result = _of_result(rule(value.op, *operands), value.index)
                return result.uniform() if lanes > 1 and all(operand.is_uniform for operand in operands) else result
            if (source := SOURCES.get(value.op.name)) is not None:
                return _of_result(source(value.op, self._launch), value.index)
        elif (loop := counted_loop(value)) is not None:
            bounds = [fact for bound in (loop.lb, loop.ub, loop.step) if (fact := facts.get(bound)) is not None]
            return counter_fact(loop, *bounds) if len(bounds) == 3 else None
        elif isinstance(function := value.owner.parent_op(), FuncOp) and function.body.first_block is value.owner:
            return argument_fact(value.type, lanes)
        phi = self._phis[value]
        return self._unknown(value) if phi is None else self._chosen(phi)

    def _chosen(self, phi: Phi) -> IntegerFact | None:
        facts = self._facts
        options = [fact for option in phi.options if (fact := facts.get(option)) is not None]
        deciders = [facts.get(decider) for decider in phi.deciders]
        if not options or None in deciders:
            return None
        found = reduce(join, options)
        if any(decider is not None and not decider.is_uniform for decider in deciders):
            found = found.apart()
        if phi.relation is not None and (other := facts.get(phi.relation[1])) is not None:
            found = holding(phi.relation[0], found, other)
        return found


def _of_result(found: Facts, index: int) -> IntegerFact:
    """Returns the fact of a result, from that of the only one or those of all."""
    return found if isinstance(found, IntegerFact) else found[index]


def _taken_from(pending: list[SSAValue], last: SSAValue) -> list[SSAValue]:
    """Takes values from the end of a list up to one of them; those that others depend on tend to come first."""
    place = pending.index(last)
    taken = pending[place:]
    del pending[place:]
    return taken[::-1]
