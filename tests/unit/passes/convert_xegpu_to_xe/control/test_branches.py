"""Branches between blocks that work-items take differently: any graph, against an interpreter of one work-item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.amounts import examples
from tests.unit.passes.kernels.harness import compile_one, kernel_text, refusal, run

ITEMS = 20
MODE = "spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>"
MASK = 0xFFFFFFFF


@dataclass(frozen=True)
class Node:
    """A block: which bit of its number it branches by, where to, and a block that it uses a value of."""

    bit: int
    successors: tuple[int, ...]
    """One or two; -1 leaves the kernel."""

    counts: bool
    """True if it leaves the kernel when the work-item's steps are used up; one block of each loop must."""

    used: int | None = None


@dataclass(frozen=True)
class Graph:
    nodes: tuple[Node, ...]

    def text(self) -> str:
        """Each block gets a number and the steps that are left, and stores the number in the end."""
        lines = [
            "%t = gpu.thread_id x\n%start = arith.index_cast %t : index to i32\n%steps = arith.constant 24 : i32",
            "%zero = arith.constant 0 : i32\n%one = arith.constant 1 : i32\n%three = arith.constant 3 : i32",
            "cf.br ^b0(%start, %steps : i32, i32)",
        ]
        for index, node in enumerate(self.nodes):
            lines += [
                f"^b{index}(%a{index}: i32, %k{index}: i32):",
                f"%n{index} = arith.constant {index + 1} : i32",
                f"%m{index} = arith.muli %a{index}, %three : i32\n%v{index} = arith.addi %m{index}, %n{index} : i32",
            ]
            value = f"%v{index}"
            if node.used is not None:
                lines.append(f"%u{index} = arith.addi %v{index}, %v{node.used} : i32")
                value = f"%u{index}"
            lines.append(f"%l{index} = arith.subi %k{index}, %one : i32")
            if node.counts:
                lines.append(f"%e{index} = arith.cmpi sle, %l{index}, %zero : i32")
                lines.append(f"cf.cond_br %e{index}, ^end({value} : i32), ^c{index}\n^c{index}:")
            ways = [
                f"^end({value} : i32)" if s < 0 else f"^b{s}({value}, %l{index} : i32, i32)" for s in node.successors
            ]
            if len(ways) == 1:
                lines.append(f"cf.br {ways[0]}")
                continue
            lines += [
                f"%s{index} = arith.constant {node.bit} : i32\n%h{index} = arith.shrui {value}, %s{index} : i32",
                f"%i{index} = arith.trunci %h{index} : i32 to i1\ncf.cond_br %i{index}, {ways[0]}, {ways[1]}",
            ]
        lines.append("^end(%x: i32):\nmemref.store %x, %o[%t] : memref<20xi32>")
        return kernel_text("%o: memref<20xi32>", "\n".join(lines), MODE)

    def result(self, item: int) -> int:
        """Returns the number that a work-item stores."""
        at, value, steps = 0, item, 24
        values: dict[int, int] = {}
        while True:
            node = self.nodes[at]
            values[at] = value = (value * 3 + at + 1) & MASK
            if node.used is not None:
                value = (value + values[node.used]) & MASK
            steps -= 1
            if node.counts and steps <= 0:
                return value
            way = 0 if len(node.successors) == 1 or value >> node.bit & 1 else 1
            at = node.successors[way]
            if at < 0:
                return value

    def check(self) -> None:
        (found,) = run(compile_one(self.text()), np.full(ITEMS, -1, np.int32), local=(ITEMS, 1, 1))
        assert found.view(np.uint32).tolist() == [self.result(item) for item in range(ITEMS)]


def dominators(successors: list[tuple[int, ...]]) -> list[set[int]]:
    """For each block, those that are on all ways to it from block 0."""
    count = len(successors)

    def reached(without: int | None) -> set[int]:
        found: set[int] = set()
        pending = [] if without == 0 else [0]
        while pending:
            block = pending.pop()
            if block not in found:
                found.add(block)
                pending += [s for s in successors[block] if s >= 0 and s != without]
        return found

    everywhere = reached(None)
    return [{d for d in range(count) if b in everywhere and b not in reached(d)} for b in range(count)]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(1, 7))
    targets = st.integers(-1, count - 1)
    successors: list[tuple[int, ...]] = [tuple(draw(st.lists(targets, min_size=1, max_size=2))) for _ in range(count)]
    above = dominators(successors)
    nodes = []
    for index, ways in enumerate(successors):
        used = draw(st.sampled_from([None, *sorted(above[index])]))
        counts = any(0 <= way <= index for way in ways) or draw(st.booleans())
        nodes.append(Node(draw(st.integers(0, 3)), ways, counts, used))
    return Graph(tuple(nodes))


