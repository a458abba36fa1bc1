"""Every rule of distribution, element by element: lanes hold in their registers what the pass says they hold."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import NamedTuple

import numpy as np
import pytest

from tests.unit.passes.kernels.fragments import Tile, held, numbers, sg_map, tile_kernel, with_output
from tests.unit.passes.kernels.harness import Array, compile_one, kernel_text, run
from xegpu.targets import ARC, PVC, Target

ROWS, COLUMNS, SQUARE, PAIRS = sg_map((1, 16)), sg_map((16, 1)), sg_map((4, 4), (1, 2)), sg_map((1, 16), (2, 1))


class Rule(NamedTuple):
    """A piece of a kernel that makes `%w` of a loaded `%v`, and what numpy makes of it."""

    body: str
    oracle: Callable[[Array], Array]
    map: str = ROWS
    places: int = 16
    shape: tuple[int, ...] = (16, 16)
    result: tuple[int, ...] = (16, 16)
    result_map: str | None = None


T, H = "vector<16x16xf32>", "vector<8x16xf32>"
ZEROS = "%z = arith.constant dense<0.0> : vector<16xf32>\n"


def reduction(kind: str, dimension: int) -> str:
    return f"{ZEROS}%w = vector.multi_reduction <{kind}>, %v, %z [{dimension}] : {T} to vector<16xf32>"


RULES = {
    "elementwise": Rule(f"%w = arith.mulf %v, %v : {T}", lambda v: v * v),
    "elementwise, boxes": Rule(f"%w = arith.mulf %v, %v : {T}", lambda v: v * v, SQUARE),
    "transpose": Rule(f"%w = vector.transpose %v, [1, 0] : {T} to {T}", lambda v: v.T, result=(16, 16)),
    "shape_cast": Rule(
        f"%w = vector.shape_cast %v : {T} to vector<32x8xf32>", lambda v: v.reshape(32, 8), result=(32, 8)
    ),
    "slice of rows": Rule(
        f"%w = vector.extract_strided_slice %v {{offsets = [4, 0], sizes = [8, 16], strides = [1, 1]}} : {T} to {H}",
        lambda v: v[4:12],
        places=8,
        result=(8, 16),
    ),
    "one row": Rule(f"%w = vector.extract %v[5] : vector<16xf32> from {T}", lambda v: v[5], places=1, result=(16,)),
    "reduction over lanes in clusters": Rule(reduction("add", 1), lambda v: v.sum(1), SQUARE, 4, result=(16,)),
    "reduction in the lane": Rule(reduction("add", 0), lambda v: v.sum(0), places=1, result=(16,)),
    "part of a tile replaced": Rule(
        f"%r = vector.extract %v[3] : vector<16xf32> from {T}\n%s = arith.negf %r : vector<16xf32>\n"
        f"%w = vector.insert %s, %v [9] : vector<16xf32> into {T}",
        lambda v: np.concatenate((v[:9], -v[3:4], v[10:])),
    ),
    "reduction in lanes of columns": Rule(
        reduction("maxnumf", 1), lambda v: np.maximum(v.max(1), 0), COLUMNS, 1, result=(16,)
    ),
    "reduction in pairs": Rule(reduction("minnumf", 0), lambda v: np.minimum(v.min(0), 0), PAIRS, 1, result=(16,)),
    "broadcast of a shared row": Rule(
        f"%s = vector.extract %v[3] : vector<16xf32> from {T}\n"
        f"%b = vector.broadcast %s : vector<16xf32> to {T}\n%w = arith.addf %b, %v : {T}",
        lambda v: v + v[3],
    ),
    "other lanes' elements": Rule(
        f"%t = vector.transpose %v, [1, 0] : {T} to {T}\n%w = arith.subf %v, %t : {T}", lambda v: v - v.T
    ),
    "converted": Rule(
        f"%c = xegpu.convert_layout %v <{{input_layout = {ROWS}, target_layout = {SQUARE}}}> : {T}\n"
        f"%w = arith.addf %c, %c : {T}",
        lambda v: v + v,
        places=16,
    ),
    "interleaved columns": Rule(
        "%w = vector.interleave %v, %v : vector<8x16xf32> -> vector<8x32xf32>",
        lambda v: np.repeat(v, 2, axis=1),
        shape=(8, 16),
        result=(8, 32),
        result_map=ROWS,
    ),
}


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("name", RULES)
def test_lanes_hold_what_the_pass_claims(name: str) -> None:
    rule = RULES[name]
    source, result = Tile(rule.shape, "f32", rule.map), Tile(rule.result, "f32", rule.result_map)
    text = tile_kernel(source, rule.body, result)
    memory = numbers(rule.shape, "f32")
    whole = rule.oracle(memory)
    text = with_output(text, 16, rule.places, "f32")
    expected, found = held(text, "w", whole, memory, np.zeros(rule.result, np.float32))
    np.testing.assert_array_equal(found, expected)


class Row(NamedTuple):
    """A row of the tables of maps for matrices: role, element type, tile, map, fragment."""

    target: Target
    element: str
    tile: tuple[int, int]
    layout: tuple[int, int]
    data: tuple[int, int]
    fragment: tuple[int, int]
    lane1: tuple[tuple[int, int], ...]
    """The elements that lane 1 has in the first row of its fragment."""
    transposed: bool = False


TABLES = [
    *(Row(PVC, t, (8, 16), (1, 16), (1, 1), (8, 1), ((0, 1),)) for t in ("bf16", "f16")),
    Row(PVC, "tf32", (8, 8), (2, 8), (1, 1), (4, 1), ((0, 1),)),
    *(Row(PVC, t, (8, 32), (1, 16), (1, 2), (8, 2), ((0, 2), (0, 3))) for t in ("ui8", "si8")),
    *(Row(PVC, t, (16, 16), (1, 16), (2, 1), (8, 2), ((0, 1), (1, 1))) for t in ("bf16", "f16")),
    Row(PVC, "tf32", (8, 16), (1, 16), (1, 1), (8, 1), ((0, 1),)),
    *(Row(PVC, t, (32, 16), (1, 16), (4, 1), (8, 4), ((0, 1), (1, 1), (2, 1), (3, 1))) for t in ("ui8", "si8")),
    *(Row(PVC, t, (8, 16), (1, 16), (1, 1), (8, 1), ((0, 1),)) for t in ("f32", "si32")),
    Row(PVC, "tf32", (16, 8), (16, 1), (1, 1), (8, 1), ((1, 0),), True),
    *(Row(ARC, t, (8, 16), (1, 8), (1, 2), (8, 2), ((0, 2), (0, 3))) for t in ("bf16", "f16")),
    Row(ARC, "tf32", (8, 8), (1, 8), (1, 1), (8, 1), ((0, 1),)),
    *(Row(ARC, t, (8, 32), (1, 8), (1, 4), (8, 4), ((0, 4), (0, 5), (0, 6), (0, 7))) for t in ("ui8", "si8")),
    *(Row(ARC, t, (16, 8), (1, 8), (2, 1), (8, 2), ((0, 1), (1, 1))) for t in ("bf16", "f16")),
    Row(ARC, "tf32", (8, 8), (1, 8), (1, 1), (8, 1), ((0, 1),)),
    *(Row(ARC, t, (32, 8), (1, 8), (4, 1), (8, 4), ((0, 1), (1, 1), (2, 1), (3, 1))) for t in ("ui8", "si8")),
    *(Row(ARC, t, (8, 8), (1, 8), (1, 1), (8, 1), ((0, 1),)) for t in ("f32", "si32")),
    Row(ARC, "tf32", (8, 8), (8, 1), (1, 1), (8, 1), ((1, 0),), True),
]


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("row", TABLES, ids=lambda row: f"{row.target.name}-{row.element}-{row.tile}")
def test_tables_of_matrix_operands(row: Row) -> None:
    """Row by row: the fragment's shape, and what lane 1 has, in the registers of the simulator."""
    tile = Tile(row.tile, row.element, sg_map(row.layout, row.data))
    turned = Tile(row.tile[::-1] if row.transposed else row.tile, row.element)
    attributes = " <{transpose = array<i64: 1, 0>}>" if row.transposed else ""
    lanes, places = row.target.platform.subgroup_size, prod(row.fragment)
    text = kernel_text(
        f"%m: {tile.memref}, %held: memref<{lanes}x{places}x{row.element}>",
        f"{tile.described('t', 'm')}\n%v = xegpu.load_nd %t{attributes} : {tile.descriptor} -> {turned.vector}",
        "",
    )
    memory = numbers(row.tile, row.element)
    expected, found = held(text, "v", memory.T if row.transposed else memory, memory, target=row.target)
    assert found.tobytes() == expected.tobytes()
    assert found.shape == (lanes, places)
    assert found[1][: row.fragment[1]].tolist() == [memory[place].item() for place in row.lane1]


