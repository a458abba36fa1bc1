"""Random chains of operations on shared values: what the subgroups do together is what the work group was to do."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from passes.xetile.wg_to_sg import XetileWgToSgPass
from tests.unit.passes.kernels.harness import Array, kernel_text
from xegpu.diagnostics import SourceBuffer
from xegpu.dialects import register_dialects
from xegpu.dialects.upstream.arith.comparisons import CmpiOp
from xegpu.dialects.upstream.gpu.kernel import FuncOp
from xegpu.dialects.xetile import InitTileOp, ReductionOp
from xegpu.dialects.xetile.types import tile_type
from xegpu.mlir import parse_module, verify

# Subgroup by subgroup: each runs until it waits, so that what nobody waits for is missing --------------------------

ELEMENTWISE: Mapping[str, Callable[..., Array]] = {
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.divui": np.floor_divide,
    "arith.remui": np.remainder,
    "arith.addf": np.add,
    "arith.negf": np.negative,
    "arith.maximumf": np.maximum,
    "arith.select": np.where,
}
REDUCTIONS: Mapping[str, Callable[..., Array]] = {"add": np.sum, "maximumf": np.max}


@dataclass
class Tile:
    memory: Array
    """The part of memory that the tile denotes."""


class Subgroup:
    def __init__(self, number: int, slm: dict[Operation, Array]):
        self.number, self.slm = number, slm
        self.values: dict[SSAValue, Array | Tile] = {}

    def array(self, value: SSAValue) -> Array:
        found = self.values[value]
        assert not isinstance(found, Tile)
        return found

    def tile(self, value: SSAValue) -> Tile:
        found = self.values[value]
        assert isinstance(found, Tile)
        return found

    def run(self, block: Block) -> Generator[None, None, list[Array | Tile]]:
        """Runs a block, and returns what it yields. Stops at barriers."""
        for op in block.ops:
            if op.name == "gpu.barrier":
                yield
            elif op.name in ("scf.yield", "gpu.return"):
                return [self.values[value] for value in op.operands]
            elif op.name == "scf.for":
                first, last, step = (int(self.array(value)) for value in op.operands[:3])
                carried = [self.values[value] for value in op.operands[3:]]
                body = op.regions[0].block
                for i in range(first, last, step):
                    self.values.update(zip(body.args, [np.asarray(np.int64(i)), *carried], strict=True))
                    carried = yield from self.run(body)
                self.values.update(zip(op.results, carried, strict=True))
            elif op.name == "scf.if":
                if self.array(op.operands[0]):
                    yield from self.run(op.regions[0].block)
            else:
                self.execute(op)
        return []

    def execute(self, op: Operation) -> None:
        match op.name:
            case "xetile.store_tile":
                self.tile(op.operands[1]).memory[...] = self.array(op.operands[0])
                return
            case "xetile.init_tile":
                assert isinstance(op, InitTileOp)
                starts = [start if isinstance(start, int) else int(self.array(start)) for start in op.start]
                window = zip(starts, tile_type(op.tile).get_shape(), strict=True)
                self.values[op.tile] = Tile(self.array(op.source)[tuple(slice(s, s + n) for s, n in window)])
                return
        self.values[op.results[0]] = self.result(op)

    def result(self, op: Operation) -> Array:
        type_ = op.results[0].type
        shape: Sequence[int] = getattr(type_, "get_shape", lambda: ())()
        match op.name:
            case "gpu.subgroup_id":
                return np.asarray(np.int64(self.number))
            case "arith.constant":
                value = op.properties["value"]
                if isinstance(value, DenseIntOrFPElementsAttr):
                    return np.array(value.get_values()).reshape(shape)
                assert isinstance(value, IntegerAttr | FloatAttr)
                return np.asarray(value.value.data)
            case "arith.cmpi":
                assert isinstance(op, CmpiOp) and op.predicate_name == "eq"
                return np.equal(*map(self.array, op.operands))
            case "xetile.load_tile":
                return self.tile(op.operands[0]).memory.copy()
            case "memref.alloc":
                return self.slm.setdefault(op, np.full(shape, 0xFF, np.uint8))
            case "memref.view":
                return self.array(op.operands[0]).view(np.float32).reshape(shape)
            case "xetile.transpose" | "vector.transpose":
                return self.array(op.operands[0]).T
            case "xetile.reduction":
                assert isinstance(op, ReductionOp)
                dims = tuple(op.reduction_dims.get_values())
                return np.asarray(REDUCTIONS[op.kind.data.value](self.array(op.source), axis=dims, keepdims=True))
            case "vector.multi_reduction":  # of a value that every subgroup has
                return np.asarray(np.maximum(self.array(op.operands[0]).max(), self.array(op.operands[1])))
            case "xetile.broadcast" | "vector.broadcast":
                return np.broadcast_to(self.array(op.operands[0]), shape)
            case "vector.shape_cast":
                return self.array(op.operands[0]).reshape(shape)
            case "vector.extract":
                return np.asarray(self.array(op.operands[0]).flat[0])
            case "vector.create_mask":
                rows, columns = (int(self.array(bound)) for bound in op.operands)
                return (np.arange(shape[0])[:, None] < rows) & (np.arange(shape[1]) < columns)
            case name:
                return ELEMENTWISE[name](*map(self.array, op.operands))


def run_subgroups(text: str, subgroups: int, *arguments: Array) -> None:
    """Distributes the kernel, and lets subgroups run it on `arguments`."""
    context = Context()
    register_dialects(context)
    module = parse_module(context, SourceBuffer("kernel.mlir", text))
    XetileWgToSgPass("pvc").apply(context, module)
    verify(module)
    (function,) = (op for op in module.walk() if isinstance(op, FuncOp))
    slm: dict[Operation, Array] = {}
    running = []
    for number in range(subgroups):
        subgroup = Subgroup(number, slm)
        subgroup.values.update(zip(function.body.block.args, arguments, strict=True))
        running.append(subgroup.run(function.body.block))
    finished = object()
    while True:
        stops = [next(one, finished) for one in running]
        if any(stop is finished for stop in stops):
            assert all(stop is finished for stop in stops), "some subgroups wait for others that are through"
            return


# Programs -----------------------------------------------------------------------------------------------------------


class Program:
    """A kernel that loads x, computes, and stores y, and what y should be."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.subgroups = self.rng.choice([2, 4, 8])
        shape = (self.rng.choice([8, 16]), self.rng.choice([8, 16]))
        self.x = np.random.default_rng(seed).integers(-4, 5, shape).astype(np.float32)
        tile = self.tile(shape, even=False)
        self.lines = [
            "%c0 = arith.constant 0 : index",
            "%c1 = arith.constant 1 : index",
            "%c2 = arith.constant 2 : index",
            f"%xt = xetile.init_tile %x[0, 0] : memref<{self.type(shape)}> -> {tile}",
            f"%v0 = xetile.load_tile %xt : {tile} -> vector<{self.type(shape)}>",
        ]
        self.values = [("%v0", self.x)]
        for number in range(1, self.rng.randint(3, 8)):
            self.add(f"%v{number}")
        name, self.y = self.values[-1]
        type_, tile = self.type(self.y.shape), self.tile(self.y.shape, even=True)
        self.lines.append(f"%yt = xetile.init_tile %y[0, 0] : memref<{type_}> -> {tile}")
        self.lines.append(f"xetile.store_tile {name}, %yt : vector<{type_}>, {tile}")
        arguments = f"%x: memref<{self.type(shape)}>, %y: memref<{type_}>"
        self.text = kernel_text(arguments, "\n".join(self.lines))

    @staticmethod
    def type(shape: Sequence[int]) -> str:
        return "x".join(map(str, [*shape, "f32"]))

    def map(self, shape: Sequence[int], *, even: bool = False) -> str:
        """Powers of two: nobody owns a block twice."""
        rows = self.rng.choice([n for n in (1, 2, 4, 8) if self.subgroups % n == 0])
        layout = [rows, self.subgroups // rows]
        data = [
            self.rng.choice([d for d in (1, 2, 4, 8, 16) if size % d == 0 and (not even or size // d % count == 0)])
            for size, count in zip(shape, layout, strict=True)
        ]
        return f"<sg_layout = {layout}, sg_data = {data}>"

    def tile(self, shape: Sequence[int], *, even: bool) -> str:
        return f"!xetile.tile<{self.type(shape)}, #xetile.tile_attr<wg_map = {self.map(shape, even=even)}>>"

    def maybe_map(self, shape: Sequence[int]) -> str:
        return f"{{map = #xetile.wg_map{self.map(shape)}}}" if self.rng.random() < 0.5 else ""

    def add(self, name: str) -> None:
        """One more value, made of earlier ones."""
        source, v = self.rng.choice(self.values)
        type_ = f"vector<{self.type(v.shape)}>"
        steps = (self.negate, self.sum, self.transpose, self.reduce, self.total, self.convert, self.constant, self.mask)
        step = self.rng.choice([*steps, self.loop])
        result, lines = step(name, source, v, type_)
        self.lines.extend(lines)
        self.values.append((name, result))

    def negate(self, name: str, source: str, v: Array, type_: str) -> tuple[Array, list[str]]:
        return -v, [f"{name} = arith.negf {source} {self.maybe_map(v.shape)} : {type_}"]

    def sum(self, name: str, source: str, v: Array, type_: str) -> tuple[Array, list[str]]:
        other, w = self.rng.choice([(n, w) for n, w in self.values if w.shape == v.shape])
        return v + w, [f"{name} = arith.addf {source}, {other} {self.maybe_map(v.shape)} : {type_}"]

    def transpose(self, name: str, source: str, v: Array, type_: str) -> tuple[Array, list[str]]:
        op, arrow = self.rng.choice([("xetile", "->"), ("vector", "to")])
        attribute, result = self.maybe_map(v.T.shape), f"vector<{self.type(v.T.shape)}>"
        return v.T, [f"{name} = {op}.transpose {source}, [1, 0] {attribute} : {type_} {arrow} {result}"]

    def reduce(self, name: str, source: str, v: Array, type_: str) -> tuple[Array, list[str]]:
        dim, kind = self.rng.choice([0, 1]), self.rng.choice(list(REDUCTIONS))
        reduced = np.asarray(REDUCTIONS[kind](v, axis=dim, keepdims=True))
        between = f"vector<{self.type(reduced.shape)}>"
        return np.broadcast_to(reduced, v.shape), [
            f"{name}r = xetile.reduction <{kind}>, {source} [{dim}] : {type_} -> {between}",
            f"{name} = xetile.broadcast {name}r [{dim}] {self.maybe_map(v.shape)} : {between} -> {type_}",
        ]

    def total(self, name: str, source: str, v: Array, type_: str) -> tuple[Array, list[str]]:
        return np.full(v.shape, max(v.max(), 1), np.float32), [
            f"{name}one = arith.constant 1.0 : f32",
            f"{name}s = vector.multi_reduction <maximumf>, {source}, {name}one [0, 1] : {type_} to f32",
            f"{name} = vector.broadcast {name}s {self.maybe_map(v.shape)} : f32 to {type_}",
        ]

    def convert(self, name: str, source: str, v: Array, type_: str) -> tuple[Array, list[str]]:
        result = f"{{wg_map_result = #xetile.wg_map{self.map(v.shape)}}}"
        return v, [f"{name} = xetile.convert_layout {source} {result} : {type_}"]

    def constant(self, name: str, source: str, v: Array, type_: str) -> tuple[Array, list[str]]:
        values = np.arange(v.size, dtype=np.float32).reshape(v.shape) % self.rng.choice([1, 3, 7])
        return v + values, [
            f"{name}c = arith.constant {self.maybe_map(v.shape)} dense<{values.tolist()}> : {type_}",
            f"{name} = arith.addf {source}, {name}c : {type_}",
        ]

    def mask(self, name: str, source: str, v: Array, type_: str) -> tuple[Array, list[str]]:
        rows, columns = (self.rng.randint(0, size) for size in v.shape)
        mask = (np.arange(v.shape[0])[:, None] < rows) & (np.arange(v.shape[1]) < columns)
        return np.where(mask, v, -v), [
            f"{name}h = arith.constant {rows} : index",
            f"{name}w = arith.constant {columns} : index",
            f"{name}m = vector.create_mask {name}h, {name}w : {type_.replace('f32', 'i1')}",
            f"{name}n = arith.negf {source} {self.maybe_map(v.shape)} : {type_}",
            f"{name} = arith.select {name}m, {source}, {name}n : {type_.replace('f32', 'i1')}, {type_}",
        ]

    def loop(self, name: str, source: str, v: Array, type_: str) -> tuple[Array, list[str]]:
        result = f"{{wg_map_result = #xetile.wg_map{self.map(v.shape)}}}"
        return 4 * v, [
            f"{name} = scf.for {name}i = %c0 to %c2 step %c1 iter_args({name}a = {source}) -> ({type_}) {{",
            f"{name}b = xetile.convert_layout {name}a {result} : {type_}",
            f"{name}d = arith.addf {name}a, {name}b : {type_}",
            f"scf.yield {name}d : {type_}",
            "}",
        ]


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int) -> None:
    program = Program(seed)
    y = np.full(program.y.shape, np.nan, np.float32)
    run_subgroups(program.text, program.subgroups, program.x, y)
    np.testing.assert_array_equal(y, program.y, program.text)