@settings(max_examples=examples(12), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(graphs())
def test_any_graph(graph: Graph) -> None:
    graph.check()


def node(*successors: int, counts: bool = True, used: int | None = None) -> Node:
    return Node(0, successors, counts, used)


SHAPES: dict[str, tuple[Node, ...]] = {
    "a loop with two entries": (node(1, 2), node(2, -1), node(1)),
    "a loop with two entries in a loop": (node(1, -1), node(2, 3), node(3, 0), node(2, 1)),
    "short-circuit conditions": (
        node(1, 2, counts=False),
        node(3, 2, counts=False),
        node(4),
        node(4),
        node(-1, used=0),
    ),
    "a loop that leaves in the middle": (
        node(1),
        node(2, 3, used=0),
        node(1, 4, used=1),
        node(-1, used=1),
        node(-1, used=2),
    ),
    "a loop in a loop, left at once": (node(1), node(1, 2), node(0, 3, used=1), node(-1, used=2)),
    "a loop whose head branches to an inner one": (
        *(node(1, 2, counts=False), node(3, 0), node(1)),
        *(node(4, 2, used=0), node(5, 4), node(3, -1)),
    ),
    "a loop with three entries": (node(1, 4), node(2, 3), node(3, -1), node(2, 4), node(5, 1), node(3, -1)),
    "both ways the same": (node(1, 1), node(-1, -1)),
}


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_shapes(shape: str) -> None:
    Graph(SHAPES[shape]).check()


@pytest.mark.parametrize("where", ["kernel", "execute_region"])
def test_values_of_blocks(where: Literal["kernel", "execute_region"]) -> None:
    """A region within the kernel gives a value, and blocks pass vectors."""
    blocks = (
        "%c = arith.cmpi ult, %t, %c5 : index\ncf.cond_br %c, ^one, ^two(%v : vector<3xf32>)\n"
        "^one:\n%d = arith.addf %v, %v : vector<3xf32>\ncf.br ^two(%d : vector<3xf32>)\n^two(%r: vector<3xf32>):\n"
    )
    load = "%v = vector.load %m[%t, %c0] : memref<20x3xf32>, vector<3xf32>\n"
    store = "vector.store {r}, %m[%t, %c0] : memref<20x3xf32>, vector<3xf32>"
    if where == "execute_region":
        region = f"%q = scf.execute_region -> vector<3xf32> {{\n{blocks}scf.yield %r : vector<3xf32>\n}}\n"
        body = load + region + store.format(r="%q")
    else:
        body = load + blocks + store.format(r="%r")
    constants = "%t = gpu.thread_id x\n%c0 = arith.constant 0 : index\n%c5 = arith.constant 5 : index\n"
    memory = np.arange(60, dtype=np.float32).reshape(20, 3)
    kernel = compile_one(kernel_text("%m: memref<20x3xf32>", constants + body, MODE))
    (result,) = run(kernel, memory, local=(20, 1, 1))
    factors = np.where(np.arange(20) < 5, 2, 1)[:, None]
    np.testing.assert_array_equal(result, memory * factors)


def test_calls_with_early_returns() -> None:
    text = (
        "gpu.module @m {\nfunc.func @clamp(%a: i32, %most: i32) -> i32 {\n%more = arith.cmpi sgt, %a, %most : i32\n"
        "cf.cond_br %more, ^above, ^below\n^above:\nfunc.return %most : i32\n^below:\nfunc.return %a : i32\n}\n"
        "gpu.func @k(%o: memref<20xi32>, %most: i32) kernel {\n%t = gpu.thread_id x\n"
        "%a = arith.index_cast %t : index to i32\n%r = func.call @clamp(%a, %most) : (i32, i32) -> i32\n"
        "memref.store %r, %o[%t] : memref<20xi32>\ngpu.return\n}\n}\n"
    )
    (result,) = run(compile_one(text), np.zeros(20, np.int32), 7, local=(20, 1, 1))
    assert result.tolist() == [min(n, 7) for n in range(20)]


def test_barriers_to_which_some_work_items_of_each_subgroup_come() -> None:
    body = (
        "%t = gpu.thread_id x\n%c18 = arith.constant 18 : index\n%p = arith.cmpi ult, %t, %c18 : index\n"
        "%x = arith.constant 7 : i32\ncf.cond_br %p, ^a, ^b\n^a:\ngpu.barrier\n"
        "memref.store %x, %m[%t] : memref<20xi32>\ncf.br ^b\n^b:"
    )
    (result,) = run(
        compile_one(kernel_text("%m: memref<20xi32>", body, MODE)), np.zeros(20, np.int32), local=(20, 1, 1)
    )
    assert result.tolist() == [7] * 18 + [0, 0]


def test_buffers_that_work_items_would_choose() -> None:
    body = (
        "%t = gpu.thread_id x\n%c3 = arith.constant 3 : index\n%p = arith.cmpi ult, %t, %c3 : index\n"
        "%x = arith.constant 0 : i32\ncf.cond_br %p, ^a, ^b(%n : memref<20xi32>)\n^a:\n"
        "memref.store %x, %n[%t] : memref<20xi32>\ncf.br ^b(%m : memref<20xi32>)\n^b(%o: memref<20xi32>):\n"
        "memref.store %x, %o[%t] : memref<20xi32>"
    )
    message = refusal(kernel_text("%m: memref<20xi32>, %n: memref<20xi32>", body, MODE))
    assert "'cf.cond_br' op gives a value of type memref<20xi32> by a condition that differs" in message
