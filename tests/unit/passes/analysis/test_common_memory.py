"""Private memory that lanes share: every small kernel finds there what each work-item would if it were alone."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, product

import numpy as np
import pytest

from passes.analysis.common_memory import divergence
from passes.convert_xegpu_to_xe.control.structured import normalize
from passes.pipelines import read_module
from runtime import Device
from xegpu.diagnostics import SourceBuffer
from xegpu.dialects.upstream.gpu import FuncOp

LANES, UNIFORM = 16, 3
ACTIONS = ("same", "own", "apart", "bump", "shift", "load")
"""Says what a kernel does with the array: it stores a number, or that of the lane, in the first element; a number in an
element that the lane chooses; adds to the first element; stores there what is found where the lane says; or reads it.
"""
CONTEXTS = ("always", "if_uniform", "if_lane", "else_lane", "loop_uniform", "loop_lane")
BRANCHING_CONTEXTS = (*CONTEXTS, "leave")
"""Encloses actions. Lanes that `leave` end the kernel afterwards."""


@dataclass(frozen=True)
class Act:
    """An action, with a number of its own."""

    kind: str
    number: int


@dataclass(frozen=True)
class Around:
    """Statements that some lanes execute, or all of them several times."""

    context: str
    body: tuple[Statement, ...]


Statement = Act | Around


# What a work-item does -----------------------------------------------------------------------------------------------


class Left(Exception):
    """A work-item has ended."""


@dataclass
class Item:
    """Executes statements as a work-item does that is alone."""

    lane: int
    array: list[int] = field(default_factory=lambda: [1, 3])
    out: int = 0

    def run(self, body: Sequence[Statement]) -> int:
        try:
            self.execute(body)
            self.act(Act("load", 0))
        except Left:
            pass
        return self.out

    def execute(self, body: Sequence[Statement]) -> None:
        for statement in body:
            if isinstance(statement, Act):
                self.act(statement)
                continue
            for _ in range(self.turns(statement.context)):
                self.execute(statement.body)
            if statement.context == "leave" and self.turns("leave"):
                raise Left

    def turns(self, context: str) -> int:
        lane = self.lane & 3
        many = {"if_lane": lane < 2, "else_lane": lane >= 2, "leave": lane == 1}
        return {"loop_uniform": UNIFORM, "loop_lane": lane}.get(context, int(many.get(context, True)))

    def act(self, action: Act) -> None:
        array, odd, number = self.array, self.lane & 1, action.number
        match action.kind:
            case "same":
                array[0] = UNIFORM + number
            case "own":
                array[0] = self.lane + number
            case "apart":
                array[odd] = number
            case "bump":
                array[0] += number
            case "shift":
                array[0] = array[odd]
            case _:
                self.out = (3 * self.out + array[0]) % (1 << 32)


# What a kernel does --------------------------------------------------------------------------------------------------

HEAD = """gpu.func @NAME(%u: i32, %all: !llvm.ptr<1>) kernel
    attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%two = arith.constant 2 : i32
