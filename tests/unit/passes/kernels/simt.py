"""Random programs of work-items that go different ways, and what each work-item computes by itself.

A program is text, and a function of one work-item's inputs: nothing in it knows of subgroups or masks. All values that
`Store` names go to memory where it stands, so that what happens under a condition shows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np
from hypothesis import strategies as st

Scalar = Any
"""A numpy scalar; its type is the value's."""
Environment = dict[str, Scalar]

DTYPES = {
    "i1": np.dtype(np.bool_),
    "i8": np.dtype(np.uint8),
    "i16": np.dtype(np.uint16),
    "i32": np.dtype(np.uint32),
    "i64": np.dtype(np.uint64),
    "index": np.dtype(np.uint64),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}
STORED = tuple(type for type in DTYPES if type != "i1")
"""Types of buffers: one of each is read, one written."""
SLOTS = 4
"""Values of each type that a work-item may write."""
_MAX_ROUNDS = 3

_INTEGERS = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "xori": lambda a, b: a ^ b,
    "minui": np.minimum,
}
_FLOATS = {"addf": lambda a, b: a + b, "subf": lambda a, b: a - b}
_BOOLEANS = {"andi": lambda a, b: a & b, "ori": lambda a, b: a | b, "xori": lambda a, b: a ^ b}
_FUNCTIONS: dict[str, Any] = _INTEGERS | _FLOATS | _BOOLEANS


def _operations(type: str) -> list[str]:
    return sorted(_BOOLEANS if type == "i1" else _INTEGERS if type[0] == "i" else _FLOATS)


@dataclass(frozen=True)
class Variable:
    name: str
    type: str

    def __str__(self) -> str:
        return f"%{self.name}"


@dataclass
class Item:
    """One work-item: its values, and what it has written: (type, slot) to value."""

    values: Environment
    written: dict[tuple[str, int], Scalar] = field(default_factory=dict)

    def inner(self) -> Item:
        return Item(dict(self.values), self.written)


class Statement(ABC):
    @abstractmethod
    def text(self) -> str: ...

    @abstractmethod
    def execute(self, item: Item) -> None: ...


def _texts(statements: tuple[Statement, ...]) -> str:
    return "".join(s.text() for s in statements)


def _execute(statements: tuple[Statement, ...], item: Item) -> None:
    for statement in statements:
        statement.execute(item)


def _yield(values: list[Variable]) -> str:
    types = ", ".join(v.type for v in values)
    return f"{', '.join(map(str, values))} : {types}" if values else ""


@dataclass(frozen=True)
class Binary(Statement):
    result: Variable
    operation: str
    a: Variable
    b: Variable

    def text(self) -> str:
        return f"{self.result} = arith.{self.operation} {self.a}, {self.b} : {self.a.type}\n"

    def execute(self, item: Item) -> None:
        a, b = item.values[self.a.name], item.values[self.b.name]
        item.values[self.result.name] = DTYPES[self.a.type].type(_FUNCTIONS[self.operation](a, b))


@dataclass(frozen=True)
class Compare(Statement):
    result: Variable
    a: Variable
    b: Variable

    def text(self) -> str:
        mnemonic = "cmpf olt," if self.a.type[-3:-2] == "f" or self.a.type[0] == "f" else "cmpi ult,"
        return f"{self.result} = arith.{mnemonic} {self.a}, {self.b} : {self.a.type}\n"

    def execute(self, item: Item) -> None:
        item.values[self.result.name] = np.bool_(item.values[self.a.name] < item.values[self.b.name])


@dataclass(frozen=True)
class Select(Statement):
    result: Variable
    condition: Variable
    a: Variable
    b: Variable

    def text(self) -> str:
        return f"{self.result} = arith.select {self.condition}, {self.a}, {self.b} : {self.a.type}\n"

    def execute(self, item: Item) -> None:
        chosen = self.a if item.values[self.condition.name] else self.b
        item.values[self.result.name] = item.values[chosen.name]


@dataclass(frozen=True)
class Store(Statement):
    value: Variable
    slot: int

    def text(self) -> str:
        type = self.value.type
        return f"memref.store {self.value}, %out_{type}[%slot{self.slot}, %gid] : memref<{SLOTS}x?x{type}>\n"

    def execute(self, item: Item) -> None:
        item.written[self.value.type, self.slot] = item.values[self.value.name]


