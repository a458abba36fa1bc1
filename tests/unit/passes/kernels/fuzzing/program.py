"""Programs and what they compute: all work-items at once, under a mask that says which of them are there.

Nothing in the evaluation knows of registers or subgroups but what the operations between lanes name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np

from tests.unit.passes.kernels.fuzzing.values import DTYPES, Type, Variable
from tests.unit.passes.kernels.harness import Array
from xegpu.targets import Target

EXTENT = 64
"""Rows and columns of every buffer that is read."""


class Level(Enum):
    """The level of a kernel."""

    SUBGROUP = "subgroup"
    """Whole subgroups, each of which is a thread."""
    MAPPED = "mapped"
    """Whole subgroups through descriptors with maps, which the compiler distributes over work-items."""
    ITEM = "item"
    """Work-items."""


@dataclass
class State:
    """The values so far, for each work-item; the contents of the buffers; a mask of the active work-items."""

    values: dict[str, Array]
    buffers: dict[str, Array]
    mask: Array

    @property
    def items(self) -> int:
        return int(self.mask.size)

    def on(self, mask: Array) -> State:
        """Returns the same state for some of the work-items."""
        return State(dict(self.values), self.buffers, self.mask & mask)

    def chosen(self, condition: Array, a: Array, b: Array) -> Array:
        """Returns `a` or `b` for each work-item."""
        return np.where(condition.reshape(-1, *[1] * (a.ndim - 1)), a, b)


class Statement(ABC):
    """A statement of a kernel."""

    @property
    @abstractmethod
    def results(self) -> tuple[Variable, ...]: ...

    @property
    @abstractmethod
    def operands(self) -> tuple[Variable, ...]: ...

    @property
    def blocks(self) -> tuple[Body, ...]:
        return ()

    @abstractmethod
    def text(self) -> str: ...

    @abstractmethod
    def execute(self, state: State) -> None: ...

    def with_blocks(self, blocks: Sequence[Body]) -> Statement:
        """Returns the same statement with other blocks inside."""
        return self


@dataclass(frozen=True)
class Body:
    """Statements, and the values that the block passes on."""

    statements: tuple[Statement, ...]
    yields: tuple[Variable, ...] = ()

    def text(self, terminator: str = "scf.yield") -> str:
        types = ", ".join(str(v.type) for v in self.yields)
        passed = f" {', '.join(map(str, self.yields))} : {types}" if self.yields else ""
        return f"{self.statement_text()}{terminator}{passed}\n"

    def statement_text(self) -> str:
        """Returns the statements without the terminator."""
        return "".join(s.text() for s in self.statements)

    def execute(self, state: State) -> list[Array]:
        for statement in self.statements:
            statement.execute(state)
        return [state.values[v.name] for v in self.yields]

    def walk(self) -> Iterator[Statement]:
        for statement in self.statements:
            yield statement
            for block in statement.blocks:
                yield from block.walk()


@dataclass(frozen=True)
class Operation(Statement):
    """An operation without control flow; `compute` gets the operands of all work-items, and the buffers."""

    result: Variable
    source: str
    operands_: tuple[Variable, ...]
    compute: Callable[[State, Sequence[Array]], Array]

    @property
    def results(self) -> tuple[Variable, ...]:
        return (self.result,)

    @property
    def operands(self) -> tuple[Variable, ...]:
        return self.operands_

    def text(self) -> str:
        return f"{self.source}\n"

    def execute(self, state: State) -> None:
        found = self.compute(state, [state.values[v.name] for v in self.operands_])
        shape = (state.items, *self.result.type.shape)
        state.values[self.result.name] = np.broadcast_to(found, shape).astype(self.result.type.dtype)


def constant(result: Variable, value: int) -> Operation:
    """Returns the constant with the same number in every element."""
    number = np.int64(value).astype(result.type.dtype)
    source = f"{result} = arith.constant {result.type.literal(value)}{_suffix(result.type)}"
    return Operation(result, source, (), lambda state, _: np.full((state.items, *result.type.shape), number))


def _suffix(type: Type) -> str:
    return "" if type == Type("i1") else f" : {type}"


@dataclass(frozen=True)
class Store(Statement):
    """Writes a value to a buffer of its own, which has an element for each work-item."""

    value: Variable
    buffer: str
    source: str

    @property
    def results(self) -> tuple[Variable, ...]:
        return ()

    @property
    def operands(self) -> tuple[Variable, ...]:
        return (self.value,)

    def text(self) -> str:
        return f"{self.source}\n"

    def execute(self, state: State) -> None:
        buffer = state.buffers[self.buffer]
        value = state.values[self.value.name]
        buffer.reshape(value.shape)[state.mask] = value[state.mask]


@dataclass(frozen=True)
class Choice(Statement):
    """`scf.if`, or `scf.index_switch` on 0 and 1 with the last side as the default; `cf` if it `branches`."""

    name: str
    selector: Variable
    sides: tuple[Body, ...]
    results_: tuple[Variable, ...]
    branches: bool = False

    @property
    def results(self) -> tuple[Variable, ...]:
        return self.results_

    @property
    def operands(self) -> tuple[Variable, ...]:
        return (self.selector,)

    @property
    def blocks(self) -> tuple[Body, ...]:
        return self.sides

    def with_blocks(self, blocks: Sequence[Body]) -> Statement:
        return replace(self, sides=tuple(blocks))

    def text(self) -> str:
        types = ", ".join(str(v.type) for v in self.results)
        head = f"%{self.name}:{len(self.results)} = " if self.results else ""
        clause = f" -> ({types})" if self.results else ""
        if self.selector.type.element == "i1" and self.branches:
            ends = [f"{side.statement_text()}{_branch('end', side.yields)}" for side in self.sides]
            arguments, passed = _block_arguments(self.name, self.results)
            text = (
                f"{head}scf.execute_region{clause} {{\ncf.cond_br {self.selector}, ^one, ^two\n^one:\n{ends[0]}"
                f"^two:\n{ends[1]}^end{arguments}:\nscf.yield{passed}\n}}\n"
            )
        elif self.selector.type.element == "i1":
            first, second = (side.text() for side in self.sides)
            text = f"{head}scf.if {self.selector}{clause} {{\n{first}}}"
            text += f" else {{\n{second}}}\n" if self.results or self.sides[1].statements else "\n"
        else:
            text = f"{head}scf.index_switch {self.selector}{f' -> {types}' if types else ''}\n"
            for number, side in enumerate(self.sides):
                text += f"{f'case {number}' if number < len(self.sides) - 1 else 'default'} {{\n{side.text()}}}\n"
        return text + _named(self.results, self.name)

    def execute(self, state: State) -> None:
        selector = state.values[self.selector.name]
        which = 1 - selector.astype(int) if selector.dtype == bool else np.minimum(selector, len(self.sides) - 1)
        results = [np.zeros((state.items, *v.type.shape), v.type.dtype) for v in self.results]
        for number, side in enumerate(self.sides):
            chosen = which == number
            if (state.mask & chosen).any():
                found = side.execute(state.on(chosen))
                results = [state.chosen(chosen, new, old) for new, old in zip(found, results, strict=True)]
        state.values.update(zip((v.name for v in self.results), results, strict=True))


@dataclass(frozen=True)
class Loop(Statement):
    """`scf.for` from `first` to `last` by 1, `scf.while` if there is a test as well, or `cf` if it `branches`."""

    name: str
    first: Variable
    last: Variable
    starts: tuple[Variable, ...]
    inside: tuple[Variable, ...]
    counter: Variable
    body: Body
    results_: tuple[Variable, ...]
    test: Body | None = None
    """The statements of the condition of `scf.while`, which it yields."""
    branches: bool = False

    @property
    def results(self) -> tuple[Variable, ...]:
        return self.results_

    @property
    def operands(self) -> tuple[Variable, ...]:
        return (self.first, self.last, *self.starts)

    @property
    def blocks(self) -> tuple[Body, ...]:
        return (self.body,) if self.test is None else (self.test, self.body)

    def with_blocks(self, blocks: Sequence[Body]) -> Statement:
        return replace(self, body=blocks[-1], test=blocks[0] if len(blocks) > 1 else None)

    def text(self) -> str:
        types = ", ".join(str(v.type) for v in self.inside)
        starts = ", ".join(f"{v} = {s}" for v, s in zip(self.inside, self.starts, strict=True))
        if self.branches:
            return self._branching()
        if self.test is None:
            head = f"%{self.name}:{len(self.results)} = " if self.results else ""
            clause = f" iter_args({starts}) -> ({types})" if self.results else ""
            body = self.body.text()
            text = f"{head}scf.for {self.counter} = {self.first} to {self.last} step %one{clause} {{\n{body}}}\n"
            return text + _named(self.results, self.name)
        n, values = self.name, ", ".join(map(str, (self.counter, *self.inside)))
        types = ", ".join(["index", *(str(v.type) for v in self.inside)])
        arguments = ", ".join(f"{v}: {v.type}" for v in (self.counter, *self.inside))
        test, body = self.test.statement_text(), self.body.statement_text()
        again = ", ".join([f"%{n}_next", *map(str, self.body.yields)])
        initial = ", ".join([f"{self.counter} = {self.first}", *([starts] if starts else [])])
        return (
            f"%{n}:{1 + len(self.results)} = scf.while ({initial}) : ({types}) -> ({types}) {{\n{test}"
            f"%{n}_more = arith.cmpi slt, {self.counter}, {self.last} : index\n"
            f"%{n}_on = arith.andi %{n}_more, {self.test.yields[0]} : i1\n"
            f"scf.condition(%{n}_on) {values} : {types}\n}} do {{\n^bb0({arguments}):\n{body}"
            f"%{n}_next = arith.addi {self.counter}, %one : index\nscf.yield {again} : {types}\n}}\n"
        ) + _named(self.results, self.name, 1)

    def _branching(self) -> str:
        n, types = self.name, ", ".join(str(v.type) for v in self.inside)
        head = f"%{n}:{len(self.results)} = " if self.results else ""
        clause = f" -> ({types})" if self.results else ""
        condition = f"%{n}_on = arith.cmpi slt, {self.counter}, {self.last} : index\n"
        if self.test is not None:
            condition = f"{self.test.statement_text()}{condition}"
            condition += f"%{n}_both = arith.andi %{n}_on, {self.test.yields[0]} : i1\n"
        on = f"%{n}_on" if self.test is None else f"%{n}_both"
        arguments = ", ".join(f"{v}: {v.type}" for v in (self.counter, *self.inside))
        following = Variable(f"{n}_next", Type("index"))
        passed = f" {', '.join(map(str, self.inside))} : {types}" if self.inside else ""
        return (
            f"{head}scf.execute_region{clause} {{\n{_branch('head', (self.first, *self.starts))}"
            f"^head({arguments}):\n{condition}cf.cond_br {on}, ^body, ^end\n^body:\n{self.body.statement_text()}"
            f"{following} = arith.addi {self.counter}, %one : index\n{_branch('head', (following, *self.body.yields))}"
            f"^end:\nscf.yield{passed}\n}}\n"
        ) + _named(self.results, n)

    def execute(self, state: State) -> None:
        counter, last = state.values[self.first.name].copy(), state.values[self.last.name]
        carried = [state.values[v.name] for v in self.starts]
        on = np.ones(state.items, bool)
        while True:
            inner = state.on(on)
            inner.values[self.counter.name] = counter
            inner.values.update(zip((v.name for v in self.inside), carried, strict=True))
            more = counter.view(np.int64) < last.view(np.int64)
            if self.test is not None:
                more = more & self.test.execute(inner)[0]
            on = on & more
            inner.mask = inner.mask & more
            if not inner.mask.any():
                break
            found = self.body.execute(inner)
            carried = [state.chosen(on, new, old) for new, old in zip(found, carried, strict=True)]
            counter = counter + on.astype(np.uint64)
        state.values.update(zip((v.name for v in self.results), carried, strict=True))


def _branch(block: str, values: Sequence[Variable]) -> str:
    names, types = ", ".join(map(str, values)), ", ".join(str(v.type) for v in values)
    return f"cf.br ^{block}{f'({names} : {types})' if values else ''}\n"


def _block_arguments(name: str, results: Sequence[Variable]) -> tuple[str, str]:
    """Returns the arguments of a block for some results, and their names and types as a terminator passes them."""
    if not results:
        return "", ""
    names, types = [f"%{name}_{index}" for index in range(len(results))], [str(v.type) for v in results]
    declared = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
    return f"({declared})", f" {', '.join(names)} : {', '.join(types)}"


def _named(results: Sequence[Variable], group: str, first: int = 0) -> str:
    """Gives each result of an operation a name of its own, by an operation that canonicalization removes."""
    lines = ""
    for index, v in enumerate(results, first):
        if v.type.is_float:
            lines += f"{v} = arith.select %true, %{group}#{index}, %{group}#{index} : {v.type}\n"
        else:
            lines += f"{v}_0 = arith.constant {v.type.literal(0)}{_suffix(v.type)}\n"
            lines += f"{v} = arith.ori %{group}#{index}, {v}_0 : {v.type}\n"
    return lines


@dataclass(frozen=True)
class Options:
    """Options of the compiler; `grf_count` is 0 for the smallest number of registers that suffices."""

    unroll_factor: int = 1
    pipeline_stages: int = 1
    grf_count: int = 0


@dataclass(frozen=True)
class Program:
    """A kernel of a level for a target; `%gid` numbers its work-items, or its threads if it is for subgroups."""

    level: Level
    target: Target
    lanes: int
    items: int
    body: Body
    options: Options = Options()
    seed: int = field(default=0, compare=False)
    upstream: bool = False
    """Written in the XeGPU of LLVM 22: offsets at the messages, layouts for maps, fragments of one dimension."""

    @property
    def stores(self) -> list[Store]:
        return [s for s in self.body.walk() if isinstance(s, Store)]

    def arguments(self) -> list[tuple[str, str, Array | np.generic]]:
        """Returns name, type, and value of each argument."""
        found: list[tuple[str, str, Array | np.generic]] = []
        text = self.body.text()
        rng = np.random.default_rng(self.seed)
        for element, dtype in DTYPES.items():
            if element == "i1":
                continue
            numbers = rng.integers(0 if element == "index" else -3, 5, (EXTENT, EXTENT)).astype(dtype)
            scalar = rng.integers(0, 4, 1).astype(dtype)
            if element != "index" and f"%in_{element}" in text:
                found.append((f"in_{element}", f"memref<{EXTENT}x{EXTENT}x{element}>", numbers))
            if f"%s_{element}" in text:
                found.append((f"s_{element}", element, scalar[0]))
        for store in self.stores:
            type = store.value.type
            size = "".join(f"{n}x" for n in self.buffer_shape(type))
            found.append(
                (store.buffer, f"memref<{size}{type.element}>", np.full(self.buffer_shape(type), 77, type.dtype))
            )
        return found

    def buffer_shape(self, type: Type) -> tuple[int, ...]:
        """Returns the shape of a buffer with a value for each item; matrices of subgroups lie below each other."""
        if len(type.shape) == 2 and self.level is not Level.ITEM:
            return (self.items * type.shape[0], type.shape[1])
        return (self.items, *type.shape)

    def text(self) -> str:
        """Returns the kernel as MLIR."""
        arguments = ", ".join(f"%{name}: {type}" for name, type, _ in self.arguments())
        attributes = {
            Level.SUBGROUP: "VectorComputeFunctionINTEL",
            Level.MAPPED: f"known_block_size = array<i32: {self.lanes}, 1, 1>",
            Level.ITEM: f"spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = {self.lanes}>",
        }[self.level]
        number = "gpu.global_id" if self.level is Level.ITEM else "gpu.block_id"
        lanes = self.lanes
        kind = "layout<lane_layout = [1, {}], lane_data" if self.upstream else "sg_map<wi_layout = [1, {}], wi_data"
        maps = "".join(
            f"#{name} = #xegpu.{kind.format(lanes)} = [{rows}, {columns}]>\n"
            for name, rows, columns in (("plain", 1, 1), ("two", 2, 1), ("four", 4, 1), ("a2", 1, 2), ("a4", 1, 4))
        )
        return (
            f"{maps}gpu.module @m {{\ngpu.func @k({arguments}) kernel attributes {{{attributes}}} {{\n"
            f"%gid = {number} x\n%zero = arith.constant 0 : index\n%one = arith.constant 1 : index\n"
            f"%true = arith.constant true\n{self.body.text('gpu.return')}}}\n}}\n"
        )

    def evaluate(self) -> dict[str, Array]:
        """Returns the final contents of the buffers that the kernel writes."""
        values: dict[str, Array] = {
            "gid": np.arange(self.items, dtype=np.uint64),
            "zero": np.zeros(self.items, np.uint64),
            "one": np.ones(self.items, np.uint64),
            "true": np.ones(self.items, bool),
        }
        buffers: dict[str, Array] = {}
        for name, _, value in self.arguments():
            if isinstance(value, np.ndarray) and value.ndim:
                buffers[name] = value.copy()
            else:
                values[name] = np.full(self.items, value)
        state = State(values, buffers, np.ones(self.items, bool))
        with np.errstate(all="ignore"):
            self.body.execute(state)
        return {store.buffer: buffers[store.buffer] for store in self.stores}
