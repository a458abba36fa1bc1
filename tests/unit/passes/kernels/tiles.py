"""Kernels that load or store one 2-D tile, and what they should leave in memory."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from tests.unit.passes.kernels.harness import Array, kernel_text


@dataclass(frozen=True)
class TileAccess:
    """A tile of `rows` x `columns` elements (`count` of them side by side) in a matrix of `memory` elements.

    The place is `at`, or two arguments of the kernel. `packed`, `transposed` and `unit` (transpose_bit_width) are
    attributes of a load.
    """

    element: str
    rows: int
    columns: int
    memory: tuple[int, int]
    at: tuple[int, int] | None = None
    count: int = 1
    packed: bool = False
    transposed: bool = False
    unit: int = 0
    dynamic: bool = False

    @property
    def descriptor(self) -> str:
        length = f", #xegpu.block_tdesc_attr<array_length = {self.count} : i64>" if self.count > 1 else ""
        return f"!xegpu.tensor_desc<{self.rows}x{self.columns}x{self.element}{length}>"

    @property
    def bits(self) -> int:
        return 32 if self.element == "tf32" else int(self.element.strip("abcdefghijklmnopqrstuvwxyz"))

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the loaded value."""
        rows, columns = self.rows, self.columns
        if self.packed:
            factor = 32 // self.bits
            shape: tuple[int, ...] = (rows // factor, columns, factor)
        elif self.transposed:
            factor = self.unit // self.bits if self.unit else 1
            shape = (columns // factor, rows) if factor == 1 else (columns // factor, rows, factor)
        else:
            shape = (rows, columns)
        return (self.count, *shape) if self.count > 1 else shape

    @property
    def elements(self) -> int:
        return prod(self.shape)

    def _memref(self) -> str:
        height, width = self.memory
        return f"memref<?x?x{self.element}>" if self.dynamic else f"memref<{height}x{width}x{self.element}>"

    def _create(self) -> str:
        lines, extent = "", ""
        if self.dynamic:
            lines = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
            lines += f"%h = memref.dim %m, %c0 : {self._memref()}\n%w = memref.dim %m, %c1 : {self._memref()}\n"
            extent = ", [%h, %w], [%w, 1]"
        place = "%y, %x" if self.at is None else f"{self.at[0]}, {self.at[1]}"
        types = f"{self._memref()} -> {self.descriptor}"
        return f"{lines}%t = xegpu.create_nd_tdesc %m[{place}]{extent} : {types}\n"

    def _dense(self) -> str:
        n, element = self.elements, self.element
        return f"%d = xegpu.create_nd_tdesc %o[0] : memref<{n}x{element}> -> !xegpu.tensor_desc<{n}x{element}>\n"

    def _arguments(self) -> str:
        return f"%m: {self._memref()}, %o: memref<{self.elements}x{self.element}>, %y: index, %x: index"

    def load_text(self) -> str:
        """Loads the tile from `%m` and stores its elements, row-major, to `%o`."""
        attributes = ["packed"] if self.packed else []
        attributes += ["transpose = array<i64: 1, 0>"] if self.transposed else []
        attributes += [f"transpose_bit_width = {self.unit} : i32"] if self.unit else []
        inherent = f" <{{{', '.join(attributes)}}}>" if attributes else ""
        value = f"vector<{'x'.join(map(str, self.shape))}x{self.element}>"
        flat = f"vector<{self.elements}x{self.element}>"
        return kernel_text(
            self._arguments(),
            f"{self._create()}{self._dense()}%v = xegpu.load_nd %t{inherent} : {self.descriptor} -> {value}\n"
            f"%f = vector.shape_cast %v : {value} to {flat}\n"
            f"xegpu.store_nd %f, %d : {flat}, !xegpu.tensor_desc<{self.elements}x{self.element}>",
        )

    def store_text(self) -> str:
        """Stores to the tile in `%m` what stands, row-major, in `%o`."""
        value = f"vector<{self.rows}x{self.columns}x{self.element}>"
        flat = f"vector<{self.elements}x{self.element}>"
        return kernel_text(
            self._arguments(),
            f"{self._create()}{self._dense()}"
            f"%f = xegpu.load_nd %d : !xegpu.tensor_desc<{self.elements}x{self.element}> -> {flat}\n"
            f"%v = vector.shape_cast %f : {flat} to {value}\nxegpu.store_nd %v, %t : {value}, {self.descriptor}",
        )

    def arguments(self, memory: Array, dense: Array, y: int, x: int) -> list[Array | int]:
        sizes = self.memory if self.dynamic else ()
        return [memory, *sizes, dense, y, x]

    def loaded(self, memory: Array, y: int, x: int) -> Array:
        """The loaded value: zeros outside the matrix."""
        height, width = self.memory
        blocks: Array = np.zeros((self.count, self.rows, self.columns), memory.dtype)
        for block in range(self.count):
            for row in range(max(0, -y), min(self.rows, height - y)):
                left = x + block * self.columns
                first, last = max(0, -left), min(self.columns, width - left)
                if first < last:
                    blocks[block, row, first:last] = memory[y + row, left + first : left + last]
        if self.packed:
            factor = 32 // self.bits
            blocks = blocks.reshape(self.count, self.rows // factor, factor, self.columns).swapaxes(2, 3)
        elif self.transposed:
            factor = self.unit // self.bits if self.unit else 1
            blocks = blocks.reshape(self.count, self.rows, self.columns // factor, factor).swapaxes(1, 2)
        return np.ascontiguousarray(blocks).reshape(-1)

    def stored(self, memory: Array, dense: Array, y: int, x: int) -> Array:
        """The matrix after the store: elements outside are dropped."""
        height, width = self.memory
        after, tile = memory.copy(), dense.reshape(self.rows, self.columns)
        for row in range(max(0, -y), min(self.rows, height - y)):
            first, last = max(0, -x), min(self.columns, width - x)
            if first < last:
                after[y + row, x + first : x + last] = tile[row, first:last]
        return after
