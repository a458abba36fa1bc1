"""Random kernels with loops and branches: as MLIR text, and what they compute.

A program works on 32-bit integers, alone and in vectors, so that every result is exact. Each statement can be printed
and executed; strategies draw statements whose operands are in scope.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

Words = NDArray[np.uint32]
Environment = dict[str, Words]

SIZES = (0, 1, 3, 16, 40)
"""Elements of a vector; 0, which comes first, stands for a scalar."""

BINARY = {
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
    "arith.minui": np.minimum,
    "arith.maxui": np.maximum,
}


@dataclass(frozen=True)
class Variable:
    name: str
    size: int

    @property
    def type(self) -> str:
        return f"vector<{self.size}xi32>" if self.size else "i32"

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.size,) if self.size else ()

    def __str__(self) -> str:
        return f"%{self.name}"


class Statement(ABC):
    """Something that a kernel does."""

    @abstractmethod
    def text(self) -> str: ...

    @abstractmethod
    def execute(self, env: Environment) -> None: ...


@dataclass(frozen=True)
class Binary(Statement):
    result: Variable
    operation: str
    a: Variable
    b: Variable

    def text(self) -> str:
        return f"{self.result} = {self.operation} {self.a}, {self.b} : {self.result.type}\n"

    def execute(self, env: Environment) -> None:
        env[self.result.name] = BINARY[self.operation](env[self.a.name], env[self.b.name])


@dataclass(frozen=True)
class Choose(Statement):
    """The smaller operand where `a < b` as signed numbers of the elements, else their sum."""

    result: Variable
    a: Variable
    b: Variable

    def text(self) -> str:
        r, type = self.result, self.result.type
        condition = type.replace("i32", "i1")
        return (
            f"{r}_p = arith.cmpi slt, {self.a}, {self.b} : {type}\n"
            f"{r}_s = arith.addi {self.a}, {self.b} : {type}\n"
            f"{r} = arith.select {r}_p, {self.a}, {r}_s : {condition}, {type}\n"
        )

    def execute(self, env: Environment) -> None:
        a, b = env[self.a.name], env[self.b.name]
        env[self.result.name] = np.where(a.view(np.int32) < b.view(np.int32), a, a + b)


@dataclass(frozen=True)
class Broadcast(Statement):
    result: Variable
    scalar: Variable

    def text(self) -> str:
        return f"{self.result} = vector.broadcast {self.scalar} : i32 to {self.result.type}\n"

    def execute(self, env: Environment) -> None:
        env[self.result.name] = np.full(self.result.size, env[self.scalar.name], np.uint32)


@dataclass(frozen=True)
class Extract(Statement):
    result: Variable
    vector: Variable
    position: int

    def text(self) -> str:
        return f"{self.result} = vector.extract {self.vector}[{self.position}] : i32 from {self.vector.type}\n"

    def execute(self, env: Environment) -> None:
        env[self.result.name] = np.asarray(env[self.vector.name][self.position])


@dataclass(frozen=True)
class Shuffle(Statement):
    result: Variable
    a: Variable
    b: Variable
    mask: tuple[int, ...]

    def text(self) -> str:
        return f"{self.result} = vector.shuffle {self.a}, {self.b} {list(self.mask)} : {self.a.type}, {self.b.type}\n"

    def execute(self, env: Environment) -> None:
        env[self.result.name] = np.concatenate([env[self.a.name], env[self.b.name]])[list(self.mask)]


@dataclass(frozen=True)
class Carried:
    """A loop-carried value: its name in the body, where it starts, what the body yields, its name afterwards."""

    inside: Variable
    start: Variable
    yielded: Variable
    after: Variable


@dataclass(frozen=True)
class Loop(Statement):
    name: str
    trips: int
    body: tuple[Statement, ...]
    carried: tuple[Carried, ...]

    def text(self) -> str:
        n, types = self.name, ", ".join(c.inside.type for c in self.carried)
        starts = ", ".join(f"{c.inside} = {c.start}" for c in self.carried)
        results = f"%{n}:{len(self.carried)} = " if self.carried else ""
        clause = f"iter_args({starts}) -> ({types})" if self.carried else ""
        yields = f"{', '.join(str(c.yielded) for c in self.carried)} : {types}" if self.carried else ""
        renames = "".join(_rename(c.after, f"%{n}#{i}") for i, c in enumerate(self.carried))
        return (
            f"%{n}_lb = arith.constant 0 : index\n%{n}_st = arith.constant 2 : index\n"
            f"%{n}_ub = arith.constant {2 * self.trips} : index\n"
            f"{results}scf.for %{n}_iv = %{n}_lb to %{n}_ub step %{n}_st {clause} {{\n"
            f"{''.join(s.text() for s in self.body)}scf.yield {yields}\n}}\n{renames}"
        )

    def execute(self, env: Environment) -> None:
        current = [env[c.start.name] for c in self.carried]
        for _ in range(self.trips):
            inner = dict(env)
            inner.update({c.inside.name: value for c, value in zip(self.carried, current, strict=True)})
            for statement in self.body:
                statement.execute(inner)
            current = [inner[c.yielded.name] for c in self.carried]
        env.update({c.after.name: value for c, value in zip(self.carried, current, strict=True)})


@dataclass(frozen=True)
class Branch(Statement):
    """An `scf.if` on `a < b`; the results are pairs of a value from each side."""

    name: str
    a: Variable
    b: Variable
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    results: tuple[tuple[Variable, Variable, Variable], ...]

    def text(self) -> str:
        n, types = self.name, ", ".join(r.type for r, _, _ in self.results)
        heads = f"%{n}:{len(self.results)} = " if self.results else ""
        clause = f"-> ({types})" if self.results else ""

        def side(statements: tuple[Statement, ...], index: int) -> str:
            values = f"{', '.join(str(r[index]) for r in self.results)} : {types}" if self.results else ""
            return f"{''.join(s.text() for s in statements)}scf.yield {values}\n"

        renames = "".join(_rename(r, f"%{n}#{i}") for i, (r, _, _) in enumerate(self.results))
        return (
            f"%{n}_p = arith.cmpi ult, {self.a}, {self.b} : i32\n{heads}scf.if %{n}_p {clause} {{\n"
            f"{side(self.then, 1)}}} else {{\n{side(self.otherwise, 2)}}}\n{renames}"
        )

    def execute(self, env: Environment) -> None:
        taken = bool(env[self.a.name] < env[self.b.name])
        inner = dict(env)
        for statement in self.then if taken else self.otherwise:
            statement.execute(inner)
        env.update({r.name: inner[(a if taken else b).name] for r, a, b in self.results})


def _rename(name: Variable, value: str) -> str:
    """Gives a result of a loop or branch a name of its own, by an operation that canonicalization removes."""
    zero = f"{name}_zero = arith.constant {'dense<0>' if name.size else '0'} : {name.type}\n"
    return f"{zero}{name} = arith.ori {value}, {name}_zero : {name.type}\n"


@dataclass(frozen=True)
class Program:
    """`inputs` are loaded from `%in`, all values that `outputs` names are stored to `%out`, one after the other."""

    inputs: tuple[Variable, ...]
    statements: tuple[Statement, ...]
    outputs: tuple[Variable, ...]

    def text(self) -> str:
        total_in, total_out = _words(self.inputs), _words(self.outputs)
        lines: list[str] = []
        for variable, offset in _placed(self.inputs):
            lines.append(_access(variable, offset, "in", total_in))
        lines += [s.text() for s in self.statements]
        for variable, offset in _placed(self.outputs):
            lines.append(_access(variable, offset, "out", total_out))
        arguments = f"%in: memref<{total_in}xi32>, %out: memref<{total_out}xi32>"
        body = "".join(lines)
        attributes = "attributes {VectorComputeFunctionINTEL}"
        return f"gpu.module @m {{\ngpu.func @k({arguments}) kernel {attributes} {{\n{body}gpu.return\n}}\n}}\n"

    @property
    def input_words(self) -> int:
        return _words(self.inputs)

    @property
    def output_words(self) -> int:
        return _words(self.outputs)

    def execute(self, data: Words) -> Words:
        """Returns the contents of `%out` after the program has run."""
        env = {v.name: data[offset : offset + max(v.size, 1)].reshape(v.shape) for v, offset in _placed(self.inputs)}
        with np.errstate(over="ignore"):
            for statement in self.statements:
                statement.execute(env)
        return np.concatenate([env[v.name].reshape(-1) for v in self.outputs])


def _words(variables: tuple[Variable, ...]) -> int:
    return sum(max(v.size, 1) for v in variables)


def _placed(variables: tuple[Variable, ...]) -> list[tuple[Variable, int]]:
    offset, placed = 0, []
    for variable in variables:
        placed.append((variable, offset))
        offset += max(variable.size, 1)
    return placed


def _access(variable: Variable, offset: int, memref: str, total: int) -> str:
    name = f"%{memref}_{offset}"
    type = f"memref<{total}xi32>"
    index = f"{name}_i = arith.constant {offset} : index\n"
    if not variable.size:
        access = (
            f"{variable} = memref.load %in[{name}_i] : {type}\n"
            if memref == "in"
            else f"memref.store {variable}, %out[{name}_i] : {type}\n"
        )
        return index + access
    desc = f"!xegpu.tensor_desc<{variable.size}xi32>"
    made = f"{index}{name}_t = xegpu.create_nd_tdesc %{memref}[{name}_i] : {type} -> {desc}\n"
    if memref == "in":
        return f"{made}{variable} = xegpu.load_nd {name}_t : {desc} -> {variable.type}\n"
    return f"{made}xegpu.store_nd {variable}, {name}_t : {variable.type}, {desc}\n"


class _Drawer:
    """Draws statements, keeping names apart."""

    def __init__(self, draw: st.DrawFn, sizes: tuple[int, ...]):
        self.draw = draw
        self.sizes = sizes
        self.count = 0

    def fresh(self, size: int) -> Variable:
        self.count += 1
        return Variable(f"v{self.count}", size)

    def pick(self, scope: list[Variable], size: int | None = None) -> Variable:
        return self.draw(st.sampled_from([v for v in scope if size is None or v.size == size]))

    def block(self, scope: list[Variable], depth: int, most: int) -> tuple[Statement, ...]:
        """Statements whose results join the scope."""
        return tuple(self.statement(scope, depth) for _ in range(self.draw(st.integers(0, most))))

    def statement(self, scope: list[Variable], depth: int) -> Statement:
        kinds = ["binary"] * 4 + ["choose", "broadcast", "extract", "shuffle"] + (["loop", "branch"] if depth else [])
        made = getattr(self, f"_{self.draw(st.sampled_from(kinds))}")(scope, depth)
        assert isinstance(made, Statement)
        return made

    def _binary(self, scope: list[Variable], depth: int) -> Statement:
        a = self.pick(scope)
        b = self.pick(scope, a.size)
        result = self.fresh(a.size)
        scope.append(result)
        return Binary(result, self.draw(st.sampled_from(sorted(BINARY))), a, b)

    def _choose(self, scope: list[Variable], depth: int) -> Statement:
        a = self.pick(scope)
        b = self.pick(scope, a.size)
        result = self.fresh(a.size)
        scope.append(result)
        return Choose(result, a, b)

    def _broadcast(self, scope: list[Variable], depth: int) -> Statement:
        scalar = self.pick(scope, 0)
        result = self.fresh(self.draw(st.sampled_from(self.sizes[1:])))
        scope.append(result)
        return Broadcast(result, scalar)

    def _extract(self, scope: list[Variable], depth: int) -> Statement:
        vector = self.pick([v for v in scope if v.size])
        result = self.fresh(0)
        scope.append(result)
        return Extract(result, vector, self.draw(st.integers(0, vector.size - 1)))

    def _shuffle(self, scope: list[Variable], depth: int) -> Statement:
        a, b = (self.pick([v for v in scope if v.size]) for _ in range(2))
        result = self.fresh(self.draw(st.sampled_from(self.sizes[1:])))
        entries = st.integers(0, a.size + b.size - 1)
        mask = self.draw(st.lists(entries, min_size=result.size, max_size=result.size))
        scope.append(result)
        return Shuffle(result, a, b, tuple(mask))

    def _loop(self, scope: list[Variable], depth: int) -> Statement:
        starts = self.draw(st.lists(st.sampled_from(scope), max_size=4))
        inside = [self.fresh(s.size) for s in starts]
        inner = scope + inside
        body = self.block(inner, depth - 1, 5)
        yielded = [self.pick(inner, s.size) for s in starts]
        after = [self.fresh(s.size) for s in starts]
        scope.extend(after)
        carried = tuple(Carried(*entry) for entry in zip(inside, starts, yielded, after, strict=True))
        self.count += 1
        return Loop(f"loop{self.count}", self.draw(st.integers(0, 3)), body, carried)

    def _branch(self, scope: list[Variable], depth: int) -> Statement:
        a, b = self.pick(scope, 0), self.pick(scope, 0)
        first, second = list(scope), list(scope)
        then, otherwise = self.block(first, depth - 1, 4), self.block(second, depth - 1, 4)
        sizes = self.draw(st.lists(st.sampled_from(self.sizes), max_size=3))
        results = [(self.fresh(size), self.pick(first, size), self.pick(second, size)) for size in sizes]
        scope.extend(result for result, _, _ in results)
        self.count += 1
        return Branch(f"if{self.count}", a, b, then, otherwise, tuple(results))


@st.composite
def programs(
    draw: st.DrawFn, sizes: tuple[int, ...] = SIZES, copies: int = 1, depth: int = 2, most: int = 12
) -> Program:
    """Programs with loops and branches up to `depth` deep; `copies` inputs of each size."""
    drawer = _Drawer(draw, sizes)
    inputs = tuple(drawer.fresh(size) for size in sizes for _ in range(copies))
    scope = list(inputs)
    statements = drawer.block(scope, depth, most)
    outputs = draw(st.lists(st.sampled_from(scope), min_size=1, max_size=8))
    return Program(inputs, statements, tuple(outputs))