@dataclass(frozen=True)
class If(Statement):
    name: str
    condition: Variable
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    results: tuple[tuple[Variable, Variable, Variable], ...]
    """Result, and what each side gives for it."""

    def text(self) -> str:
        types = ", ".join(r.type for r, _, _ in self.results)
        head = f"%{self.name}:{len(self.results)} = " if self.results else ""
        clause = f"-> ({types}) " if self.results else ""
        text = f"{head}scf.if {self.condition} {clause}{{\n{_texts(self.then)}"
        text += f"scf.yield {_yield([a for _, a, _ in self.results])}\n}}"
        if self.results or self.otherwise:
            text += f" else {{\n{_texts(self.otherwise)}scf.yield {_yield([b for _, _, b in self.results])}\n}}"
        return text + "\n" + "".join(_named(r, f"%{self.name}#{i}") for i, (r, _, _) in enumerate(self.results))

    def execute(self, item: Item) -> None:
        taken = bool(item.values[self.condition.name])
        inner = item.inner()
        _execute(self.then if taken else self.otherwise, inner)
        item.values.update({r.name: inner.values[(a if taken else b).name] for r, a, b in self.results})


@dataclass(frozen=True)
class Switch(Statement):
    """The first case has the number 0."""

    name: str
    selector: Variable
    cases: tuple[tuple[tuple[Statement, ...], Variable], ...]
    result: Variable

    def text(self) -> str:
        text = f"%{self.name} = scf.index_switch {self.selector} -> {self.result.type}\n"
        for number, (body, value) in enumerate(self.cases):
            word = f"case {number}" if number < len(self.cases) - 1 else "default"
            text += f"{word} {{\n{_texts(body)}scf.yield {_yield([value])}\n}}\n"
        return text + _named(self.result, f"%{self.name}")

    def execute(self, item: Item) -> None:
        body, value = self.cases[min(int(item.values[self.selector.name]), len(self.cases) - 1)]
        inner = item.inner()
        _execute(body, inner)
        item.values[self.result.name] = inner.values[value.name]


@dataclass(frozen=True)
class Carried:
    """Its name in the body, where it starts, what the body yields, its name afterwards."""

    inside: Variable
    start: Variable
    yielded: Variable
    after: Variable


@dataclass(frozen=True)
class For(Statement):
    """Counts from `first` modulo 4 to `last` modulo 4."""

    name: str
    first: Variable
    last: Variable
    body: tuple[Statement, ...]
    carried: tuple[Carried, ...]

    def text(self) -> str:
        n, types = self.name, ", ".join(c.inside.type for c in self.carried)
        head = f"%{n}:{len(self.carried)} = " if self.carried else ""
        starts = ", ".join(f"{c.inside} = {c.start}" for c in self.carried)
        clause = f"iter_args({starts}) -> ({types}) " if self.carried else ""
        return (
            f"%{n}_lb = arith.andi {self.first}, %slot3 : index\n%{n}_ub = arith.andi {self.last}, %slot3 : index\n"
            f"{head}scf.for %{n}_i = %{n}_lb to %{n}_ub step %slot1 {clause}{{\n{_texts(self.body)}"
            f"scf.yield {_yield([c.yielded for c in self.carried])}\n}}\n"
        ) + "".join(_named(c.after, f"%{n}#{i}") for i, c in enumerate(self.carried))

    def execute(self, item: Item) -> None:
        current = [item.values[c.start.name] for c in self.carried]
        first, last = (int(item.values[v.name]) & _MAX_ROUNDS for v in (self.first, self.last))
        for number in range(first, last):
            inner = item.inner()
            inner.values[f"{self.name}_i"] = np.uint64(number)
            inner.values.update({c.inside.name: value for c, value in zip(self.carried, current, strict=True)})
            _execute(self.body, inner)
            current = [inner.values[c.yielded.name] for c in self.carried]
        item.values.update({c.after.name: value for c, value in zip(self.carried, current, strict=True)})


