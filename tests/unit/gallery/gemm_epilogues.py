"""The epilogues of products of work-groups: the text of each step, and its result with the error that it may have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]

U = 2.0**-24
"""Unit roundoff of f32."""
HALF_U = 2.0**-11
"""Unit roundoff of f16."""


@dataclass(frozen=True)
class Approximation:
    """Exact values, and how far computed ones may be from them."""

    value: Float64
    bound: Float64

    def rounded(self, unit: float = U, smallest: float = 0.0) -> Approximation:
        """After a rounding to `unit`, or to half of the `smallest` number."""
        return Approximation(self.value, self.bound + unit * (np.abs(self.value) + self.bound) + smallest / 2)

    def plus(self, other: Approximation | Float64) -> Approximation:
        value, bound = (other.value, other.bound) if isinstance(other, Approximation) else (other, 0.0)
        return Approximation(self.value + value, self.bound + bound).rounded()

    def times(self, factor: float) -> Approximation:
        """Times a power of two, which is exact."""
        return Approximation(self.value * factor, self.bound * abs(factor))

    def in_blocks(self, rows: int, columns: int) -> Approximation:
        """In the shape (row of blocks, row in a block, column of blocks, column in a block)."""
        shape = (self.value.shape[0] // rows, rows, self.value.shape[1] // columns, columns)
        return Approximation(self.value.reshape(shape), self.bound.reshape(shape))

    def as_matrix(self) -> Approximation:
        a, b, c, d = self.value.shape
        return Approximation(self.value.reshape(a * b, c * d), self.bound.reshape(a * b, c * d))


@dataclass(frozen=True)
class Shape:
    """A tile of C: how subgroups share it, and the types of it, its rows and its columns. `matrix` is C's own shape."""

    matrix: tuple[int, int]
    rows: int
    columns: int
    layout: tuple[int, int]
    data: tuple[int, int]

    @property
    def whole(self) -> str:
        return f"vector<{self.rows}x{self.columns}xf32>"

    @property
    def row(self) -> str:
        return f"vector<1x{self.columns}xf32>"

    @property
    def column(self) -> str:
        return f"vector<{self.rows}x1xf32>"

    @property
    def row_memref(self) -> str:
        return f"memref<1x{self.matrix[1]}xf32>"

    @property
    def column_memref(self) -> str:
        return f"memref<{self.matrix[0]}x1xf32>"

    def map(self, rows: int, columns: int) -> str:
        return f"#xetile.wg_map<sg_layout = {list(self.layout)}, sg_data = [{rows}, {columns}]>"

    def tile(self, rows: int, columns: int, element: str, data: tuple[int, int]) -> str:
        wg_map = f"<sg_layout = {list(self.layout)}, sg_data = {list(data)}>"
        return f"!xetile.tile<{rows}x{columns}x{element}, #xetile.tile_attr<wg_map = {wg_map}>>"


Text = Callable[[Shape, str, str], str]
"""Operations on value `x` that give value `y`; all other names begin with that of `y`."""
Effect = Callable[[Approximation, "Surroundings"], Approximation]


@dataclass(frozen=True)
class Surroundings:
    """The operands of steps beside the product: a row and a column, padded with zeros, and the tile's shape."""

    row: Float64
    column: Float64
    shape: Shape

    def reduced(self, x: Approximation, axis: int, combine: Callable[..., Float64], additions: int) -> Approximation:
        """The rows (axis 1) or columns (axis 0) of each tile combined, and repeated."""
        blocks = x.in_blocks(self.shape.rows, self.shape.columns)
        axis = 3 if axis == 1 else 1
        value = combine(blocks.value, axis=axis, keepdims=True)
        bound = combine(blocks.bound, axis=axis, keepdims=True)
        bound = bound + additions * U * np.sum(np.abs(blocks.value) + blocks.bound, axis=axis, keepdims=True)
        zeros = np.zeros_like(blocks.value)
        return Approximation(value + zeros, bound + zeros).as_matrix()


def _add_row(s: Shape, x: str, y: str) -> str:
    tile = s.tile(1, s.columns, "f32", (1, s.data[1]))
    return (
        f"{y}t = xetile.init_tile %row[0, %n] : {s.row_memref} -> {tile}\n"
        f"{y}r = xetile.load_tile {y}t : {tile} -> {s.row}\n"
        f"{y}b = xetile.broadcast {y}r [0] {{map = {s.map(*s.data)}}} : {s.row} -> {s.whole}\n"
        f"{y} = arith.addf {x}, {y}b : {s.whole}"
    )


def _add_column(s: Shape, x: str, y: str) -> str:
    tile = s.tile(s.rows, 1, "f32", (s.data[0], 1))
    return (
        f"{y}t = xetile.init_tile %column[%m, 0] : {s.column_memref} -> {tile}\n"
        f"{y}r = xetile.load_tile {y}t : {tile} -> {s.column}\n"
        f"{y}b = xetile.broadcast {y}r [1] : {s.column} -> {s.whole}\n"
        f"{y} = arith.addf {x}, {y}b : {s.whole}"
    )


