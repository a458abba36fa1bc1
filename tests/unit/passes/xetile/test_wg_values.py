"""Compares values that work-groups share, each subgroup its part, and data moved between them, with numpy."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest

from runtime import Device
from tests.paths import GALLERY
from tests.unit.passes.kernels.harness import DTYPES, Array, compile_one, kernel_text, random_array, refusal, run
from xegpu.targets import ARC, PVC, Target

TARGETS = pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)

Map = tuple[list[int], list[int]]
"""`sg_layout` and `sg_data`."""

SQUARE: Map = ([2, 2], [8, 16])
ROWS: Map = ([4, 1], [4, 32])
COLUMNS: Map = ([1, 4], [16, 8])
CYCLIC: Map = ([2, 2], [4, 8])
MAPS = {"square": SQUARE, "rows": ROWS, "columns": COLUMNS, "cyclic": CYCLIC}
"""Of a tile of 16x32 among four subgroups."""


def wg(map_: Map) -> str:
    layout, data = map_
    return f"<sg_layout = {layout}, sg_data = {data}>"


def mapped(map_: Map, name: str = "map") -> str:
    """A discardable attribute."""
    return f"{{{name} = #xetile.wg_map{wg(map_)}}}"


def tile(type_: str, map_: Map, more: str = "") -> str:
    return f"!xetile.tile<{type_}, #xetile.tile_attr<wg_map = {wg(map_)}{more}>>"


def load(name: str, source: str, type_: str, map_: Map) -> str:
    return f"""
    %{name}_tile = xetile.init_tile %{source}[0, 0] : memref<{type_}> -> {tile(type_, map_)}
    %{name} = xetile.load_tile %{name}_tile : {tile(type_, map_)} -> vector<{type_}>
    """


def store(value: str, target: str, type_: str, map_: Map) -> str:
    return f"""
    %{target}_tile = xetile.init_tile %{target}[0, 0] : memref<{type_}> -> {tile(type_, map_)}
    xetile.store_tile %{value}, %{target}_tile : vector<{type_}>, {tile(type_, map_)}
    """


def launch(arguments: str, body: str, *values: Array | int, target: Target = PVC) -> list[Array]:
    """The arrays as four subgroups leave them. One engine does: what they run is nothing new to them."""
    kernel = compile_one(kernel_text(arguments, body), target)
    return run(kernel, *values, local=(4, 1, 1), target=target, engines=("interpreter",))


def x_to_y(
    body: str,
    *,
    source: Map = SQUARE,
    result: Map = SQUARE,
    types: Sequence[str] = ("16x32xf32", "16x32xf32"),
    target: Target = PVC,
) -> tuple[Array, Array]:
    """Returns the `%r` that `body` computes from `%v`: the numbers of both, input first."""
    from_, to = types
    shapes = [tuple(map(int, type_.split("x")[:-1])) for type_ in types]
    elements = [type_.split("x")[-1] for type_ in types]
    x = random_array(np.random.default_rng(7), shapes[0], elements[0])
    y = np.zeros(shapes[1], DTYPES[elements[1]])
    text = load("v", "x", from_, source) + body + store("r", "y", to, result)
    x, y = launch(f"%x: memref<{from_}>, %y: memref<{to}>", text, x, y, target=target)
    return x, y


# Moving data between subgroups --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "result"), [("square", "rows"), ("rows", "columns"), ("columns", "cyclic"), ("cyclic", "square")]
)
def test_convert_layout(source: str, result: str) -> None:
    convert = f"%r = xetile.convert_layout %v {mapped(MAPS[result], 'wg_map_result')} : vector<16x32xf32>"
    x, y = x_to_y(convert, source=MAPS[source], result=MAPS[result])
    np.testing.assert_array_equal(y, x)


@pytest.mark.sampled(every=20)
@TARGETS
@pytest.mark.parametrize("element", ["i8", "bf16", "i64"])
def test_convert_layout_of_every_type(element: str, target: Target) -> None:
    type_ = f"16x32x{element}"
    convert = f"%r = xetile.convert_layout %v {mapped(COLUMNS, 'wg_map_result')} : vector<{type_}>"
    x, y = x_to_y(convert, result=COLUMNS, types=(type_, type_), target=target)
    np.testing.assert_array_equal(y.view(np.uint8), x.view(np.uint8))


def test_operands_that_are_shared_differently_meet() -> None:
    """Nobody asks for a conversion: the sum needs one, and so does the store. Booleans and indices move as well."""
    body = (
        load("w", "x", "16x32xf32", ROWS)
        + f"""
    %zero = arith.constant dense<0.0> : vector<16x32xf32>
    %positive = arith.cmpf ogt, %w, %zero : vector<16x32xf32>
    %sum = arith.addf %v, %w : vector<16x32xf32>
    %i = arith.fptosi %w : vector<16x32xf32> to vector<16x32xi32>
    %j = arith.index_cast %i : vector<16x32xi32> to vector<16x32xindex>
    %k = xetile.convert_layout %j {mapped(COLUMNS, "wg_map_result")} : vector<16x32xindex>
    %l = arith.index_cast %k : vector<16x32xindex> to vector<16x32xi32>
    %f = arith.sitofp %l : vector<16x32xi32> to vector<16x32xf32>
    %s = arith.select %positive, %sum, %f {mapped(SQUARE)} : vector<16x32xi1>, vector<16x32xf32>
    %r = arith.negf %s : vector<16x32xf32>
    """
    )
    x, y = x_to_y(body, result=CYCLIC)
    np.testing.assert_array_equal(y, -np.where(x > 0, x + x, np.trunc(x)))


def test_data_moves_in_every_round_of_a_loop() -> None:
    """Memory that others still read is not overwritten: rounds wait for one another."""
    body = f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %out = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %v) -> (vector<16x32xf32>) {{
      %b = xetile.convert_layout %a {mapped(COLUMNS, "wg_map_result")} : vector<16x32xf32>
      %c = arith.addf %b, %b : vector<16x32xf32>
      %d = xetile.convert_layout %c {mapped(SQUARE, "wg_map_result")} : vector<16x32xf32>
      scf.yield %d : vector<16x32xf32>
    }}
    %r = arith.negf %out : vector<16x32xf32>
    """
    x, y = x_to_y(body)
    np.testing.assert_array_equal(y, -8 * x)