@dataclass(frozen=True)
class While(Statement):
    """Goes on while `condition` holds, a few rounds at most. `passed` leave the first region."""

    name: str
    before: tuple[Statement, ...]
    condition: Variable
    passed: tuple[tuple[Variable, Variable, Variable], ...]
    """The variable that leaves, its name in the second region, its name afterwards."""
    body: tuple[Statement, ...]
    carried: tuple[tuple[Variable, Variable, Variable], ...]
    """Name in the first region, start, what the second region yields."""

    def text(self) -> str:
        n = self.name
        carried = ", ".join([*(v.type for v, _, _ in self.carried), "i32"])
        passed = ", ".join([*(v.type for v, _, _ in self.passed), "i32"])
        starts = ", ".join([*(f"{v} = {start}" for v, start, _ in self.carried), f"%{n}_c = %zero"])
        leaving = ", ".join([*(str(v) for v, _, _ in self.passed), f"%{n}_c"])
        names = ", ".join([*(f"{v}: {v.type}" for _, v, _ in self.passed), f"%{n}_d: i32"])
        again = ", ".join([*(str(v) for _, _, v in self.carried), f"%{n}_e"])
        return (
            f"%{n}:{len(self.passed) + 1} = scf.while ({starts}) : ({carried}) -> ({passed}) {{\n{_texts(self.before)}"
            f"%{n}_few = arith.cmpi ult, %{n}_c, %rounds : i32\n"
            f"%{n}_go = arith.andi %{n}_few, {self.condition} : i1\n"
            f"scf.condition(%{n}_go) {leaving} : {passed}\n}} do {{\n^bb0({names}):\n{_texts(self.body)}"
            f"%{n}_e = arith.addi %{n}_d, %one : i32\nscf.yield {again} : {carried}\n}}\n"
        ) + "".join(_named(v, f"%{n}#{i}") for i, (_, _, v) in enumerate(self.passed))

    def execute(self, item: Item) -> None:
        current = [item.values[start.name] for _, start, _ in self.carried]
        rounds = 0
        while True:
            first = item.inner()
            first.values.update({v.name: value for (v, _, _), value in zip(self.carried, current, strict=True)})
            _execute(self.before, first)
            if rounds >= _MAX_ROUNDS or not first.values[self.condition.name]:
                break
            second = first.inner()
            second.values.update({v.name: first.values[source.name] for source, v, _ in self.passed})
            _execute(self.body, second)
            current = [second.values[v.name] for _, _, v in self.carried]
            rounds += 1
        item.values.update({v.name: first.values[source.name] for source, _, v in self.passed})


def _named(name: Variable, value: str) -> str:
    """Gives a value a name of its own, by an operation that leaves it as it is."""
    return f"{name} = arith.select %true, {value}, {value} : {name.type}\n"


@dataclass(frozen=True)
class Program:
    """`in_T` gives each work-item a value of each type, `u_T` all of them the same."""

    statements: tuple[Statement, ...]

    def text(self, subgroup_size: int) -> str:
        buffers = ", ".join(f"%in_{t}: memref<?x{t}>, %u_{t}: {t}, %out_{t}: memref<{SLOTS}x?x{t}>" for t in STORED)
        constants = "".join(f"%slot{i} = arith.constant {i} : index\n" for i in range(SLOTS))
        constants += "%zero = arith.constant 0 : i32\n%one = arith.constant 1 : i32\n%true = arith.constant true\n"
        constants += f"%rounds = arith.constant {_MAX_ROUNDS} : i32\n%gid = gpu.global_id x\n"
        loads = "".join(f"%x_{t} = memref.load %in_{t}[%gid] : memref<?x{t}>\n" for t in STORED)
        abi = f"spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = {subgroup_size}>"
        body = f"{constants}{loads}{_texts(self.statements)}"
        return f"gpu.module @m {{\ngpu.func @k({buffers}) kernel attributes {{{abi}}} {{\n{body}gpu.return\n}}\n}}\n"

    def execute(self, inputs: Environment) -> dict[tuple[str, int], Scalar]:
        """Returns the values that one work-item writes."""
        item = Item(dict(inputs))
        with np.errstate(all="ignore"):
            _execute(self.statements, item)
        return item.written


