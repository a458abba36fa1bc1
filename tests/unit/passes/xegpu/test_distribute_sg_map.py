"""Kernels with sg_map: which work-item gets which element, and what distribution makes of whole-subgroup code."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
import pytest

from passes.xegpu.distribute_sg_map import XegpuDistributeSgMapPass
from tests.unit.passes.kernels.harness import DTYPES, Array, compile_one, kernel_text, random_array, refusal, run
from tests.unit.xegpu.dialects.support import context, parse

LANES = 16
MEMORY = (40, 64)


@dataclass(frozen=True)
class Mapped:
    """A load of a tile through a map. The formulas restate what sg_map means, element by element."""

    element: str
    tile: tuple[int, ...]
    layout: tuple[int, int]
    data: tuple[int, int] = (1, 1)
    attributes: str = ""
    count: int = 1

    @property
    def rows(self) -> int:
        return 1 if len(self.tile) == 1 else self.tile[0]

    @property
    def columns(self) -> int:
        return self.tile[-1]

    @property
    def transposed(self) -> bool:
        return "transpose" in self.attributes

    @property
    def fragment(self) -> tuple[int, int]:
        box = prod(self.data)
        return prod(self.tile) * self.count // (LANES * box), box

    @property
    def descriptor(self) -> str:
        length = f"#xegpu.block_tdesc_attr<array_length = {self.count} : i64>, " if self.count > 1 else ""
        sg_map = f"#xegpu.sg_map<wi_layout = {list(self.layout)}, wi_data = {list(self.data)}>"
        return f"!xegpu.tensor_desc<{'x'.join(map(str, self.tile))}x{self.element}, {length}{sg_map}>"

    def owned(self, memory: Array, y: int, x: int) -> Array:
        """[lane, fragment row, fragment column] of the loaded values."""
        (l0, l1), (d0, d1) = self.layout, self.data
        down, across = self.rows // (l0 * d0), self.columns // (l1 * d1)
        values = np.zeros((LANES, *self.fragment), memory.dtype)
        for block in range(self.count):
            for i in range(self.rows):
                for j in range(self.columns):
                    lane = (i // d0 % l0) * l1 + j // d1 % l1
                    if self.transposed:
                        row, column = (j // (l1 * d1)) * down + i // (l0 * d0), (j % d1) * d0 + i % d0
                    else:
                        row, column = (i // (l0 * d0)) * across + j // (l1 * d1), (i % d0) * d1 + j % d1
                    place = y + i, x + block * self.columns + j
                    if place[0] < MEMORY[0] and place[1] < MEMORY[1]:
                        values[lane, block * down * across + row, column] = memory[place]
        return values


LOADS = [
    Mapped("f32", (8, 16), (1, 16)),
    Mapped("f16", (8, 16), (1, 16)),
    Mapped("tf32", (8, 8), (2, 8)),
    Mapped("i8", (8, 32), (1, 16), (1, 2)),
    Mapped("bf16", (16, 16), (1, 16), (2, 1), "packed"),
    Mapped("bf16", (16, 16), (1, 16), (2, 1)),
    Mapped("ui8", (32, 16), (1, 16), (4, 1), "packed"),
    Mapped("f32", (16, 8), (16, 1), (1, 1), "transpose = array<i64: 1, 0>"),
    Mapped("bf16", (16, 16), (16, 1), (1, 2), "transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32"),
    Mapped("i8", (16, 16), (16, 1), (1, 4), "transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32"),
    Mapped("f32", (32, 8), (16, 1), (1, 1), "transpose = array<i64: 1, 0>"),
    Mapped("bf16", (12, 32), (1, 16)),
    Mapped("bf16", (12, 32), (1, 16), (1, 2)),
    Mapped("f16", (8, 16), (1, 16), count=2),
    Mapped("f32", (8, 8), (4, 4)),
    Mapped("f32", (8, 8), (2, 8), (2, 1)),
    Mapped("i64", (4, 16), (1, 16)),
    Mapped("f32", (48,), (1, 16)),
    Mapped("f16", (32,), (1, 16), (1, 2)),
    Mapped("i8", (32,), (1, 16), (1, 2)),
    Mapped("f32", (16,), (1, 16), count=2),
]


def load_text(load: Mapped) -> str:
    """Every lane stores its fragment to `%o[lane]`."""
    (rows, columns), element = load.fragment, load.element
    memref, out = f"memref<40x64x{element}>", f"memref<{LANES}x{rows}x{columns}x{element}>"
    vector = f"vector<{rows}x{columns}x{element}>"
    inherent = f" <{{{load.attributes}}}>" if load.attributes else ""
    lines = [
        f"%t = xegpu.create_nd_tdesc %m[%y, %x] : {memref} -> {load.descriptor}",
        f"%v = xegpu.load_nd %t{inherent} : {load.descriptor} -> {vector}",
        "%lane = gpu.lane_id",
    ]
    for i, j in np.ndindex(rows, columns):
        lines.append(f"%e{i}_{j} = vector.extract %v[{i}, {j}] : {element} from {vector}")
        lines.append(f"%i{i}_{j} = arith.constant {i} : index\n%j{i}_{j} = arith.constant {j} : index")
        lines.append(f"memref.store %e{i}_{j}, %o[%lane, %i{i}_{j}, %j{i}_{j}] : {out}")
    return kernel_text(f"%m: {memref}, %o: {out}, %y: index, %x: index", "\n".join(lines), "")


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("load", LOADS, ids=str)
def test_lanes_own_what_the_map_says(load: Mapped) -> None:
    memory = random_array(np.random.default_rng(2), MEMORY, load.element)
    kernel = compile_one(load_text(load))
    assert kernel.facts.simd_size == LANES
    for y, x in ((0, 0), (3, 4), (3, 1)) if len(load.tile) == 1 else ((0, 0), (3, 4), (30, 51)):
        result = run(kernel, memory, np.zeros((LANES, *load.fragment), memory.dtype), y, x)[1]
        assert result.tobytes() == load.owned(memory, y, x).tobytes(), (y, x)


def copy_text(load: Mapped, body: str = "%w = arith.addf %v, %v : {V}", whole: bool = True, mode: str = "") -> str:
    """Loads a tile through a map, computes on it as a whole or on fragments, and stores it through the same map."""
    element = load.element
    shape = load.tile if whole else load.fragment
    vector = f"vector<{'x'.join(map(str, shape))}x{element}>"
    memref, desc = f"memref<40x64x{element}>", load.descriptor
    return kernel_text(
        f"%m: {memref}, %o: {memref}, %s: {element}, %n: index",
        f"%t = xegpu.create_nd_tdesc %m[3, 4] : {memref} -> {desc}\n"
        f"%u = xegpu.create_nd_tdesc %o[3, 4] : {memref} -> {desc}\n"
        f"%v = xegpu.load_nd %t : {desc} -> {vector}\n{body.format(V=vector)}\n"
        f"xegpu.store_nd %w, %u : {vector}, {desc}",
        mode,
    )


BODIES = {
    "%w = arith.addf %v, %v : {V}": lambda v: v + v,
    "%c = arith.constant dense<2.5> : {V}\n%w = arith.mulf %v, %c : {V}": lambda v: v * 2.5,
    "%b = vector.broadcast %s : f32 to {V}\n%w = arith.subf %v, %b : {V}": lambda v: v - 1.5,
    "%b = vector.splat %s : {V}\n%w = arith.maxnumf %b, %v : {V}": lambda v: np.maximum(v, 1.5),
    "%f = math.floor %v : {V}\n%w = math.fma %f, %v, %v : {V}": lambda v: np.floor(v) * v + v,
    "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%z = arith.constant dense<1.0> : {V}\n"
    "%w = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> ({V}) {{\n%b = arith.addf %a, %v : {V}\n"
    "scf.yield %b : {V}\n}}": lambda v: 1 + v + v + v,
    "%c2 = arith.constant 2 : index\n%p = arith.cmpi ult, %n, %c2 : index\n%w = scf.if %p -> ({V}) {{\n"
    "%q = arith.negf %v : {V}\nscf.yield %q : {V}\n}} else {{\nscf.yield %v : {V}\n}}": lambda v: v,
}


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_computation_on_tiles(body: str, whole: bool) -> None:
    load = Mapped("f32", (8, 16), (1, 16))
    # Small integers: all results are exact, whatever the order of rounding.
    memory = np.random.default_rng(2).integers(-8, 8, MEMORY).astype(np.float32) / 2
    kernel = compile_one(copy_text(load, body, whole))
    assert kernel.facts.simd_size == LANES
    result = run(kernel, memory, np.zeros_like(memory), np.float32(1.5), 3)[1]
    expected = np.zeros_like(memory)
    expected[3:11, 4:20] = BODIES[body](memory[3:11, 4:20])
    np.testing.assert_array_equal(result, expected)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("load", [m for m in LOADS if not m.attributes and m.count == 1], ids=str)
def test_copy_through_a_map(load: Mapped) -> None:
    memory = random_array(np.random.default_rng(2), MEMORY, load.element)
    expected = np.zeros_like(memory)
    rows, columns = slice(3, 3 + load.rows), slice(4, 4 + load.columns)
    expected[rows, columns] = memory[rows, columns]
    for whole in (True, False):
        text = copy_text(load, "%k = arith.constant 0 : index", whole).replace("store_nd %w", "store_nd %v")
        result = run(compile_one(text), memory, np.zeros_like(memory), DTYPES[load.element].type(1), 0)[1]
        assert result.tobytes() == expected.tobytes()


def test_constant_is_stored_through_a_map() -> None:
    load = Mapped("f16", (8, 32), (1, 16), (1, 2))
    text = copy_text(load, "%w = arith.constant dense<3.0> : {V}")
    result = run(compile_one(text), np.zeros(MEMORY, np.float16), np.zeros(MEMORY, np.float16), np.float16(0), 0)[1]
    assert result[3:11, 4:36].tolist() == [[3.0] * 32] * 8
    assert result.sum() == 3 * 8 * 32


def distributed(text: str) -> str:
    module = parse(text)
    XegpuDistributeSgMapPass("pvc").apply(context(), module)
    return str(module)


def test_parts_of_a_whole_vector_are_stored_through_maps() -> None:
    """What lanes need of one part does not decide who holds the others."""
    line = "!xegpu.tensor_desc<16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>"
    body = """
    %d = xegpu.create_nd_tdesc %a[0, 0] : memref<4x16xf32> -> !xegpu.tensor_desc<4x16xf32>
    %v = xegpu.load_nd %d : !xegpu.tensor_desc<4x16xf32> -> vector<4x16xf32>
    %w = arith.negf %v : vector<4x16xf32>
    """
    for row in (2, 0, 3):
        body += f"""
    %r{row} = vector.extract_strided_slice %w {{offsets = [{row}], sizes = [1], strides = [1]}}
      : vector<4x16xf32> to vector<1x16xf32>
    %s{row} = vector.shape_cast %r{row} : vector<1x16xf32> to vector<16xf32>
    %t{row} = xegpu.create_nd_tdesc %o[{row}, 0] : memref<4x16xf32> -> {line}
    xegpu.store_nd %s{row}, %t{row} : vector<16xf32>, {line}"""
    a = random_array(np.random.default_rng(4), (4, 16), "f32")
    text = kernel_text("%a: memref<4x16xf32>, %o: memref<4x16xf32>", body, "")
    o = run(compile_one(text), a, np.zeros_like(a), engines=("interpreter",))[1]
    assert (o[[0, 2, 3]] == -a[[0, 2, 3]]).all() and not o[1].any()


def test_distribution_is_idempotent() -> None:
    for whole in (True, False):
        once = distributed(copy_text(Mapped("f32", (8, 16), (1, 16)), whole=whole))
        assert "vector<8x1xf32>" in once
        assert "vector<8x16xf32>" not in once
        assert distributed(once) == once


def test_a_kernel_for_whole_subgroups_ignores_maps() -> None:
    load, mode = Mapped("f32", (8, 16), (1, 16)), "VectorComputeFunctionINTEL"
    kernel = compile_one(copy_text(load, mode=mode))
    assert kernel.facts.simd_size == 1
    memory = random_array(np.random.default_rng(2), MEMORY, "f32")
    result = run(kernel, memory, np.zeros_like(memory), np.float32(0), 0)[1]
    assert result[3:11, 4:20].tobytes() == (memory[3:11, 4:20] * 2).tobytes()
    message = refusal(copy_text(load, whole=False, mode=mode))
    assert "has a work-item's part of a tile, vector<8x1xf32>, in a kernel that works on whole subgroups" in message


def test_maps_and_subgroups_of_the_kernel_agree() -> None:
    text = copy_text(Mapped("f32", (8, 16), (1, 16)), whole=False)
    abi = "attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 32>} {"
    assert "arranges 16 work-items, a subgroup of pvc has 32" in refusal(text.replace("kernel  {", f"kernel {abi}"))


def test_places_are_the_same_for_all_work_items() -> None:
    text = copy_text(Mapped("f32", (8, 16), (1, 16)), whole=False)
    divergent = text.replace("%t = xegpu", "%i = gpu.thread_id x\n%t = xegpu").replace("%m[3, 4]", "%m[%i, 4]")
    assert "needs an operand that is the same in all work-items of a subgroup" in refusal(divergent)


def test_map_for_another_subgroup_size() -> None:
    text = copy_text(Mapped("f32", (8, 16), (1, 8)))
    assert "arranges 8 work-items, a subgroup of pvc has 16" in refusal(text)


def product_text(a_map: str, b_map: str, maps: str = "") -> str:
    a, b = f"!xegpu.tensor_desc<8x16xbf16{a_map}>", f"!xegpu.tensor_desc<16x16xbf16{b_map}>"
    types = "vector<8x16xbf16>, vector<16x16xbf16> -> vector<8x16xf32>"
    return kernel_text(
        "%m: memref<64x64xbf16>",
        f"%ta = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xbf16> -> {a}\n"
        f"%tb = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xbf16> -> {b}\n"
        f"%a = xegpu.load_nd %ta : {a} -> vector<8x16xbf16>\n%b = xegpu.load_nd %tb : {b} -> vector<16x16xbf16>\n"
        f"%c = xegpu.dpas %a, %b {maps} : {types}\n%d = arith.addf %c, %c : vector<8x16xf32>",
        "",
    )


ROWS = ", #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>"
PAIRS = ", #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>"


@pytest.mark.parametrize("maps", [(ROWS, PAIRS), (ROWS, ROWS), (PAIRS, PAIRS), (ROWS, ""), ("", PAIRS)])
def test_products_get_what_the_matrix_engine_wants(maps: tuple[str, str]) -> None:
    """Operands that are shared in another way, or not at all, are converted on their way to the product."""
    store = (
        "\n%tc = xegpu.create_nd_tdesc %n[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32{M}>\n"
        "xegpu.store_nd %d, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32{M}>\ngpu.return"
    )
    text = product_text(*maps).replace("gpu.return", store.replace("{M}", ROWS).strip())
    text = text.replace("memref<64x64xbf16>)", "memref<64x64xbf16>, %n: memref<64x64xf32>)")
    memory = np.random.default_rng(2).integers(-4, 4, (64, 64)).astype(DTYPES["bf16"])
    result = run(compile_one(text), memory, np.zeros((64, 64), np.float32))[1]
    values = memory.astype(np.float32)
    np.testing.assert_array_equal(result[:8, :16], 2 * values[:8, :16] @ values[:16, :16])


def test_products_have_the_size_of_one_matrix_instruction() -> None:
    text = product_text(ROWS, PAIRS).replace("16x16xbf16", "32x16xbf16").replace("8x16xbf16", "8x32xbf16")
    assert "multiplies 8x32 by 32x16: work-items of pvc share only products of 16 along K and 16 along N" in refusal(
        text
    )


def test_maps_of_products_divide_them() -> None:
    maps = (
        "{sg_map_a = #xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 1]>, "
        "sg_map_b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>, "
        "sg_map_c = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>}"
    )
    text = kernel_text(
        "",
        "%a = arith.constant dense<1.0> : vector<7x8xtf32>\n%b = arith.constant dense<1.0> : vector<8x16xtf32>\n"
        f"%c = xegpu.dpas %a, %b {maps} : vector<7x8xtf32>, vector<8x16xtf32> -> vector<7x16xf32>",
        "",
    )
    assert "cannot share a value as 7x8 under" in refusal(text)


@pytest.mark.parametrize("rows", [1, 5, 16])
def test_products_of_any_number_of_rows(rows: int) -> None:
    c = Mapped("f32", (rows, 16), (1, 16)).descriptor
    a, b = Mapped("bf16", (rows, 16), (1, 16)).descriptor, Mapped("bf16", (16, 16), (1, 16), (2, 1)).descriptor
    text = kernel_text(
        "%m: memref<64x64xbf16>, %n: memref<64x64xbf16>, %o: memref<64x64xf32>",
        f"%ta = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xbf16> -> {a}\n"
        f"%tb = xegpu.create_nd_tdesc %n[0, 0] : memref<64x64xbf16> -> {b}\n"
        f"%tc = xegpu.create_nd_tdesc %o[0, 0] : memref<64x64xf32> -> {c}\n"
        f"%a = xegpu.load_nd %ta : {a} -> vector<{rows}x16xbf16>\n%b = xegpu.load_nd %tb : {b} -> vector<16x16xbf16>\n"
        f"%c = xegpu.dpas %a, %b : vector<{rows}x16xbf16>, vector<16x16xbf16> -> vector<{rows}x16xf32>\n"
        f"xegpu.store_nd %c, %tc : vector<{rows}x16xf32>, {c}",
        "",
    )
    rng = np.random.default_rng(1)
    m, n = (rng.integers(-8, 8, (64, 64)).astype(DTYPES["bf16"]) for _ in range(2))
    result = run(compile_one(text), m, n, np.zeros((64, 64), np.float32))[2]
    expected = np.zeros((64, 64), np.float32)
    expected[:rows, :16] = m[:rows, :16].astype(np.float32) @ n[:16, :16].astype(np.float32)
    np.testing.assert_array_equal(result, expected)