# Control flow -------------------------------------------------------------------------------------------------------


def test_values_carried_through_loops_and_choices() -> None:
    """Values passed by branches are shared as their users need them: constants are made anew, others moved."""
    body = (
        load("w", "x", "16x32xf32", COLUMNS)
        + """
    %n = memref.load %m[] : memref<i32>
    %c1 = arith.constant 1 : i32
    %c0 = arith.constant 0 : i32
    %one = arith.constant dense<1.0> : vector<16x32xf32>
    %some = arith.cmpi sgt, %n, %c0 : i32
    %start = scf.if %some -> (vector<16x32xf32>) {
      scf.yield %v : vector<16x32xf32>
    } else {
      scf.yield %w : vector<16x32xf32>
    }
    %left, %r = scf.while (%i = %n, %a = %start) : (i32, vector<16x32xf32>) -> (i32, vector<16x32xf32>) {
      %more = arith.cmpi sgt, %i, %c0 : i32
      scf.condition(%more) %i, %a : i32, vector<16x32xf32>
    } do {
    ^bb0(%i: i32, %a: vector<16x32xf32>):
      %next = arith.subi %i, %c1 : i32
      %b = arith.addf %a, %one : vector<16x32xf32>
      scf.yield %next, %b : i32, vector<16x32xf32>
    }
    """
    )
    text = load("v", "x", "16x32xf32", SQUARE) + body + store("r", "y", "16x32xf32", SQUARE)
    x = random_array(np.random.default_rng(7), (16, 32), "f32")
    for n in (0, 2):
        arguments = "%x: memref<16x32xf32>, %y: memref<16x32xf32>, %m: memref<i32>"
        _, y, _ = launch(arguments, text, x, np.zeros_like(x), np.array(n, np.int32))
        np.testing.assert_array_equal(y, np.float32(x) + np.float32(1) + np.float32(1) if n else x)


# Values made of scalars ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("result", ["rows", "cyclic"])
def test_constants_are_sliced_by_ownership(result: str) -> None:
    values = np.arange(16 * 32, dtype=np.float32).reshape(16, 32)
    body = f"""
    %c = arith.constant dense<{values.tolist()}> : vector<16x32xf32>
    %r = arith.addf %v, %c : vector<16x32xf32>
    """
    x, y = x_to_y(body, source=MAPS[result], result=MAPS[result])
    np.testing.assert_array_equal(y, x + values)


