"""Writes GEMM kernels in XeGPU MLIR for any shape, type and tiling."""

from __future__ import annotations

from dataclasses import dataclass

ELEMENT_BITS = {"f16": 16, "bf16": 16, "tf32": 32, "i8": 8, "si8": 8, "ui8": 8}
RESULTS = {"f16": "f32", "bf16": "f32", "tf32": "f32", "i8": "i32", "si8": "i32", "ui8": "i32"}


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

    @property
    def result_type(self) -> str:
        return self.result or RESULTS[self.element]

    @property
    def step(self) -> int:
        """K of one matrix instruction."""
        return 8 * 32 // ELEMENT_BITS[self.element]

    @property
    def tile(self) -> tuple[int, int]:
        return 8 * self.tiles[0], 16 * self.tiles[1]

    @property
    def grid(self) -> tuple[int, int, int]:
        rows, columns = self.tile[0] * self.subgroups[0], self.tile[1] * self.subgroups[1]
        return -(-self.m // rows), -(-self.n // columns), 1

    @property
    def block(self) -> tuple[int, int, int]:
        return self.subgroups[0], self.subgroups[1], 1

    def text(self) -> str:
        """The module, with one kernel `gemm(a, b, c)`."""
        element, result = self.element, self.result_type
        factor = 32 // ELEMENT_BITS[element]
        b_shape = (self.n, self.k) if self.transposed_b else (self.k, self.n)
        rows, columns = self.tile
        lines: list[str] = []
        out = lines.append

        def memref(shape: tuple[int, int], type: str) -> str:
            return f"memref<?x?x{type}>" if self.dynamic else f"memref<{shape[0]}x{shape[1]}x{type}>"

        a_memref, b_memref = memref((self.m, self.k), element), memref(b_shape, element)
        c_memref = memref((self.m, self.n), result)
        a_desc = f"!xegpu.tensor_desc<8x{self.step}x{element}>"
        b_desc = f"!xegpu.tensor_desc<{self.step}x16x{element}>"
        if self.transposed_b:
            b_desc = f"!xegpu.tensor_desc<16x{self.step}x{element}>"
        c_desc = f"!xegpu.tensor_desc<8x16x{result}>"
        a_vector, c_vector = f"vector<8x{self.step}x{element}>", f"vector<8x16x{result}>"
        flat = f"vector<{self.step}x16x{element}>"
        packed = f"vector<{self.step // factor}x16x{factor}x{element}>"
        b_vector, attributes = flat, ""
        if factor > 1 and self.transposed_b:
            b_vector, attributes = packed, " <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>"
        elif factor > 1 and self.packed:
            b_vector, attributes = packed, " <{packed}>"
        elif self.transposed_b:
            attributes = " <{transpose = array<i64: 1, 0>}>"

        out("gpu.module @kernels {")
        out(f"gpu.func @gemm(%a: {a_memref}, %b: {b_memref}, %c: {c_memref}) kernel")
        out(
            f"  attributes {{VectorComputeFunctionINTEL, known_block_size = array<i32: {self.block[0]}, {self.block[1]}, 1>}} {{"
        )
        for value in sorted({0, 1, 8, 16, self.step, rows, columns, self.subgroups[0], self.subgroups[1]}):
            out(f"  %c{value} = arith.constant {value} : index")
        if self.dynamic:
            out(f"  %m = memref.dim %a, %c0 : {a_memref}")
            out(f"  %k = memref.dim %a, %c1 : {a_memref}")
            out(f"  %n = memref.dim %c, %c1 : {c_memref}")
        else:
            out(f"  %m = arith.constant {self.m} : index")
            out(f"  %k = arith.constant {self.k} : index")
            out(f"  %n = arith.constant {self.n} : index")
        for axis, (dimension, size) in enumerate((("x", rows), ("y", columns))):
            out(f"  %block{axis} = gpu.block_id {dimension}")
            out(f"  %thread{axis} = gpu.thread_id {dimension}")
            out(f"  %groups{axis} = arith.muli %block{axis}, %c{self.subgroups[axis]} : index")
            out(f"  %subgroup{axis} = arith.addi %groups{axis}, %thread{axis} : index")
            out(f"  %origin{axis} = arith.muli %subgroup{axis}, %c{size} : index")
        a_shape, c_shape = ("[%m, %k], [%k, 1]", "[%m, %n], [%n, 1]") if self.dynamic else ("", "")
        b_extent = ("[%n, %k], [%k, 1]" if self.transposed_b else "[%k, %n], [%n, 1]") if self.dynamic else ""

        def create(name: str, source: str, offsets: str, extent: str, type: str, desc: str) -> None:
            extra = f", {extent}" if extent else ""
            out(f"  {name} = xegpu.create_nd_tdesc {source}[{offsets}]{extra} : {type} -> {desc}")

        carried: list[tuple[str, str, str]] = []
        for i in range(self.tiles[0]):
            out(f"  %row_shift{i} = arith.constant {8 * i} : index")
            out(f"  %row{i} = arith.addi %origin0, %row_shift{i} : index")
            create(f"%ta{i}", "%a", f"%row{i}, %c0", a_shape, a_memref, a_desc)
            carried.append((f"%da{i}", f"%ta{i}", a_desc))
        for j in range(self.tiles[1]):
            out(f"  %column_shift{j} = arith.constant {16 * j} : index")
            out(f"  %column{j} = arith.addi %origin1, %column_shift{j} : index")
            place = f"%column{j}, %c0" if self.transposed_b else f"%c0, %column{j}"
            create(f"%tb{j}", "%b", place, b_extent, b_memref, b_desc)
            carried.append((f"%db{j}", f"%tb{j}", b_desc))
        zero = "0" if result.startswith("i") else "0.0"
        out(f"  %zero = arith.constant dense<{zero}> : {c_vector}")
        for i in range(self.tiles[0]):
            for j in range(self.tiles[1]):
                create(f"%tc{i}_{j}", "%c", f"%row{i}, %column{j}", c_shape, c_memref, c_desc)
                start = "%zero"
                if self.loads_c:
                    start = f"%start{i}_{j}"
                    out(f"  {start} = xegpu.load_nd %tc{i}_{j} : {c_desc} -> {c_vector}")
                carried.append((f"%acc{i}_{j}", start, c_vector))
        arguments = ", ".join(f"{name} = {start}" for name, start, _ in carried)
        types = ", ".join(type for _, _, type in carried)
        out(
            f"  %result:{len(carried)} = scf.for %i = %c0 to %k step %c{self.step} iter_args({arguments}) -> ({types}) {{"
        )
        for i in range(self.tiles[0]):
            out(f"    %va{i} = xegpu.load_nd %da{i} : {a_desc} -> {a_vector}")
        for j in range(self.tiles[1]):
            out(f"    %vb{j} = xegpu.load_nd %db{j}{attributes} : {b_desc} -> {b_vector}")
        yields: list[str] = []
        for i in range(self.tiles[0]):
            out(f"    %na{i} = xegpu.update_nd_offset %da{i}, [0, {self.step}] : {a_desc}")
            yields.append(f"%na{i}")
        for j in range(self.tiles[1]):
            move = f"[0, {self.step}]" if self.transposed_b else f"[{self.step}, 0]"
            out(f"    %nb{j} = xegpu.update_nd_offset %db{j}, {move} : {b_desc}")
            yields.append(f"%nb{j}")
        for i in range(self.tiles[0]):
            for j in range(self.tiles[1]):
                out(
                    f"    %sum{i}_{j} = xegpu.dpas %va{i}, %vb{j}, %acc{i}_{j} : "
                    f"{a_vector}, {b_vector}, {c_vector} -> {c_vector}"
                )
                yields.append(f"%sum{i}_{j}")
        out(f"    scf.yield {', '.join(yields)} : {types}")
        out("  }")
        first = sum(self.tiles)
        for i in range(self.tiles[0]):
            for j in range(self.tiles[1]):
                out(f"  xegpu.store_nd %result#{first + i * self.tiles[1] + j}, %tc{i}_{j} : {c_vector}, {c_desc}")
        out("  gpu.return\n}\n}")
        return "\n".join(lines) + "\n"
