"""Layouts over subgroups: a direct reading of their formulas, and programs whose results no layout changes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.ir import Operation, SSAValue

from passes.xegpu.wg_to_sg_distribute import XegpuWgToSgDistributePass
from tests.unit.passes.kernels.harness import Array, compile_one, kernel_text, run
from xegpu.diagnostics import SourceBuffer
from xegpu.dialects import register_dialects
from xegpu.dialects.upstream.vector import vector_type
from xegpu.dialects.xegpu import LoadMatrixOp
from xegpu.mlir import parse_module, verify


@dataclass
class Layout:
    """A layout and the shape that it is for; `dropped` dimensions make it a slice."""

    shape: tuple[int, ...]
    counts: tuple[int, ...]
    data: tuple[int, ...]
    order: tuple[int, ...] | None
    dropped: tuple[int, ...] = ()
    states_data: bool = True

    @property
    def kept(self) -> list[int]:
        return [dim for dim in range(len(self.shape)) if dim not in self.dropped]

    @property
    def value_shape(self) -> list[int]:
        return [self.shape[dim] for dim in self.kept]

    def __str__(self) -> str:
        data = f", sg_data = {list(self.data)}" if self.states_data else ""
        order = "" if self.order is None else f", order = {list(self.order)}"
        text = f"#xegpu.layout<sg_layout = {list(self.counts)}{data}{order}>"
        return f"#xegpu.slice<{text}, dims = {list(self.dropped)}>" if self.dropped else text

    def owned(self, number: int) -> list[tuple[int, ...]]:
        """The elements of the value that a subgroup owns, as the formulas say."""
        rank = len(self.shape)
        coordinates, rest = [0] * rank, number
        for dim in self.order or range(rank)[::-1]:
            coordinates[dim] = rest % self.counts[dim]
            rest //= self.counts[dim]
        indices: list[list[int]] = []
        for dim in self.kept:
            n, unit = self.shape[dim], min(self.shape[dim], self.counts[dim] * self.data[dim])
            starts = [(u * unit + coordinates[dim] * self.data[dim]) % n for u in range(n // unit)]
            indices.append(sorted({s + e for s in starts for e in range(self.data[dim])}))
        return list(product(*indices))


def random_layout(rng: random.Random, shape: Sequence[int] | None = None, subgroups: int = 16) -> Layout:
    """A layout of at most as many subgroups; of any shape of rank 1 to 4 if none is given."""
    rank = rng.randint(1, 4) if shape is None else len(shape)
    while True:
        counts = [rng.choice((1, 1, 2, 3, 4, 8) if shape is None else (1, 2, 4, 8)) for _ in range(rank)]
        if prod(counts) <= subgroups and all(n % c == 0 for n, c in zip(shape or counts, counts, strict=True)):
            break
    sizes = [c * rng.choice((1, 2, 4, 6)) for c in counts] if shape is None else list(shape)
    data: list[int] = []
    for size, count in zip(sizes, counts, strict=True):
        share = size // count
        rounds = [d for d in range(1, share + 1) if share % d == 0]
        copies = [d for d in range(share, size + 1, share) if size % d == 0]
        data.append(rng.choice((share, *rounds, *copies)))
    is_default = rng.random() < 0.2
    if is_default:
        data = [size // count for size, count in zip(sizes, counts, strict=True)]
    order = None if rng.random() < 0.4 else tuple(rng.sample(range(rank), rank))
    return Layout(tuple(sizes), tuple(counts), tuple(data), order, states_data=not is_default)


def distributed(text: str) -> list[Operation]:
    context = Context()
    register_dialects(context)
    module = parse_module(context, SourceBuffer("kernel.mlir", text))
    verify(module)
    XegpuWgToSgDistributePass("pvc").apply(context, module)
    verify(module)
    return list(module.walk())


def value_of(value: SSAValue | int, number: int) -> int:
    """The value of index arithmetic on the number of the subgroup."""
    if isinstance(value, int):
        return value
    op = value.owner
    assert isinstance(op, Operation)
    if op.name == "arith.constant":
        return int(op.properties["value"].value.data)  # type: ignore[attr-defined]
    if op.name == "gpu.subgroup_id":
        return number
    a, b = (value_of(operand, number) for operand in op.operands)
    return {"arith.addi": a + b, "arith.muli": a * b, "arith.divui": a // b, "arith.remui": a % b}[op.name]


@pytest.mark.parametrize("seed", range(25))
def test_who_owns_what(seed: int) -> None:
    """Ranks 1 to 4 with orders, slices, rounds, copies and wrap-around, element by element."""
    rng = random.Random(seed)
    layout = random_layout(rng)
    if len(layout.shape) > 1 and rng.random() < 0.5:
        layout.dropped = tuple(sorted(rng.sample(range(len(layout.shape)), rng.randint(1, len(layout.shape) - 1))))
    shape = "x".join(map(str, layout.value_shape))
    matrix = f"!xegpu.mem_desc<{shape}xi32>"
    zeros = [0] * len(layout.value_shape)
    ops = distributed(
        kernel_text(
            f"%m: memref<{prod(layout.value_shape)}xi32, 3>",
            f"""
            %d = xegpu.create_mem_desc %m : memref<{prod(layout.value_shape)}xi32, 3> -> {matrix}
            %v = xegpu.load_matrix %d{zeros} <{{layout = {layout}}}> : {matrix} -> vector<{shape}xi32>
            """,
            attributes="",
        )
    )
    loads = [op for op in ops if isinstance(op, LoadMatrixOp)]
    # More subgroups than the layout has own what others own.
    for number in range(prod(layout.counts) + 2):
        found: list[tuple[int, ...]] = []
        for load in loads:
            starts = [value_of(offset, number) for offset in load.mixed_offsets]
            size = vector_type(load.value).get_shape()
            found.extend(product(*(range(s, s + n) for s, n in zip(starts, size, strict=True))))
        assert len(set(found)) == len(found)
        assert sorted(found) == sorted(layout.owned(number)), f"{layout}, subgroup {number}"


# Programs ------------------------------------------------------------------------------------------------------------


class Program:
    """A random program on a matrix of 16x32 integers, and the layouts that its operations may have."""

    def __init__(self, seed: int):
        rng = random.Random(seed)
        self.steps = rng.choices(
            ("add", "scale", "sum", "maximum", "turn", "mask", "convert", "gather", "count", "step", "cube"), k=4
        )

    def text(self, rng: random.Random) -> str:
        """The program with random layouts."""
        lines = list(self._lines(rng))
        return kernel_text(
            "%x: memref<16x32xi32>, %f: memref<512xi32>, %z: memref<512xi32>, %y: memref<16x32xi32>",
            "\n".join(lines),
            attributes="known_block_size = array<i32: 128, 1, 1>",
        )

    def _lines(self, rng: random.Random) -> Iterator[str]:
        def layout() -> Layout:
            return random_layout(rng, (16, 32), subgroups=8)

        full, desc = "vector<16x32xi32>", "!xegpu.tensor_desc<16x32xi32>"
        yield f"%t = xegpu.create_nd_tdesc %x : memref<16x32xi32> -> {desc}"
        yield f"%u = xegpu.create_nd_tdesc %y : memref<16x32xi32> -> {desc}"
        yield f"%v0 = xegpu.load_nd %t[0, 0] <{{layout = {layout()}}}> : {desc} -> {full}"
        for i, step in enumerate(self.steps):
            v, w = f"%v{i}", f"%v{i + 1}"
            hint = f"{{layout_result_0 = {layout()}}}" if rng.random() < 0.5 else ""
            match step:
                case "add":
                    yield f"%l{i} = xegpu.load_nd %t[0, 0] : {desc} -> {full}"
                    yield f"{w} = arith.addi {v}, %l{i} {hint} : {full}"
                case "scale":
                    numbers = [[r - 2 * c for c in range(32)] for r in range(16)]
                    yield f"%c{i} = arith.constant dense<{numbers}> : {full}"
                    yield f"{w} = arith.muli {v}, %c{i} {hint} : {full}"
                case "sum" | "maximum":
                    kind, dim = ("add", 1) if step == "sum" else ("maxsi", 0)
                    size = 16 if dim == 1 else 32
                    yield f"%z{i} = arith.constant dense<3> : vector<{size}xi32>"
                    yield f"%s{i} = vector.multi_reduction <{kind}>, {v}, %z{i} [{dim}] : {full} to vector<{size}xi32>"
                    source = f"vector<{size}xi32>"
                    if dim == 1:
                        yield f"%k{i} = vector.shape_cast %s{i} : {source} to vector<16x1xi32>"
                        source = "vector<16x1xi32>"
                    name = f"%k{i}" if dim == 1 else f"%s{i}"
                    yield f"%b{i} = vector.broadcast {name} : {source} to {full}"
                    yield f"{w} = arith.subi {v}, %b{i} {hint} : {full}"
                case "turn":
                    yield f"%a{i} = vector.transpose {v}, [1, 0] : {full} to vector<32x16xi32>"
                    yield f"%f{i} = vector.shape_cast %a{i} : vector<32x16xi32> to {full}"
                    yield f"{w} = arith.xori {v}, %f{i} {hint} : {full}"
                case "mask":
                    yield f"%p{i} = arith.constant 11 : index"
                    yield f"%q{i} = arith.constant 21 : index"
                    yield f"%m{i} = vector.create_mask %p{i}, %q{i} : vector<16x32xi1>"
                    yield f"%n{i} = arith.constant dense<-7> : {full}"
                    yield f"{w} = arith.select %m{i}, {v}, %n{i} {hint} : vector<16x32xi1>, {full}"
                case "gather":
                    yield f"xegpu.prefetch_nd %t[0, 0] <{{layout = {layout()}}}> : {desc}"
                    yield f"%g{i} = arith.constant dense<511> : {full}"
                    yield f"%h{i} = arith.andi {v}, %g{i} : {full}"
                    yield f"%o{i} = arith.index_cast %h{i} : {full} to vector<16x32xindex>"
                    yield f"%e{i} = arith.constant dense<0> : {full}"
                    yield f"%p{i} = arith.cmpi sge, {v}, %e{i} : {full}"
                    yield (
                        f"%l{i} = xegpu.load %f[%o{i}], %p{i} <{{layout = {layout()}}}> "
                        f": memref<512xi32>, vector<16x32xindex>, vector<16x32xi1> -> {full}"
                    )
                    yield f"{w} = arith.select %p{i}, %l{i}, {v} {hint} : vector<16x32xi1>, {full}"
                case "count":
                    flat, addresses = "vector<512xi32>", "!xegpu.tensor_desc<512xi32, #xegpu.scatter_tdesc_attr<>>"
                    yield f"%c{i} = vector.shape_cast {v} : {full} to {flat}"
                    yield f"%o{i} = vector.step : vector<512xindex>"
                    yield f"%p{i} = arith.constant dense<true> : vector<512xi1>"
                    yield f"%d{i} = xegpu.create_tdesc %z, %o{i} : memref<512xi32>, vector<512xindex> -> {addresses}"
                    yield (
                        f"%r{i} = xegpu.atomic_rmw addi %d{i}, %p{i}, %c{i} "
                        f": {addresses}, vector<512xi1>, {flat} -> {flat}"
                    )
                    yield f"%b{i} = vector.shape_cast %r{i} : {flat} to {full}"
                    yield f"{w} = arith.addi %b{i}, {v} {hint} : {full}"
                case "step":
                    yield f"%o{i} = vector.step : vector<32xindex>"
                    yield f"%q{i} = arith.index_cast %o{i} : vector<32xindex> to vector<32xi32>"
                    yield f"%b{i} = vector.broadcast %q{i} : vector<32xi32> to {full}"
                    yield f"{w} = arith.subi {v}, %b{i} {hint} : {full}"
                case "cube":
                    cube = "vector<4x4x32xi32>"
                    yield f"%a{i} = vector.shape_cast {v} : {full} to {cube}"
                    yield f"%s{i} = vector.transpose %a{i}, [1, 0, 2] : {cube} to {cube}"
                    yield f"%z{i} = arith.constant dense<0> : vector<4x32xi32>"
                    yield f"%k{i} = vector.multi_reduction <add>, %s{i}, %z{i} [1] : {cube} to vector<4x32xi32>"
                    yield f"%b{i} = vector.broadcast %k{i} : vector<4x32xi32> to {cube}"
                    yield f"%d{i} = arith.addi %b{i}, %s{i} : {cube}"
                    yield f"{w} = vector.shape_cast %d{i} : {cube} to {full}"
                case _:
                    a, b = layout(), layout()
                    yield f"{w} = xegpu.convert_layout {v} <{{input_layout = {a}, target_layout = {b}}}> : {full}"
        yield f"xegpu.store_nd %v{len(self.steps)}, %u[0, 0] <{{layout = {layout()}}}> : {full}, {desc}"

    def expected(self, x: Array) -> tuple[Array, Array]:
        """The counts and the result."""
        value, counts = x.copy(), np.zeros((16, 32), np.int32)
        for step in self.steps:
            match step:
                case "add":
                    value = value + x
                case "scale":
                    value = value * (np.arange(16)[:, None] - 2 * np.arange(32)[None]).astype(np.int32)
                case "sum":
                    value = value - (value.sum(axis=1, keepdims=True, dtype=np.int32) + np.int32(3))
                case "maximum":
                    value = value - np.maximum(value.max(axis=0, keepdims=True), 3)
                case "turn":
                    value = value ^ value.T.reshape(16, 32)
                case "mask":
                    inside = (np.arange(16)[:, None] < 11) & (np.arange(32)[None] < 21)
                    value = np.where(inside, value, np.int32(-7))
                case "gather":
                    value = np.where(value >= 0, x.ravel()[value & 511], value)
                case "count":
                    value, counts = value + counts, counts + value
                case "step":
                    value = value - np.arange(32, dtype=np.int32)
                case "cube":
                    turned = value.reshape(4, 4, 32).transpose(1, 0, 2)
                    value = (turned.sum(axis=1, dtype=np.int32)[None] + turned).reshape(16, 32)
                case _:
                    pass
        return counts, value


@pytest.mark.parametrize("seed", [12, *(pytest.param(s, marks=pytest.mark.exhaustive) for s in range(20) if s != 12)])
def test_layouts_do_not_change_results(seed: int) -> None:
    program = Program(seed // 2)
    kernel = compile_one(program.text(random.Random(seed)))
    x = np.random.default_rng(seed).integers(-50, 50, (16, 32)).astype(np.int32)
    flat = np.zeros(512, np.int32)
    *_, counts, result = run(kernel, x, x.ravel(), flat, np.zeros_like(x), engines=["jit"])
    np.testing.assert_array_equal((counts.reshape(16, 32), result), program.expected(x))
