"""Writes GEMM kernels in XeGPU MLIR for any shape, type and tiling, in whole-subgroup and in sg_map form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

ELEMENT_BITS = {"f16": 16, "bf16": 16, "tf32": 32, "i8": 8, "si8": 8, "ui8": 8}
RESULTS = {"f16": "f32", "bf16": "f32", "tf32": "f32", "i8": "i32", "si8": "i32", "ui8": "i32"}
LANES = 16

Form = Literal["whole", "annotated", "distributed"]
"""The way values are written: whole tiles without sg_map, whole tiles through descriptors with sg_map, or fragments."""


@dataclass(frozen=True)
class Operand:
    """Descriptor and vector types of a matrix's tiles, and the attributes of the load."""

    memref: str
    descriptor: str
    vector: str
    attributes: str = ""


@dataclass(frozen=True)
class Gemm:
    """C[M, N] (+)= A[M, K] x B[K, N] (B stored as [N, K] when `transposed_b`).

    A subgroup computes `tiles` blocks of 8x16; a work-group has `subgroups` (rows, columns) of them.
    """

    m: int
    n: int
    k: int
    element: str = "bf16"
    tiles: tuple[int, int] = (1, 1)
    subgroups: tuple[int, int] = (1, 1)
    transposed_b: bool = False
    loads_c: bool = False
    packed: bool = True
    dynamic: bool = False
    result: str = ""
    form: Form = "whole"

    @property
    def result_type(self) -> str:
        return self.result or RESULTS[self.element]

    @property
    def factor(self) -> int:
        """Elements in a dword."""
        return 32 // ELEMENT_BITS[self.element]

    @property
    def step(self) -> int:
        """K of one matrix instruction."""
        return 8 * self.factor

    @property
    def tile(self) -> tuple[int, int]:
        return 8 * self.tiles[0], 16 * self.tiles[1]

    @property
    def grid(self) -> tuple[int, int, int]:
        rows, columns = self.tile[0] * self.subgroups[0], self.tile[1] * self.subgroups[1]
        return -(-self.m // rows), -(-self.n // columns), 1

    @property
    def block(self) -> tuple[int, int, int]:
        """The group's size: in subgroups, or in work-items where sg_maps make the kernel one of work-items."""
        lanes = 1 if self.form == "whole" else LANES
        return self.subgroups[0] * lanes, self.subgroups[1], 1

    def __str__(self) -> str:
        """Short, for the names of tests: what differs from a plain bf16 product."""
        shape = f"{self.m}x{self.n}x{self.k}-{self.element}"
        if self.tiles != (1, 1):
            shape += f"-tiles{self.tiles[0]}x{self.tiles[1]}"
        if self.subgroups != (1, 1):
            shape += f"-subgroups{self.subgroups[0]}x{self.subgroups[1]}"
        flags = {"transposed": self.transposed_b, "C": self.loads_c, "flat": not self.packed, "dynamic": self.dynamic}
        return "-".join([shape, *(word for word, present in flags.items() if present), *filter(None, [self.result])])

    # Types

    def _memref(self, rows: int, columns: int, element: str) -> str:
        return f"memref<?x?x{element}>" if self.dynamic else f"memref<{rows}x{columns}x{element}>"

    def _descriptor(self, rows: int, columns: int, element: str, layout: tuple[int, int], data: tuple[int, int]) -> str:
        sg_map = f", #xegpu.sg_map<wi_layout = {list(layout)}, wi_data = {list(data)}>" if self.form != "whole" else ""
        return f"!xegpu.tensor_desc<{rows}x{columns}x{element}{sg_map}>"

    def _vector(self, whole: str, fragment: str, element: str) -> str:
        return f"vector<{fragment if self.form == 'distributed' else whole}x{element}>"

    @property
    def a(self) -> Operand:
        per_lane = max(1, self.step // LANES)
        layout = (1, LANES) if self.step >= LANES else (LANES // self.step, self.step)
        rows = 8 * self.step // (LANES * per_lane)
        return Operand(
            self._memref(self.m, self.k, self.element),
            self._descriptor(8, self.step, self.element, layout, (1, per_lane)),
            self._vector(f"8x{self.step}", f"{rows}x{per_lane}", self.element),
        )

    @property
    def b(self) -> Operand:
        element, factor, step = self.element, self.factor, self.step
        attributes, whole = "", f"{step}x16"
        if factor > 1 and (self.transposed_b or self.packed):
            whole = f"8x16x{factor}"
        if self.transposed_b:
            unit = ", transpose_bit_width = 32 : i32" if factor > 1 else ""
            attributes = f" <{{transpose = array<i64: 1, 0>{unit}}}>"
            memref = self._memref(self.n, self.k, element)
            descriptor = self._descriptor(16, step, element, (LANES, 1), (1, factor))
        else:
            attributes = " <{packed}>" if factor > 1 and self.packed else ""
            memref = self._memref(self.k, self.n, element)
            descriptor = self._descriptor(step, 16, element, (1, LANES), (factor, 1))
        return Operand(memref, descriptor, self._vector(whole, f"8x{factor}", element), attributes)

    @property
    def c(self) -> Operand:
        return Operand(
            self._memref(self.m, self.n, self.result_type),
            self._descriptor(8, 16, self.result_type, (1, LANES), (1, 1)),
            self._vector("8x16", "8x1", self.result_type),
        )

    # Text

    def text(self) -> str:
        """The module, with one kernel `gemm(a, b, c)`."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        a, b, c = self.a, self.b, self.c
        size = ", ".join(map(str, self.block))
        mode = "VectorComputeFunctionINTEL, " if self.form == "whole" else ""
        yield "gpu.module @kernels {"
        yield f"gpu.func @gemm(%a: {a.memref}, %b: {b.memref}, %c: {c.memref}) kernel"
        yield f"  attributes {{{mode}known_block_size = array<i32: {size}>}} {{"
        for value in sorted({0, 1, 8, 16, self.step, *self.tile, *self.subgroups}):
            yield f"  %c{value} = arith.constant {value} : index"
        yield from self._sizes()
        yield from self._origin()
        carried = [*self._descriptors(), *self._accumulators()]
        starts = ", ".join(f"{name} = {start}" for name, start, _ in carried)
        types = ", ".join(type for _, _, type in carried)
        yield f"  %result:{len(carried)} = scf.for %i = %c0 to %k step %c{self.step}"
        yield f"      iter_args({starts}) -> ({types}) {{"
        yield from self._body()
        yield f"    scf.yield {', '.join(self._yields())} : {types}"
        yield "  }"
        for number, (i, j) in enumerate(self._blocks()):
            result = f"%result#{sum(self.tiles) + number}"
            yield f"  xegpu.store_nd {result}, %tc{i}_{j} : {c.vector}, {c.descriptor}"
        yield "  gpu.return\n}\n}"
        return

    def _blocks(self) -> list[tuple[int, int]]:
        return [(i, j) for i in range(self.tiles[0]) for j in range(self.tiles[1])]

    def _sizes(self) -> Iterator[str]:
        for name, memref, value, operand in (
            ("m", "a", self.m, self.a),
            ("k", "a", self.k, self.a),
            ("n", "c", self.n, self.c),
        ):
            if self.dynamic:
                yield f"  %{name} = memref.dim %{memref}, %c{int(name != 'm')} : {operand.memref}"
            else:
                yield f"  %{name} = arith.constant {value} : index"

    def _origin(self) -> Iterator[str]:
        """Row and column of the subgroup's tile of C."""
        if self.form == "whole":
            yield "  %thread0 = gpu.thread_id x"
            yield "  %thread1 = gpu.thread_id y"
        else:
            yield "  %subgroup = gpu.subgroup_id : index"
            yield f"  %thread0 = arith.remui %subgroup, %c{self.subgroups[0]} : index"
            yield f"  %thread1 = arith.divui %subgroup, %c{self.subgroups[0]} : index"
        for axis, (dimension, size) in enumerate(zip("xy", self.tile, strict=True)):
            yield f"  %block{axis} = gpu.block_id {dimension}"
            yield f"  %groups{axis} = arith.muli %block{axis}, %c{self.subgroups[axis]} : index"
            yield f"  %place{axis} = arith.addi %groups{axis}, %thread{axis} : index"
            yield f"  %origin{axis} = arith.muli %place{axis}, %c{size} : index"
        for i in range(self.tiles[0]):
            yield f"  %row_shift{i} = arith.constant {8 * i} : index"
            yield f"  %row{i} = arith.addi %origin0, %row_shift{i} : index"
        for j in range(self.tiles[1]):
            yield f"  %column_shift{j} = arith.constant {16 * j} : index"
            yield f"  %column{j} = arith.addi %origin1, %column_shift{j} : index"
        yield from self._creations()

    def _creations(self) -> Iterator[str]:
        def create(name: str, source: str, offsets: str, sizes: tuple[str, str], operand: Operand) -> str:
            extent = f", [%{sizes[0]}, %{sizes[1]}], [%{sizes[1]}, 1]" if self.dynamic else ""
            types = f"{operand.memref} -> {operand.descriptor}"
            return f"  {name} = xegpu.create_nd_tdesc {source}[{offsets}]{extent} : {types}"

        for i in range(self.tiles[0]):
            yield create(f"%ta{i}", "%a", f"%row{i}, %c0", ("m", "k"), self.a)
        for j in range(self.tiles[1]):
            place = f"%column{j}, %c0" if self.transposed_b else f"%c0, %column{j}"
            yield create(f"%tb{j}", "%b", place, ("n", "k") if self.transposed_b else ("k", "n"), self.b)
        for i, j in self._blocks():
            yield create(f"%tc{i}_{j}", "%c", f"%row{i}, %column{j}", ("m", "n"), self.c)
            if self.loads_c:
                yield f"  %start{i}_{j} = xegpu.load_nd %tc{i}_{j} : {self.c.descriptor} -> {self.c.vector}"
        zero = "0" if self.result_type.startswith("i") else "0.0"
        yield f"  %zero = arith.constant dense<{zero}> : {self.c.vector}"

    def _descriptors(self) -> Iterator[tuple[str, str, str]]:
        yield from ((f"%da{i}", f"%ta{i}", self.a.descriptor) for i in range(self.tiles[0]))
        yield from ((f"%db{j}", f"%tb{j}", self.b.descriptor) for j in range(self.tiles[1]))

    def _accumulators(self) -> Iterator[tuple[str, str, str]]:
        for i, j in self._blocks():
            yield f"%acc{i}_{j}", f"%start{i}_{j}" if self.loads_c else "%zero", self.c.vector

    def _body(self) -> Iterator[str]:
        a, b, c = self.a, self.b, self.c
        for i in range(self.tiles[0]):
            yield f"    %va{i} = xegpu.load_nd %da{i} : {a.descriptor} -> {a.vector}"
            yield f"    %na{i} = xegpu.update_nd_offset %da{i}, [0, {self.step}] : {a.descriptor}"
        move = f"[0, {self.step}]" if self.transposed_b else f"[{self.step}, 0]"
        for j in range(self.tiles[1]):
            yield f"    %vb{j} = xegpu.load_nd %db{j}{b.attributes} : {b.descriptor} -> {b.vector}"
            yield f"    %nb{j} = xegpu.update_nd_offset %db{j}, {move} : {b.descriptor}"
        for i, j in self._blocks():
            yield (
                f"    %sum{i}_{j} = xegpu.dpas %va{i}, %vb{j}, %acc{i}_{j}{self._maps()} : "
                f"{a.vector}, {b.vector}, {c.vector} -> {c.vector}"
            )

    def _maps(self) -> str:
        """Maps of dpas, which fragments need."""
        if self.form != "distributed":
            return ""
        per_lane = max(1, self.step // LANES)
        layout = [1, LANES] if self.step >= LANES else [LANES // self.step, self.step]
        return (
            f" {{sg_map_a = #xegpu.sg_map<wi_layout = {layout}, wi_data = [1, {per_lane}]>,"
            f" sg_map_b = #xegpu.sg_map<wi_layout = [1, {LANES}], wi_data = [{self.factor}, 1]>,"
            f" sg_map_c = #xegpu.sg_map<wi_layout = [1, {LANES}], wi_data = [1, 1]>}}"
        )

    def _yields(self) -> Iterator[str]:
        yield from (f"%na{i}" for i in range(self.tiles[0]))
        yield from (f"%nb{j}" for j in range(self.tiles[1]))
        yield from (f"%sum{i}_{j}" for i, j in self._blocks())