def _relu(s: Shape, x: str, y: str) -> str:
    return f"{y}z = arith.constant dense<0.0> : {s.whole}\n{y} = arith.maximumf {x}, {y}z : {s.whole}"


def _leaky(s: Shape, x: str, y: str) -> str:
    return (
        f"{y}z = arith.constant dense<0.0> : {s.whole}\n{y}k = arith.constant dense<0.25> : {s.whole}\n"
        f"{y}p = arith.cmpf ogt, {x}, {y}z : {s.whole}\n{y}s = arith.mulf {x}, {y}k : {s.whole}\n"
        f"{y} = arith.select {y}p, {x}, {y}s : {s.whole.replace('f32', 'i1')}, {s.whole}"
    )


def _halves(s: Shape, x: str, y: str) -> str:
    half = s.whole.replace("f32", "f16")
    return f"{y}h = arith.truncf {x} : {s.whole} to {half}\n{y} = arith.extf {y}h : {half} to {s.whole}"


def _turned(s: Shape, x: str, y: str) -> str:
    turned = f"vector<{s.columns}x{s.rows}xf32>"
    return (
        f"{y}t = xetile.transpose {x}, [1, 0] : {s.whole} -> {turned}\n{y}d = arith.addf {y}t, {y}t : {turned}\n"
        f"{y} = vector.transpose {y}d, [1, 0] {{map = {s.map(*s.data)}}} : {turned} to {s.whole}"
    )


def _minus_row_maximum(s: Shape, x: str, y: str) -> str:
    return (
        f"{y}m = xetile.reduction <maximumf>, {x} [1] : {s.whole} -> {s.column}\n"
        f"{y}b = xetile.broadcast {y}m [1] {{map = {s.map(*s.data)}}} : {s.column} -> {s.whole}\n"
        f"{y} = arith.subf {x}, {y}b : {s.whole}"
    )


def _minus_column_sum(s: Shape, x: str, y: str) -> str:
    flat = f"vector<{s.columns}xf32>"
    return (
        f"{y}z = arith.constant dense<0.0> : {flat}\n"
        f"{y}m = vector.multi_reduction <add>, {x}, {y}z [0] : {s.whole} to {flat}\n"
        f"{y}b = vector.broadcast {y}m : {flat} to {s.whole}\n{y} = arith.subf {x}, {y}b : {s.whole}"
    )


def _relaid(s: Shape, x: str, y: str) -> str:
    """All subgroups side by side along the longer dimension that they divide, and back."""
    count = s.layout[0] * s.layout[1]
    tall = s.rows % count == 0
    layout, data = ([count, 1], [s.rows // count, s.columns]) if tall else ([1, count], [s.rows, s.columns // count])
    other = f"#xetile.wg_map<sg_layout = {layout}, sg_data = {data}>"
    return (
        f"{y}o = xetile.convert_layout {x} {{wg_map_result = {other}}} : {s.whole}\n"
        f"{y}d = arith.addf {y}o, {y}o : {s.whole}\n"
        f"{y} = xetile.convert_layout {y}d {{wg_map_result = {s.map(*s.data)}}} : {s.whole}"
    )


def _branch(s: Shape, x: str, y: str) -> str:
    return (
        f"{y}c = arith.cmpi ugt, %bx, %by : index\n{y} = scf.if {y}c -> ({s.whole}) {{\n"
        f"{y}d = arith.addf {x}, {x} : {s.whole}\nscf.yield {y}d : {s.whole}\n}} else {{\nscf.yield {x} : {s.whole}\n}}"
    )


def _branch_effect(x: Approximation, around: Surroundings) -> Approximation:
    blocks = x.in_blocks(around.shape.rows, around.shape.columns)
    i, j = np.indices((blocks.value.shape[0], blocks.value.shape[2]))
    factor = np.where(i > j, 2.0, 1.0)[:, None, :, None]
    return Approximation(blocks.value * factor, blocks.bound * factor).as_matrix()


def _leaky_effect(x: Approximation, around: Surroundings) -> Approximation:
    return Approximation(np.where(x.value > 0, x.value, x.value / 4), x.bound)


def _minus(reduced: Approximation, x: Approximation) -> Approximation:
    return x.plus(reduced.times(-1))


STEPS: Mapping[str, tuple[Text, Effect]] = {
    "row": (_add_row, lambda x, around: x.plus(around.row)),
    "column": (_add_column, lambda x, around: x.plus(around.column)),
    "relu": (_relu, lambda x, around: Approximation(np.maximum(x.value, 0), x.bound)),
    "leaky": (_leaky, _leaky_effect),
    "halves": (_halves, lambda x, around: x.rounded(HALF_U, 2.0**-24)),
    "turned": (_turned, lambda x, around: x.times(2)),
    "row maximum": (_minus_row_maximum, lambda x, around: _minus(around.reduced(x, 1, np.max, 0), x)),
    "column sum": (
        _minus_column_sum,
        lambda x, around: _minus(around.reduced(x, 0, np.sum, around.shape.rows), x),
    ),
    "relaid": (_relaid, lambda x, around: x.times(2)),
    "branch": (_branch, _branch_effect),
}
"""Steps that follow a product, by name."""
