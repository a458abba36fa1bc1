"""Draws random kernels: control flow of all kinds around values of all kinds, most of them early ones used again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tests.unit.passes.kernels.fuzzing.products import Products
from tests.unit.passes.kernels.fuzzing.program import (
    Body,
    Choice,
    Level,
    Loop,
    Operation,
    Options,
    Program,
    Statement,
    Store,
)
from tests.unit.passes.kernels.fuzzing.values import SMALL, Type, Variable
from xegpu.targets import Target

_MOST_ROUNDS = 3
_LANES = 16


def draw(seed: int, target: Target, level: Level | None = None, size: int = 8, depth: int = 2) -> Program:
    """Returns the program of a seed, with `size` statements outside of control flow that nests `depth` deep."""
    rng = random.Random(f"{seed} {target.name}")
    level = level or rng.choice([Level.ITEM, Level.ITEM, Level.SUBGROUP, Level.MAPPED])
    lanes = rng.choice(target.platform.subgroup_sizes) if level is Level.ITEM else target.platform.subgroup_size
    fragments = level is Level.ITEM and lanes == target.platform.subgroup_size and rng.random() < 0.5
    if level is not Level.ITEM:
        items = 2
    else:
        items = 2 * lanes if fragments or rng.random() < 0.5 else lanes + 5
    # Blocks of lanes say nothing of their number in LLVM 22, which takes it for 16.
    upstream = random.Random(f"{seed} generation").random() < 0.4 and (level is not Level.ITEM or lanes == _LANES)
    return _Drawer(rng, level, target, lanes, items, fragments, upstream=upstream).program(seed, size, depth)


class _Drawer(Products):
    """Draws the statements of one kernel."""

    def program(self, seed: int, size: int, depth: int) -> Program:
        start = [Variable("gid", Type("index"), self.level is not Level.ITEM)]
        start += [Variable(f"s_{e}", Type(e), True, SMALL) for e in (*self.elements, "index")]
        self.scope = start
        statements = [self.loaded() for _ in range(self.rng.randint(1, 4))]
        statements += self.statements(size, depth, uniform=True)
        found = [v for v in self.scope if v not in start]
        # The last values come from all of the kernel; earlier ones live to its end.
        last = list(dict.fromkeys([*found[-4:], *self.rng.sample(found, min(len(found), self.rng.randint(1, 6)))]))
        stores = [s for v in last for s in self.stored(v)]
        body = Body((*self.initial, *statements, *stores))
        options = Options()
        if self.rng.random() < 0.3:
            fewest = self.target.platform.grf_counts[0]
            options = Options(*(self.rng.choice(kinds) for kinds in ((1, 2, 4), (1, 2), (0, fewest))))
        return Program(self.level, self.target, self.lanes, self.items, body, options, seed, self.upstream)

    # Control flow ----------------------------------------------------------------------------------------------------

    def statements(self, count: int, depth: int, uniform: bool) -> list[Statement]:
        """Draws statements whose results join the scope; `uniform` if all work-items of a subgroup are active."""
        found: list[Statement] = []
        for _ in range(count):
            self.uniform = uniform
            if depth > 0 and self.rng.random() < 0.3:
                kinds = (self._choice, self._choice, self._for, self._for, self._while)
                found += self.rng.choice(kinds)(depth, uniform)
            elif self.rng.random() < 0.08:
                found += self.stored(self.rng.choice(self.scope))
            else:
                found += self.operation()
        return found

    def _inside(self, more: Sequence[Variable], wanted: Sequence[Variable], depth: int, uniform: bool) -> Body:
        """Draws a block that yields values fit for the wanted variables."""
        outer = list(self.scope)
        self.scope = [*outer, *more]
        statements = self.statements(self.rng.randint(0, 4), depth - 1, uniform)
        self.uniform = uniform
        yields: list[Variable] = []
        for want in wanted:
            value, made = self.value(want.type, uniform=want.uniform, bound=want.bound)
            statements += made
            yields.append(value)
        self.scope = outer
        return Body(tuple(statements), tuple(yields))

    def _choice(self, depth: int, uniform: bool) -> list[Statement]:
        switch = self.rng.random() < 0.2
        selector, made = self.value(Type("index" if switch else "i1"))
        if switch:
            selector, more = self.below(selector, 4)
            made = [*made, *more]
        inside = uniform and selector.uniform
        results = [
            self.fresh(t, selector.uniform and self.rng.random() < 0.5, self._bound()) for t in self.some_types()
        ]
        count = self.rng.randint(1, 3) if switch else 2
        sides = tuple(self._inside((), results, depth, inside) for _ in range(count))
        if not selector.uniform:
            results = [replace(v, uniform=False) for v in results]
        self.scope += results
        return [*made, Choice(self.name(), selector, sides, tuple(results), self._branches())]

    def _carried(self, uniform: bool) -> tuple[list[Variable], list[Variable], list[Variable], list[Statement]]:
        starts: list[Variable] = []
        inside: list[Variable] = []
        made: list[Statement] = []
        for type in self.some_types():
            value, more = self.value(type)
            made += more
            starts.append(value)
            same = uniform and value.uniform and self.rng.random() < 0.5
            inside.append(self.fresh(type, same, SMALL if value.bound <= SMALL else np.inf))
        return starts, inside, [self.fresh(v.type, v.uniform, v.bound) for v in inside], made

    def _for(self, depth: int, uniform: bool) -> list[Statement]:
        return self._loop(depth, uniform, conditional=False)

    def _while(self, depth: int, uniform: bool) -> list[Statement]:
        return self._loop(depth, uniform, conditional=True)

    def _loop(self, depth: int, uniform: bool, *, conditional: bool) -> list[Statement]:
        first, made = self.value(Type("index"))
        first, more = self.below(first, 2) if self.rng.random() < 0.3 else (Variable("zero", Type("index"), True), [])
        last, others = self.value(Type("index"))
        last, limit = self.below(last, _MOST_ROUNDS + 1)
        together = first.uniform and last.uniform and (not conditional or self.rng.random() < 0.5)
        starts, inside, results, prepared = self._carried(together)
        counter = self.fresh(Type("index"), together)
        test = None
        if conditional:
            test = self._inside([counter, *inside], [self.fresh(Type("i1"), together)], 0, uniform and together)
        body = self._inside([counter, *inside], inside, depth, uniform and together)
        self.scope += results
        parts = tuple(starts), tuple(inside), counter, body, tuple(results), test, self._branches()
        return [*made, *more, *others, *limit, *prepared, Loop(self.name(), first, last, *parts)]

    def _branches(self) -> bool:
        return self.rng.random() < 0.15

    def _bound(self) -> float:
        return SMALL if self.rng.random() < 0.5 else np.inf

    # Stores ----------------------------------------------------------------------------------------------------------

    def stored(self, value: Variable) -> list[Statement]:
        """Writes a value to a buffer of its own, with whatever message the level has for its shape."""
        made: list[Statement] = []
        if value.type.element in ("i1", "index"):
            narrow = self.fresh(value.type.of("i32" if value.type.element == "index" else "i8"), value.uniform)
            op = "arith.index_cast" if value.type.element == "index" else "arith.extui"
            source = f"{narrow} = {op} {value} : {value.type} to {narrow.type}"
            made.append(Operation(narrow, source, (value,), lambda _, v: v[0]))
            value = narrow
        name, type = f"out{self.name()}", value.type
        rows = "".join(
            f"{n}x" for n in Program(self.level, self.target, self.lanes, self.items, Body(())).buffer_shape(type)
        )
        memref = f"memref<{rows}{type.element}>"
        if not type.shape:
            return [*made, Store(value, name, f"memref.store {value}, %{name}[%gid] : {memref}")]
        if self.level is Level.ITEM or len(type.shape) == 1:
            zeros = ", ".join(["%zero"] * len(type.shape))
            source = f"vector.store {value}, %{name}[%gid, {zeros}] : {memref}, {type}"
            return [*made, Store(value, name, source)]
        return [*made, Store(value, name, self.tile_store(value, name, memref))]