class _Drawer:
    """Draws statements, keeping names apart."""

    def __init__(self, draw: st.DrawFn):
        self.draw = draw
        self.count = 0

    def fresh(self, type: str) -> Variable:
        self.count += 1
        return Variable(f"v{self.count}", type)

    def label(self) -> str:
        self.count += 1
        return f"s{self.count}"

    def pick(self, scope: list[Variable], type: str | None = None) -> Variable:
        """A variable; later ones are likelier."""
        fitting = [v for v in scope if type is None or v.type == type]
        return fitting[-1 - min(self.draw(st.integers(0, len(fitting) - 1)), len(fitting) - 1)]

    def picks(self, scope: list[Variable], most: int) -> list[Variable]:
        return [self.pick(scope) for _ in range(self.draw(st.integers(0, most)))]

    def block(self, scope: list[Variable], depth: int, most: int = 4) -> tuple[Statement, ...]:
        """Statements whose results join the scope."""
        return tuple(self.statement(scope, depth) for _ in range(self.draw(st.integers(0, most))))

    def statement(self, scope: list[Variable], depth: int) -> Statement:
        plain = [self._binary, self._compare, self._select, self._store]
        nested = [self._if, self._if, self._for, self._while, self._switch] if depth else []
        return self.draw(st.sampled_from([*plain, *nested]))(scope, depth)

    def _binary(self, scope: list[Variable], depth: int) -> Statement:
        a = self.pick(scope)
        statement = Binary(
            self.fresh(a.type), self.draw(st.sampled_from(_operations(a.type))), a, self.pick(scope, a.type)
        )
        scope.append(statement.result)
        return statement

    def _compare(self, scope: list[Variable], depth: int) -> Statement:
        a = self.pick([v for v in scope if v.type != "i1"])
        statement = Compare(self.fresh("i1"), a, self.pick(scope, a.type))
        scope.append(statement.result)
        return statement

    def _select(self, scope: list[Variable], depth: int) -> Statement:
        a = self.pick(scope)
        statement = Select(self.fresh(a.type), self.pick(scope, "i1"), a, self.pick(scope, a.type))
        scope.append(statement.result)
        return statement

    def _store(self, scope: list[Variable], depth: int) -> Statement:
        value = self.pick([v for v in scope if v.type != "i1"])
        return Store(value, self.draw(st.integers(0, SLOTS - 1)))

    def _if(self, scope: list[Variable], depth: int) -> Statement:
        condition = self.pick(scope, "i1")
        first, second = list(scope), list(scope)
        then, otherwise = self.block(first, depth - 1), self.block(second, depth - 1)
        results = [(self.fresh(a.type), a, self.pick(second, a.type)) for a in self.picks(first, 3)]
        scope.extend(r for r, _, _ in results)
        return If(self.label(), condition, then, otherwise, tuple(results))

    def _switch(self, scope: list[Variable], depth: int) -> Statement:
        selector, type = self.pick(scope, "index"), self.pick(scope).type
        cases = []
        for _ in range(self.draw(st.integers(1, 3))):
            inner = list(scope)
            cases.append((self.block(inner, depth - 1, 2), self.pick(inner, type)))
        result = self.fresh(type)
        scope.append(result)
        return Switch(self.label(), selector, tuple(cases), result)

    def _for(self, scope: list[Variable], depth: int) -> Statement:
        name, first, last = self.label(), self.pick(scope, "index"), self.pick(scope, "index")
        starts = self.picks(scope, 3)
        inside = [self.fresh(s.type) for s in starts]
        inner = [*scope, *inside, Variable(f"{name}_i", "index")]
        body = self.block(inner, depth - 1)
        carried = tuple(
            Carried(i, s, self.pick(inner, s.type), self.fresh(s.type)) for i, s in zip(inside, starts, strict=True)
        )
        scope.extend(c.after for c in carried)
        return For(name, first, last, body, carried)

    def _while(self, scope: list[Variable], depth: int) -> Statement:
        starts = self.picks(scope, 3)
        inside = [self.fresh(s.type) for s in starts]
        inner = [*scope, *inside]
        before = self.block(inner, depth - 1, 3)
        condition = self.pick(inner, "i1")
        passed = [(v, self.fresh(v.type), self.fresh(v.type)) for v in self.picks(inner, 3)]
        second = [*scope, *(v for _, v, _ in passed)]
        body = self.block(second, depth - 1)
        carried = [(i, s, self.pick(second, s.type)) for i, s in zip(inside, starts, strict=True)]
        scope.extend(v for _, _, v in passed)
        return While(self.label(), before, condition, tuple(passed), body, tuple(carried))


@st.composite
def programs(draw: st.DrawFn, depth: int = 3, most: int = 8) -> Program:
    """Programs with choices and loops up to `depth` deep, that store something at the end."""
    drawer = _Drawer(draw)
    scope = [Variable(f"{kind}_{type}", type) for type in STORED for kind in ("u", "x")]
    conditions = [Compare(drawer.fresh("i1"), Variable(f"x_{t}", t), Variable(f"u_{t}", t)) for t in ("i32", "f32")]
    scope += [c.result for c in conditions]
    statements = (*conditions, *drawer.block(scope, depth, most))
    stores = [Store(v, SLOTS - 1) for v in scope if v.name[0] == "v" and v.type != "i1"]
    return Program((*statements, *stores))
