"""Writes GEMM kernels in subgroup-level XeTile for any shape, type, tiling and kind of source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tests.unit.passes.kernels.gemm import RESULTS
from tests.unit.passes.kernels.harness import Array, kernel_text
from xegpu.isa.model import Dim3

Orientation = Literal["", "transposed", "column-major"]
"""The way a matrix is stored: as it is, or transposed and turned in registers, or seen through strides."""
Source = Literal["static", "dynamic", "address"]


@dataclass(frozen=True)
class Matrix:
    """A matrix in memory, and the tiles of it: `rows` x `columns` as the product sees them."""

    name: str
    element: str
    rows: int
    columns: int
    tile: tuple[int, int]
    orientation: Orientation = ""
    source: Source = "static"

    @property
    def _shown(self) -> tuple[int, int]:
        """Shape of the buffer, as tiles see it."""
        return (self.columns, self.rows) if self.orientation == "transposed" else (self.rows, self.columns)

    @property
    def _strides(self) -> tuple[int, int]:
        return (1, self.rows) if self.orientation == "column-major" else (self._shown[1], 1)

    @property
    def tile_type(self) -> str:
        rows, columns = self.tile[::-1] if self.orientation == "transposed" else self.tile
        order = ", #xetile.tile_attr<order = [0, 1]>" if self.orientation == "column-major" else ""
        return f"!xetile.tile<{rows}x{columns}x{self.element}{order}>"

    @property
    def vector(self) -> str:
        return f"vector<{self.tile[0]}x{self.tile[1]}x{self.element}>"

    @property
    def argument(self) -> str:
        """The kernel's arguments for the matrix."""
        rows, columns = self._shown
        layout = f", strided<[{', '.join(map(str, self._strides))}]>" if self.orientation == "column-major" else ""
        match self.source:
            case "static":
                return f"%{self.name}: memref<{rows}x{columns}x{self.element}{layout}>"
            case "dynamic":
                layout = layout and ", strided<[1, ?]>"
                return f"%{self.name}: memref<?x?x{self.element}{layout}>, %{self.name}_h: index, %{self.name}_w: index"
            case "address":
                buffer = f"%{self.name}_buffer: memref<{rows * columns}x{self.element}>"
                return f"{buffer}, %{self.name}_h: index, %{self.name}_w: index"

    def arguments(self, stored: Array) -> list[Array | int]:
        """Returns the kernel's arguments for a stored matrix."""
        rows, columns = self._shown
        match self.source:
            case "static":
                return [stored]
            case "dynamic":
                parts = [rows, columns, *((self.rows,) if self.orientation == "column-major" else ())]
                return [stored, *parts, rows, columns]
            case "address":
                return [stored, rows, columns]

    def init(self, result: str, row: str, column: str) -> Iterator[str]:
        """Makes the tile whose first element is (row, column) of the product's matrix."""
        if self.orientation == "transposed":
            row, column = column, row
        lists, source, source_type = "", f"%{self.name}", self.argument.partition(": ")[2].partition(">, %")[0]
        if self.source != "static":
            height, width = f"%{self.name}_h", f"%{self.name}_w"
            strides = f"1, {height}" if self.orientation == "column-major" else f"{width}, 1"
            lists = f", [{height}, {width}], [{strides}]"
            source_type += ">"
        if self.source == "address":
            yield f"{source}_p = memref.extract_aligned_pointer_as_index {source}_buffer : {source_type} -> index"
            yield f"{source} = arith.index_cast {source}_p : index to i64"
            source_type = "i64"
        yield f"{result} = xetile.init_tile {source}[{row}, {column}]{lists} : {source_type} -> {self.tile_type}"

    def load(self, result: str, tile: str, attributes: str = "") -> Iterator[str]:
        if self.orientation != "transposed":
            yield f"{result} = xetile.load_tile {tile}{attributes} : {self.tile_type} -> {self.vector}"
            return
        stored = f"vector<{self.tile[1]}x{self.tile[0]}x{self.element}>"
        yield f"{result}_s = xetile.load_tile {tile}{attributes} : {self.tile_type} -> {stored}"
        yield f"{result} = xetile.transpose {result}_s, [1, 0] : {stored} -> {self.vector}"