@pytest.mark.parametrize("chunk", [1, 4])
def test_gathers_give_each_lane_its_elements(chunk: int) -> None:
    """A gather of the subgroup becomes one of each lane; offsets and mask stay as they are."""
    shape, whole = ("16", "16") if chunk == 1 else (f"16x{chunk}", f"{chunk}x16")
    encoding = f"#xegpu.scatter_tdesc_attr<chunk_size = {chunk} : i64>" if chunk > 1 else "#xegpu.scatter_tdesc_attr<>"
    desc = f"!xegpu.tensor_desc<{shape}xf32, {encoding}, {sg_map((1, 16) if chunk == 1 else (16, 1))}>"
    transpose = " <{transpose}>" if chunk > 1 else ""
    offsets = [(i * 5 % 16) * chunk for i in range(16)]
    vector = f"vector<{whole}xf32>"
    text = kernel_text(
        f"%m: memref<{16 * chunk}xf32>, %o: memref<{16 * chunk}xf32>",
        f"%i = arith.constant dense<{offsets}> : vector<16xindex>\n%all = arith.constant dense<true> : vector<16xi1>\n"
        f"%t = xegpu.create_tdesc %m, %i : memref<{16 * chunk}xf32>, vector<16xindex> -> {desc}\n"
        f"%u = xegpu.create_tdesc %o, %i : memref<{16 * chunk}xf32>, vector<16xindex> -> {desc}\n"
        f"%v = xegpu.load %t, %all{transpose} : {desc}, vector<16xi1> -> {vector}\n%w = arith.addf %v, %v : {vector}\n"
        f"xegpu.store %w, %u, %all{transpose} : {vector}, {desc}, vector<16xi1>",
        "",
    )
    memory = numbers((16 * chunk,), "f32")
    result = run(compile_one(text), memory, np.zeros_like(memory))[1]
    np.testing.assert_array_equal(result, memory * 2)
    gathered = memory[np.array(offsets)[None, :] + np.arange(chunk)[:, None]]
    expected, found = held(with_output(text, 16, chunk, "f32"), "v", gathered, memory, np.zeros_like(memory))
    np.testing.assert_array_equal(found, expected)