%three = arith.constant 3 : i32
%id = gpu.thread_id x
%lane = arith.index_cast %id : index to i32
%odd = arith.andi %lane, %one : i32
%turns = arith.andi %lane, %three : i32
%if_lane = arith.cmpi slt, %turns, %two : i32
%else_lane = arith.cmpi sge, %turns, %two : i32
%leave = arith.cmpi eq, %turns, %one : i32
%if_uniform = arith.cmpi sgt, %u, %one : i32
%out = llvm.getelementptr %all[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
%t = llvm.alloca %two x i32 : (i32) -> !llvm.ptr
llvm.store %one, %t : i32, !llvm.ptr
%t1 = llvm.getelementptr %t[1] : (!llvm.ptr) -> !llvm.ptr, i32
llvm.store %three, %t1 : i32, !llvm.ptr
"""
BOUNDS = {"loop_uniform": "%u", "loop_lane": "%turns"}


class Writer:
    """Writes a kernel: with `scf` if it is structured, else with branches between blocks."""

    def __init__(self, *, structured: bool):
        self.structured = structured
        self.lines: list[str] = []
        self.numbers = count()

    def kernel(self, name: str, body: Sequence[Statement]) -> str:
        self.write(body)
        self.act(Act("load", 0))
        end = [] if self.structured else ["cf.br ^end", "^end:"]
        return HEAD.replace("NAME", name) + "\n".join((*self.lines, *end, "gpu.return", "}\n"))

    def write(self, body: Sequence[Statement]) -> None:
        for statement in body:
            if isinstance(statement, Act):
                self.act(statement)
            elif statement.context == "always":
                self.write(statement.body)
            elif self.structured:
                self.region(statement)
            else:
                self.blocks(statement)

    def region(self, around: Around) -> None:
        bound = BOUNDS.get(around.context)
        loop = f"scf.for %i{next(self.numbers)} = %zero to {bound} step %one : i32 {{"
        self.lines.append(loop if bound else f"scf.if %{around.context} {{")
        self.write(around.body)
        self.lines.append("}")

    def blocks(self, around: Around) -> None:
        head, inside, behind = (f"^b{next(self.numbers)}" for _ in range(3))
        bound, counter = BOUNDS.get(around.context), f"%i{next(self.numbers)}"
        condition, back = f"%{around.context}", behind
        if bound:
            self.lines += [f"cf.br {head}(%zero : i32)", f"{head}({counter}: i32):"]
            condition = self.value(f"arith.cmpi slt, {counter}, {bound} : i32")
        self.lines += [f"cf.cond_br {condition}, {inside}, {behind}", f"{inside}:"]
        self.write(around.body)
        if bound:
            back = f"{head}({self.value(f'arith.addi {counter}, %one : i32')} : i32)"
        elif around.context == "leave":
            back = "^end"
        self.lines += [f"cf.br {back}", f"{behind}:"]

    def value(self, text: str) -> str:
        name = f"%v{next(self.numbers)}"
        self.lines.append(f"{name} = {text}")
        return name

    def sum(self, *values: str) -> str:
        return self.value(f"arith.addi {', '.join(values)} : i32")

    def place(self, index: str) -> str:
        return self.value(f"llvm.getelementptr %t[{index}] : (!llvm.ptr, i32) -> !llvm.ptr, i32")

    def loaded(self, index: str) -> str:
        return self.value(f"llvm.load {self.place(index)} : !llvm.ptr -> i32")

    def act(self, action: Act) -> None:
        number = self.value(f"arith.constant {action.number} : i32")
        match action.kind:
            case "same":
                value, index = self.sum("%u", number), "%zero"
            case "own":
                value, index = self.sum("%lane", number), "%zero"
            case "apart":
                value, index = number, "%odd"
            case "bump":
                value, index = self.sum(self.loaded("%zero"), number), "%zero"
            case "shift":
                value, index = self.loaded("%odd"), "%zero"
            case _:
                old = self.value("llvm.load %out : !llvm.ptr<1> -> i32")
                whole = self.sum(self.value(f"arith.muli {old}, %three : i32"), self.loaded("%zero"))
                self.lines.append(f"llvm.store {whole}, %out : i32, !llvm.ptr<1>")
                return
        self.lines.append(f"llvm.store {value}, {self.place(index)} : i32, !llvm.ptr")


# All small kernels ---------------------------------------------------------------------------------------------------


def shapes(contexts: Sequence[str]) -> Iterator[tuple[Statement, ...]]:
    """Yields a context around two others with an action each, and what is behind it."""
    for outer, *inner in product(contexts, contexts, contexts):
        for first, second, last in product(ACTIONS, ACTIONS, ("same", "load")):
            parts = (
                Around(c, (Act(kind, n),)) for n, (c, kind) in enumerate(zip(inner, (first, second), strict=True), 10)
            )
            yield Around(outer, tuple(parts)), Act(last, 99)


def check(kernels: Sequence[tuple[Statement, ...]], *, structured: bool) -> None:
    texts = (Writer(structured=structured).kernel(f"k{number}", body) for number, body in enumerate(kernels))
    module = Device("pvc").compile(f"gpu.module @m {{\n{''.join(texts)}}}")
    for number, body in enumerate(kernels):
        out = np.zeros(LANES, np.uint32)
        module[f"k{number}"][1, (LANES,)](np.int32(UNIFORM), out)
        expected = [Item(lane).run(body) for lane in range(LANES)]
        assert out.tolist() == expected, f"{body}\n{Writer(structured=structured).kernel('k', body)}"


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("structured", [True, False])
def test_some_kernels(structured: bool) -> None:
    kernels = list(shapes(CONTEXTS if structured else BRANCHING_CONTEXTS))
    check(random.Random(7).sample(kernels, 16), structured=structured)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("structured", [True, False])
def test_more_kernels(seed: int, structured: bool) -> None:
    kernels = list(shapes(CONTEXTS if structured else BRANCHING_CONTEXTS))
    check(random.Random(seed).sample(kernels, 100), structured=structured)


def around(*contexts: str, kinds: Sequence[str]) -> tuple[Statement, ...]:
    """Returns actions in some contexts, the first outermost."""
    body: tuple[Statement, ...] = tuple(Act(kind, number) for number, kind in enumerate(kinds))
    for context in reversed(contexts):
        body = (Around(context, body),)
    return body


SHARED = {
    "stores of one value": around(kinds=["same", "bump"]),
    "a lane chooses what it reads": around(kinds=["same", "load", "load"]),
    "in a loop that all lanes stay in": around("loop_uniform", "if_uniform", kinds=["bump"]),
}
PRIVATE = {
    "a value of a lane": around(kinds=["own"]),
    "a place of a lane": around(kinds=["apart"]),
    "a value that depends on a place of a lane": around(kinds=["shift"]),
    "lanes left out read later": around("if_lane", kinds=["same"]),
    "lanes leave a loop and read later": around("loop_lane", kinds=["bump"]),
}


@pytest.mark.parametrize("name", [*SHARED, *PRIVATE])
def test_what_is_shared(name: str) -> None:
    assert shared(Writer(structured=True).kernel("k", (SHARED | PRIVATE)[name])) == (name in SHARED)


def shared(kernel: str) -> bool:
    """Returns whether the lanes of a kernel share its only array."""
    _, module = read_module(SourceBuffer("k", f"gpu.module @m {{\n{kernel}}}"))
    (function,) = (op for op in module.walk() if isinstance(op, FuncOp))
    normalize(function.body)
    return len(divergence(function.body, LANES, frozenset()).common) == 1


GUARD = """  scf.if %if_lane {{
    llvm.store %u, %t : i32, !llvm.ptr
    {read}
  }}
  {later}
"""
READ = "%x = llvm.load %t : !llvm.ptr -> i32"


@pytest.mark.parametrize("name", ["inside", "outside", "in a loop", "escapes"])
def test_guarded_kernels(name: str) -> None:
    """Kernels do all of their work in a choice that leaves out the last lanes; nobody else reads what is stored."""
    text = GUARD.format(
        read=READ,
        later={"outside": READ.replace("x", "y"), "escapes": "%p = llvm.ptrtoint %t : !llvm.ptr to i64"}.get(name, ""),
    )
    if name == "in a loop":
        text = f"scf.for %i = %zero to %u step %one : i32 {{\n{text}}}\n"
    head = HEAD.replace("NAME", "k").replace("llvm.store %one, %t : i32, !llvm.ptr\n", "")
    assert shared(f"{head}{text}gpu.return}}") == (name == "inside")