@dataclass(frozen=True)
class TileGemm:
    """C[M, N] = A[M, K] x B[K, N], in tiles of (M, N, K) elements for a subgroup.

    `pre_op` doubles A; `post_op` adds a row to the product and cuts off what is negative.
    """

    m: int
    n: int
    k: int
    tile: tuple[int, int, int]
    element: str = "f16"
    a: Orientation = ""
    b: Orientation = ""
    source: Source = "static"
    loads_c: bool = False
    pre_op: bool = False
    post_op: bool = False

    @property
    def result(self) -> str:
        return RESULTS[self.element]

    @property
    def grid(self) -> Dim3:
        return (-(-self.m // self.tile[0]), -(-self.n // self.tile[1]), 1)

    def _matrices(self) -> tuple[Matrix, Matrix, Matrix]:
        rows, columns, depth = self.tile
        return (
            Matrix("a", self.element, self.m, self.k, (rows, depth), self.a, self.source),
            Matrix("b", self.element, self.k, self.n, (depth, columns), self.b, self.source),
            Matrix("c", self.result, self.m, self.n, (rows, columns), "", self.source),
        )

    def arguments(self, a: Array, b: Array, c: Array, bias: Array) -> list[Array | int]:
        """Arguments of a launch, from matrices as the product sees them."""
        operands = zip(self._matrices(), (a, b, c), strict=True)
        values = [v for matrix, array in operands for v in matrix.arguments(_stored(array, matrix.orientation))]
        return [*values, *([bias] if self.post_op else [])]

    def text(self) -> str:
        matrices = self._matrices()
        arguments = [matrix.argument for matrix in matrices]
        if self.post_op:
            arguments.append(f"%bias: memref<1x{self.n}x{self.result}>")
        return kernel_text(", ".join(arguments), "\n".join(self._body(*matrices)))

    def _body(self, a: Matrix, b: Matrix, c: Matrix) -> Iterator[str]:
        rows, columns, depth = self.tile
        for number in sorted({0, rows, columns, depth, self.k}):
            yield f"%c{number} = arith.constant {number} : index"
        yield "%bx = gpu.block_id x\n%by = gpu.block_id y"
        yield f"%i = arith.muli %bx, %c{rows} : index\n%j = arith.muli %by, %c{columns} : index"
        yield from a.init("%ta", "%i", "0")
        yield from b.init("%tb", "0", "%j")
        yield from c.init("%tc", "%i", "%j")
        if self.loads_c:
            yield from c.load("%start", "%tc")
        else:
            zero = "0" if self.result == "i32" else "0.0"
            yield f"%start = arith.constant dense<{zero}> : {c.vector}"
        types = f"{a.tile_type}, {b.tile_type}, {c.vector}"
        yield f"%r:3 = scf.for %k = %c0 to %c{self.k} step %c{depth}"
        yield f"iter_args(%x = %ta, %y = %tb, %acc = %start) -> ({types}) {{"
        yield from a.load("%va", "%x")
        yield from b.load("%vb", "%y")
        left = "%va"
        if self.pre_op:
            left = "%va2"
            add = "arith.addi" if self.result == "i32" else "arith.addf"
            yield f"{left} = {add} %va, %va : {a.vector}"
        yield f"%n = xetile.tile_mma {left}, %vb, %acc : {a.vector}, {b.vector}, {c.vector} -> {c.vector}"
        for matrix, tile, move in ((a, "%x", ("%c0", f"%c{depth}")), (b, "%y", (f"%c{depth}", "%c0"))):
            first, second = move[::-1] if matrix.orientation == "transposed" else move
            yield f"{tile}2 = xetile.update_tile_offset {tile}, [{first}, {second}] : {matrix.tile_type}"
        yield f"scf.yield %x2, %y2, %n : {types}\n}}"
        result = "%r#2"
        if self.post_op:
            yield from self._post_op(c)
            result = "%cut"
        yield f"xetile.store_tile {result}, %tc : {c.vector}, {c.tile_type}"

    def _post_op(self, c: Matrix) -> Iterator[str]:
        row = f"1x{self.tile[1]}x{self.result}"
        source = f"memref<1x{self.n}x{self.result}>"
        is_integer = self.result == "i32"
        yield f"%tbias = xetile.init_tile %bias[0, %j] : {source} -> !xetile.tile<{row}>"
        yield f"%vbias = xetile.load_tile %tbias : !xetile.tile<{row}> -> vector<{row}>"
        yield f"%rows = xetile.broadcast %vbias [0] : vector<{row}> -> {c.vector}"
        yield f"%sum = {'arith.addi' if is_integer else 'arith.addf'} %r#2, %rows : {c.vector}"
        yield f"%none = arith.constant dense<{'0' if is_integer else '0.0'}> : {c.vector}"
        yield f"%cut = {'arith.maxsi' if is_integer else 'arith.maximumf'} %sum, %none : {c.vector}"


def _stored(array: Array, orientation: Orientation) -> Array:
    return np.ascontiguousarray(array.T) if orientation else array