C0 = "%c0 = arith.constant 0 : index\n"
WHOLE_OPERATIONS = {
    "scf.while": f"{C0}%c1 = arith.constant 1 : index\n%c3 = arith.constant 3 : index\n"
    f"%w, %k = scf.while (%a = %v, %i = %c0) : ({T}, index) -> ({T}, index) {{\n"
    f"%p = arith.cmpi ult, %i, %c3 : index\nscf.condition(%p) %a, %i : {T}, index\n}} do {{\n"
    f"^bb0(%b: {T}, %j: index):\n%s = arith.addf %b, %v : {T}\n%n = arith.addi %j, %c1 : index\n"
    f"scf.yield %s, %n : {T}, index\n}}",
    "scf.if": f"{C0}%d = memref.dim %m, %c0 : memref<16x16xf32>\n%p = arith.cmpi ult, %d, %c0 : index\n"
    f"%w = scf.if %p -> ({T}) {{\nscf.yield %v : {T}\n}} else {{\n"
    f"%t = vector.transpose %v, [1, 0] : {T} to {T}\nscf.yield %t : {T}\n}}",
    "vector.contract": f"%z = arith.constant dense<0.0> : {T}\n%w = vector.contract {{indexing_maps = "
    "[affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], "
    'iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} '
    f"%v, %v, %z : {T}, {T} into {T}",
    "vector.load": f"{C0}%x = vector.load %m[%c0, %c0] : memref<16x16xf32>, {T}\n%w = arith.addf %x, %v : {T}",
    "vector.step": "%x = vector.step : vector<16xindex>\n"
    "%y = arith.index_cast %x : vector<16xindex> to vector<16xi32>\n"
    f"%z = arith.sitofp %y : vector<16xi32> to vector<16xf32>\n%b = vector.broadcast %z : vector<16xf32> to {T}\n"
    f"%w = arith.addf %b, %v : {T}",
    "vector.fma": f"%w = vector.fma %v, %v, %v : {T}",
    "vector.bitcast": f"%a = vector.bitcast %v : {T} to vector<16x32xf16>\n"
    f"%w = vector.bitcast %a : vector<16x32xf16> to {T}",
    "vector.outerproduct": f"%a = vector.extract %v[2] : vector<16xf32> from {T}\n"
    "%w = vector.outerproduct %a, %a : vector<16xf32>, vector<16xf32>",
    "vector.create_mask": "%c4 = arith.constant 4 : index\n%k = vector.create_mask %c4, %c4 : vector<16x16xi1>\n"
    f"%z = arith.constant dense<0.0> : {T}\n%w = arith.select %k, %v, %z : vector<16x16xi1>, {T}",
    "vector.shuffle": f"%w = vector.shuffle %v, %v [3, 20, 1, 0, 16, 17, 18, 19, 4, 4, 5, 6, 7, 8, 9, 31] : {T}, {T}",
    "vector.extract": f"%s = vector.extract %v[3, 5] : f32 from {T}\n%w = vector.insert %s, %v [2, 7] : f32 into {T}",
    "rank 4": f"%a = vector.shape_cast %v : {T} to vector<4x4x4x4xf32>\n"
    "%b = vector.transpose %a, [2, 0, 3, 1] : vector<4x4x4x4xf32> to vector<4x4x4x4xf32>\n"
    "%z = arith.constant dense<0.0> : vector<4x4xf32>\n"
    "%r = vector.multi_reduction <add>, %b, %z [0, 2] : vector<4x4x4x4xf32> to vector<4x4xf32>\n"
    "%e = vector.broadcast %r : vector<4x4xf32> to vector<4x4x4x4xf32>\n"
    f"%w = vector.shape_cast %e : vector<4x4x4x4xf32> to {T}",
    "two stores": f"%a = vector.transpose %v, [1, 0] : {T} to {T}\n"
    f"xegpu.store_nd %a, %to : {T}, !xegpu.tensor_desc<16x16xf32, {COLUMNS}>\n%w = arith.subf %a, %v : {T}",
}


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("name", WHOLE_OPERATIONS)
def test_operations_give_what_they_give_to_whole_subgroups(name: str) -> None:
    source, result = Tile((16, 16), "f32", SQUARE), Tile((16, 16), "f32", COLUMNS)
    memory = numbers((16, 16), "f32")
    outcomes = [
        run(
            compile_one(tile_kernel(source, WHOLE_OPERATIONS[name], result, mode)),
            memory,
            np.zeros_like(memory),
            engines=("interpreter",),
        )[1]
        for mode in ("", "VectorComputeFunctionINTEL")
    ]
    assert outcomes[0].any()
    assert outcomes[0].tobytes() == outcomes[1].tobytes()


