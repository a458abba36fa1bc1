"""Writes GEMM kernels in work-group XeTile for any shape, type, sharing and sequence of steps behind the product."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from tests.unit.gallery.gemm_epilogues import STEPS, Approximation, Shape, Surroundings
from tests.unit.passes.kernels.gemm import ELEMENT_BITS, RESULTS
from tests.unit.passes.kernels.harness import Array, kernel_text, random_array
from tests.unit.passes.kernels.tolerance import exact_product, product_bound

T = TypeVar("T")

INTEGER_UNIT = 2.0**-8
"""The factor of integer products, which is exact, so that f16 can hold them."""


@dataclass(frozen=True)
class WorkGroupGemm:
    """C[M, N] = steps(A[M, K] x B[K, N]), in f32; matrices named in `transposed` are stored so.

    A work-group of `layout` subgroups computes a tile in which each has `rounds` blocks of `data` elements. `depth`
    matrix instructions follow each other along K in a round of the loop. `a_rows` is the `sg_data` of A along M, where
    it is not that of C.
    """

    m: int
    n: int
    k: int
    element: str = "f16"
    layout: tuple[int, int] = (2, 2)
    data: tuple[int, int] = (16, 16)
    rounds: tuple[int, int] = (1, 1)
    depth: int = 1
    transposed: str = ""
    dynamic: bool = False
    prefetched: bool = False
    a_rows: int = 0
    steps: tuple[str, ...] = ()

    def __str__(self) -> str:
        sharing = "x".join(map(str, (*self.layout, *self.data, *self.rounds)))
        flags = {"dynamic": self.dynamic, "prefetched": self.prefetched, f"a{self.a_rows}": self.a_rows > 0}
        words = [f"{self.m}x{self.n}x{self.k}", self.element, sharing, str(self.depth), *self.transposed]
        return "-".join([*words, *(word for word, present in flags.items() if present), *self.steps]).replace(" ", "_")

    @property
    def shape(self) -> Shape:
        rows, columns = (a * b * c for a, b, c in zip(self.layout, self.data, self.rounds, strict=True))
        return Shape((self.m, self.n), rows, columns, self.layout, self.data)

    @property
    def tile_k(self) -> int:
        return 8 * 32 // ELEMENT_BITS[self.element] * self.depth

    @property
    def grid(self) -> tuple[int, int]:
        return -(-self.m // self.shape.rows), -(-self.n // self.shape.columns)

    # Text

    def text(self) -> str:
        arguments = [
            f"%a: {self._memref(*self._stored('a', self.m, self.k), self.element)}",
            f"%b: {self._memref(*self._stored('b', self.k, self.n), self.element)}",
            f"%row: {self.shape.row_memref}, %column: {self.shape.column_memref}",
            f"%c: {self._memref(self.m, self.n, 'f32')}",
        ]
        count = self.layout[0] * self.layout[1]
        attributes = f"VectorComputeFunctionINTEL, known_block_size = array<i32: {count}, 1, 1>"
        return kernel_text(", ".join(arguments), "\n".join(self._body()), attributes)

    def _stored(self, name: str, first: T, second: T) -> tuple[T, T]:
        return (second, first) if name in self.transposed else (first, second)

    def _memref(self, rows: int, columns: int, element: str) -> str:
        return f"memref<?x?x{element}>" if self.dynamic else f"memref<{rows}x{columns}x{element}>"

    def _init(self, name: str, offsets: tuple[str, str], memref: str, tile: str) -> Iterator[str]:
        lists = ""
        if self.dynamic:
            for dim in (0, 1):
                yield f"%{name}_{dim} = memref.dim %{name}, %c{dim} : {memref}"
            lists = f", [%{name}_0, %{name}_1], [%{name}_1, 1]"
        yield f"%t{name} = xetile.init_tile %{name}[{', '.join(offsets)}]{lists} : {memref} -> {tile}"

    def _load(self, name: str, tile: str, rows: int, columns: int, map_: str) -> Iterator[str]:
        plain, turned = f"vector<{rows}x{columns}x{self.element}>", f"vector<{columns}x{rows}x{self.element}>"
        if name in self.transposed:
            yield f"%s{name} = xetile.load_tile %i{name} : {tile} -> {turned}"
            yield f"%v{name} = vector.transpose %s{name}, [1, 0] {{map = {map_}}} : {turned} to {plain}"
        else:
            yield f"%v{name} = xetile.load_tile %i{name} : {tile} -> {plain}"

    def _body(self) -> Iterator[str]:
        s, element, k = self.shape, self.element, self.tile_k
        result = RESULTS[element]
        data_a, data_b = (self.a_rows or s.data[0], k), (k, s.data[1])
        tiles = {
            "a": s.tile(*self._stored("a", s.rows, k), element, self._stored("a", *data_a)),
            "b": s.tile(*self._stored("b", k, s.columns), element, self._stored("b", *data_b)),
        }
        map_a, map_b, map_c = s.map(*data_a), s.map(*data_b), s.map(*s.data)
        sum_type = f"vector<{s.rows}x{s.columns}x{result}>"
        for name, number in {"c0": 0, "c1": 1, "ck": k, "cm": s.rows, "cn": s.columns, "k": self.k}.items():
            yield f"%{name} = arith.constant {number} : index"
        yield "%bx = gpu.block_id x\n%by = gpu.block_id y"
        yield "%m = arith.muli %bx, %cm : index\n%n = arith.muli %by, %cn : index"
        for name, offsets, sizes in (("a", ("%m", "%c0"), (self.m, self.k)), ("b", ("%c0", "%n"), (self.k, self.n))):
            memref = self._memref(*self._stored(name, *sizes), element)
            yield from self._init(name, self._stored(name, *offsets), memref, tiles[name])
        yield f"%zero = arith.constant dense<{'0' if result == 'i32' else '0.0'}> : {sum_type}"
        types = f"{tiles['a']}, {tiles['b']}, {sum_type}"
        yield f"%r:3 = scf.for %i = %c0 to %k step %ck iter_args(%ia = %ta, %ib = %tb, %acc = %zero) -> ({types}) {{"
        yield from self._load("a", tiles["a"], s.rows, k, map_a)
        yield from self._load("b", tiles["b"], k, s.columns, map_b)
        for name, move in (("a", ("%c0", "%ck")), ("b", ("%ck", "%c0"))):
            x, y = self._stored(name, *move)
            yield f"%n{name} = xetile.update_tile_offset %i{name}, [{x}, {y}] : {tiles[name]}"
            if self.prefetched:
                yield f"xetile.prefetch_tile %n{name} : {tiles[name]}"
        operands = f"vector<{s.rows}x{k}x{element}>, vector<{k}x{s.columns}x{element}>"
        maps = f"{{wg_map_a = {map_a}, wg_map_b = {map_b}, wg_map_c = {map_c}}}"
        yield f"%sum = xetile.tile_mma %va, %vb, %acc {maps} : {operands}, {sum_type} -> {sum_type}"
        yield f"scf.yield %na, %nb, %sum : {types}\n}}"
        value = "%r#2"
        if result == "i32":
            value = "%scaled"
            yield f"%float = arith.sitofp %r#2 : {sum_type} to {s.whole}"
            yield f"%unit = arith.constant dense<{INTEGER_UNIT}> : {s.whole}"
            yield f"%scaled = arith.mulf %float, %unit : {s.whole}"
        for number, name in enumerate(self.steps):
            yield STEPS[name][0](s, value, f"%q{number}")
            value = f"%q{number}"
        tile = s.tile(s.rows, s.columns, "f32", s.data)
        yield from self._init("c", ("%m", "%n"), self._memref(self.m, self.n, "f32"), tile)
        yield f"xetile.store_tile {value}, %tc : {s.whole}, {tile}"

    # Numbers

    def problem(self, seed: int = 5) -> tuple[list[Array], Approximation]:
        """Arguments of a launch, of which the last is the result, and what that should be."""
        rng = np.random.default_rng(seed)
        a, b = random_array(rng, (self.m, self.k), self.element), random_array(rng, (self.k, self.n), self.element)
        row, column = random_array(rng, (1, self.n), "f32"), random_array(rng, (self.m, 1), "f32")
        s = self.shape
        bottom, right = self.grid[0] * s.rows - self.m, self.grid[1] * s.columns - self.n
        exact = exact_product(a, b) * (INTEGER_UNIT if RESULTS[self.element] == "i32" else 1)
        bound = product_bound(a, b, None, "f32", 1) if RESULTS[self.element] == "f32" else np.zeros_like(exact)
        edges = ((0, bottom), (0, right))
        result = Approximation(np.pad(exact, edges), np.pad(bound, edges))
        around = Surroundings(
            np.pad(row.astype(np.float64), ((0, 0), edges[1])),
            np.pad(column.astype(np.float64), (edges[0], (0, 0))),
            s,
        )
        for name in self.steps:
            result = STEPS[name][1](result, around)
        inside = Approximation(result.value[: self.m, : self.n], result.bound[: self.m, : self.n])
        stored = [np.ascontiguousarray(v.T) if name in self.transposed else v for name, v in (("a", a), ("b", b))]
        return [*stored, row, column, np.full((self.m, self.n), 77, np.float32)], inside