@pytest.mark.parametrize("result", ["rows", "cyclic"])
def test_masks_and_scalars(result: str) -> None:
    body = f"""
    %h = arith.constant 11 : index
    %w = arith.constant 21 : index
    %two = arith.constant 2.0 : f32
    %m = vector.create_mask %h, %w {mapped(MAPS[result])} : vector<16x32xi1>
    %n = vector.constant_mask [3, 32] : vector<16x32xi1>
    %s = vector.broadcast %two : f32 to vector<16x32xf32>
    %t = vector.splat %two : vector<16x32xf32>
    %p = arith.select %m, %v, %s : vector<16x32xi1>, vector<16x32xf32>
    %q = arith.mulf %p, %t : vector<16x32xf32>
    %r = arith.select %n, %v, %q : vector<16x32xi1>, vector<16x32xf32>
    """
    x, y = x_to_y(body, source=MAPS[result], result=MAPS[result])
    inside = np.zeros((16, 32), bool)
    inside[:11, :21] = True
    expected = 2 * np.where(inside, x, 2)
    expected[:3] = x[:3]
    np.testing.assert_array_equal(y, expected.astype(np.float32))


# Transposes ---------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("op", ["xetile", "vector"])
@pytest.mark.parametrize("source", ["square", "cyclic"])
def test_transpose(source: str, op: str) -> None:
    """Loaded to be transposed: in place. Computed before: through memory, unless the maps agree."""
    arrow = "->" if op == "xetile" else "to"
    result: Map = ([2, 2], [16, 8])
    turned = f"{op}.transpose %v, [1, 0] {mapped(result)} : vector<16x32xf32> {arrow} vector<32x16xf32>"
    x, y = x_to_y(f"%r = {turned}", source=MAPS[source], result=result, types=("16x32xf32", "32x16xf32"))
    np.testing.assert_array_equal(y, x.T)
    x, y = x_to_y(
        "%w = arith.negf %v : vector<16x32xf32>" + f"\n%r = {turned.replace('%v', '%w')}",
        source=MAPS[source],
        result=result,
        types=("16x32xf32", "32x16xf32"),
    )
    np.testing.assert_array_equal(y, -x.T)