class Loaded(NamedTuple):
    """A load whose result has its elements in another order than memory: how numpy makes the whole value."""

    tile: Tile
    attributes: str
    result: tuple[int, ...]
    whole: Callable[[Array], Array]
    blocks: int = 1


TURNED = "transpose = array<i64: 1, 0>"
LOADS = {
    "packed": Loaded(
        Tile((16, 16), "bf16", PAIRS), "packed", (8, 16, 2), lambda v: v.reshape(8, 2, 16).transpose(0, 2, 1)
    ),
    "packed bytes": Loaded(
        Tile((32, 16), "i8", sg_map((1, 16), (4, 1))),
        "packed",
        (8, 16, 4),
        lambda v: v.reshape(8, 4, 16).transpose(0, 2, 1),
    ),
    "transposed": Loaded(Tile((16, 8), "f32", COLUMNS), TURNED, (8, 16), np.transpose),
    "transposed tall": Loaded(Tile((32, 8), "f32", COLUMNS), TURNED, (8, 32), np.transpose),
    "transposed pairs": Loaded(
        Tile((16, 16), "f16", sg_map((16, 1), (1, 2))),
        f"{TURNED}, transpose_bit_width = 32 : i32",
        (8, 16, 2),
        lambda v: v.reshape(16, 8, 2).transpose(1, 0, 2),
    ),
    "blocks": Loaded(
        Tile((8, 16), "f16", ROWS), "", (2, 8, 16), lambda v: v.reshape(8, 2, 16).transpose(1, 0, 2), blocks=2
    ),
    "line": Loaded(Tile((64,), "f16", sg_map((1, 16), (1, 2))), "", (64,), lambda v: v),
}


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("name", LOADS)
def test_lanes_hold_what_the_pass_claims_of_loads(name: str) -> None:
    load = LOADS[name]
    tile, (*rows, columns) = load.tile, load.tile.shape
    memory = numbers((*rows, columns * load.blocks), tile.element)
    buffer, result = Tile(memory.shape, tile.element), Tile(load.result, tile.element)
    descriptor = tile.descriptor
    if load.blocks > 1:
        length = f"#xegpu.block_tdesc_attr<array_length = {load.blocks} : i64>"
        descriptor = descriptor.replace(", #", f", {length}, #", 1)
    attributes = f" <{{{load.attributes}}}>" if load.attributes else ""
    text = kernel_text(
        f"%m: {buffer.memref}",
        buffer.described("t", "m").replace(buffer.descriptor, descriptor)
        + f"\n%v = xegpu.load_nd %t{attributes} : {descriptor} -> {result.vector}",
        "",
    )
    expected, found = held(with_output(text, 16, memory.size // 16, tile.element), "v", load.whole(memory), memory)
    assert found.tobytes() == expected.tobytes()
    assert sorted(found.ravel().tolist()) == sorted(memory.ravel().tolist())