# Reductions and broadcasts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["square", "columns", "cyclic"])
def test_sum_of_rows_goes_back_to_all(source: str) -> None:
    """Rows that several subgroups share are summed by them together."""
    body = """
    %s = xetile.reduction <add>, %v [1] : vector<16x32xf32> -> vector<16x1xf32>
    %r = xetile.broadcast %s [1] : vector<16x1xf32> -> vector<16x32xf32>
    """
    x, y = x_to_y(body, source=MAPS[source], result=MAPS[source])
    np.testing.assert_allclose(y, np.broadcast_to(x.sum(1, keepdims=True), x.shape), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("source", ["square", "columns", "cyclic"])
def test_greatest_of_columns_with_an_accumulator(source: str) -> None:
    body = """
    %acc = arith.constant dense<0.5> : vector<32xf32>
    %s = vector.multi_reduction <maximumf>, %v, %acc [0] : vector<16x32xf32> to vector<32xf32>
    %r = vector.broadcast %s : vector<32xf32> to vector<16x32xf32>
    """
    x, y = x_to_y(body, source=MAPS[source], result=MAPS[source])
    np.testing.assert_array_equal(y, np.broadcast_to(np.maximum(x.max(0), 0.5), x.shape))


@pytest.mark.parametrize("source", ["square", "columns", "cyclic"])
def test_sum_of_everything(source: str) -> None:
    """A scalar that all subgroups know."""
    body = """
    %acc = arith.constant 3 : i32
    %s = vector.multi_reduction <add>, %v, %acc [0, 1] : vector<16x32xi32> to i32
    %r = vector.broadcast %s : i32 to vector<16x32xi32>
    """
    x, y = x_to_y(body, source=MAPS[source], result=MAPS[source], types=("16x32xi32", "16x32xi32"))
    np.testing.assert_array_equal(y, np.full_like(x, x.sum(dtype=np.int32) + np.int32(3)))


def test_reduction_in_steps() -> None:
    """Rows of blocks first, each by its subgroup; then over subgroups, laid out anew for that."""
    partial: Map = ([2, 2], [1, 16])
    gathered: Map = ([1, 4], [2, 8])
    result: Map = ([1, 4], [1, 8])
    body = f"""
    %zero = arith.constant dense<0> : vector<2x32xi32>
    %none = arith.constant dense<0> : vector<32xi32>
    %deep = vector.shape_cast %v {mapped(SQUARE)} : vector<16x32xi32> to vector<2x8x32xi32>
    %rows = vector.multi_reduction <add>, %deep, %zero {mapped(partial)} [1] : vector<2x8x32xi32> to vector<2x32xi32>
    %near = xetile.convert_layout %rows {mapped(gathered, "wg_map_result")} : vector<2x32xi32>
    %sums = vector.multi_reduction <add>, %near, %none {mapped(result)} [0] : vector<2x32xi32> to vector<32xi32>
    %r = vector.shape_cast %sums {mapped(result)} : vector<32xi32> to vector<1x32xi32>
    """
    x, y = x_to_y(body, result=result, types=("16x32xi32", "1x32xi32"))
    np.testing.assert_array_equal(y, x.sum(0, keepdims=True, dtype=np.int32))


@pytest.mark.parametrize("source", ["square", "rows"])
def test_softmax(source: str) -> None:
    map_ = mapped(MAPS[source])
    body = f"""
    %top = xetile.reduction <maximumf>, %v [1] : vector<16x32xf32> -> vector<16x1xf32>
    %tops = xetile.broadcast %top [1] {map_} : vector<16x1xf32> -> vector<16x32xf32>
    %d = arith.subf %v, %tops {map_} : vector<16x32xf32>
    %e = math.exp %d {map_} : vector<16x32xf32>
    %sum = xetile.reduction <add>, %e [1] : vector<16x32xf32> -> vector<16x1xf32>
    %sums = xetile.broadcast %sum [1] {map_} : vector<16x1xf32> -> vector<16x32xf32>
    %r = arith.divf %e, %sums {map_} : vector<16x32xf32>
    """
    x, y = x_to_y(body, source=MAPS[source], result=MAPS[source])
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    np.testing.assert_allclose(y, e / e.sum(1, keepdims=True), rtol=1e-5, atol=1e-7)


@TARGETS
def test_layer_norm(target: Target) -> None:
    """A scale for each column comes as a row, which all subgroups of a column share."""
    scale = ([2, 2], [1, 16])
    body = (
        load("g", "s", "1x32xf32", scale)
        + """
    %n = arith.constant dense<32.0> : vector<16x1xf32>
    %eps = arith.constant dense<1.0e-5> : vector<16x1xf32>
    %sum = xetile.reduction <add>, %v [1] : vector<16x32xf32> -> vector<16x1xf32>
    %mean = arith.divf %sum, %n : vector<16x1xf32>
    %means = xetile.broadcast %mean [1] : vector<16x1xf32> -> vector<16x32xf32>
    %d = arith.subf %v, %means : vector<16x32xf32>
    %q = arith.mulf %d, %d : vector<16x32xf32>
    %qs = xetile.reduction <add>, %q [1] : vector<16x32xf32> -> vector<16x1xf32>
    %var = arith.divf %qs, %n : vector<16x1xf32>
    %safe = arith.addf %var, %eps : vector<16x1xf32>
    %inv = math.rsqrt %safe : vector<16x1xf32>
    %invs = xetile.broadcast %inv [1] : vector<16x1xf32> -> vector<16x32xf32>
    %gs = xetile.broadcast %g [0] : vector<1x32xf32> -> vector<16x32xf32>
    %normal = arith.mulf %d, %invs : vector<16x32xf32>
    %r = arith.mulf %normal, %gs : vector<16x32xf32>
    """
    )
    text = load("v", "x", "16x32xf32", SQUARE) + body + store("r", "y", "16x32xf32", SQUARE)
    rng = np.random.default_rng(7)
    x, s = random_array(rng, (16, 32), "f32"), random_array(rng, (1, 32), "f32")
    arguments = "%x: memref<16x32xf32>, %s: memref<1x32xf32>, %y: memref<16x32xf32>"
    *_, y = launch(arguments, text, x, s, np.zeros_like(x), target=target)
    wide = x.astype(np.float64)
    d = wide - wide.mean(1, keepdims=True)
    expected = d / np.sqrt((d * d).mean(1, keepdims=True) + 1e-5) * s
    np.testing.assert_allclose(y, expected, rtol=1e-4, atol=1e-5)


def converted(type_: str, times: int, taken: int) -> str:
    """A kernel on `in` and `out` that adds 1 `times` times, to rows of four subgroups and to columns in turn.

    It has `taken` bytes of shared local memory of its own.
    """
    rows, columns = (int(size) for size in type_.split("x")[:2])
    maps: list[Map] = [([4, 1], [rows // 4, columns]), ([1, 4], [rows, columns // 4])]
    is_integer = type_.rpartition("x")[2].startswith("i")
    body = load("v0", "in", type_, maps[0])
    if taken:
        body = f"    %own = memref.alloc() : memref<{taken}xi8, 3>\n" + body
    for turn in range(times):
        old, new = wg(maps[turn % 2]), wg(maps[(turn + 1) % 2])
        body += f"""
    %one{turn} = arith.constant dense<{1 if is_integer else 1.0}> : vector<{type_}>
    %w{turn} = xetile.convert_layout %v{turn}
        {{wg_map_source = #xetile.wg_map{old}, wg_map_result = #xetile.wg_map{new}}} : vector<{type_}>
    %v{turn + 1} = arith.{"addi" if is_integer else "addf"} %w{turn}, %one{turn} : vector<{type_}>
    """
    body += store(f"v{times}", "out", type_, maps[times % 2])
    return kernel_text(f"%in: memref<{type_}>, %out: memref<{type_}>", body)


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(
    ("type_", "times", "free", "size"),
    [
        ("16x32xf32", 3, 32768, 6144),  # a buffer each
        ("16x32xf32", 3, 8192, 2048),  # one for all: three would be more than a quarter
        ("16x32xf32", 2, 2048, 2048),  # that is all there is
        ("16x32xf32", 2, 1024, 1024),  # two pieces of 16 bits
        ("16x32xf32", 1, 512, 512),  # four of 8
        ("16x32xi16", 1, 832, 512),
    ],
)
def test_exchanges_share_memory_and_go_in_pieces(type_, times, free, size):
    taken = ARC.platform.max_slm_bytes - free
    kernel = compile_one(converted(type_, times, taken), ARC)
    assert kernel.facts.slm_size == taken + size
    values = random_array(np.random.default_rng(1), (16, 32), type_.rpartition("x")[2])
    expected = values
    for _ in range(times):
        expected = expected + np.ones((), values.dtype)
    _, result = run(kernel, values, np.zeros_like(values), local=(4, 1, 1), target=ARC, engines=("interpreter",))
    assert result.tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    ("type_", "free", "message"),
    [
        (
            "16x32xf32",
            511,
            "moves 2048 bytes between subgroups, with elements of 4: only 448 bytes of shared local",
        ),
        ("16x32xi8", 256, "moves 512 bytes between subgroups, with elements of 1: only 256 bytes of shared local"),
        ("16x32xf32", 0, "moves 2048 bytes between subgroups, with elements of 4: only 0 bytes of shared local"),
    ],
)
def test_what_shared_memory_cannot_take_is_refused(type_, free, message):
    error = refusal(converted(type_, 1, ARC.platform.max_slm_bytes - free), ARC)
    assert f"error: 'xetile.convert_layout' op {message} memory are left" in error


def test_the_size_of_work_groups_is_suggested() -> None:
    """If neither kernel nor launch gives a size, work-groups have the subgroups that the maps share among."""
    text = (GALLERY / "softmax" / "wg_xetile.mlir").read_text()
    unsaid = re.sub(r",\s*known_\w+ = array<i32: [^>]*>", "", text)
    assert "known" not in unsaid
    kernel = Device("pvc").compile(unsaid)["softmax"]
    x = np.random.default_rng(0).standard_normal((64, 64), np.float32)
    y = np.zeros_like(x)
    assert kernel[2](x, y).block == (8, 1, 1)
    exact = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(y, exact / exact.sum(1, keepdims=True), rtol=1e-5)
