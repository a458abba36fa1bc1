"""Kernels in subgroup-level XeTile that move tiles in all ways, against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import ENGINES, Array, compile_all, compile_one, kernel_text, random_array, run
from xegpu.targets import ARC, PVC, Target

TARGETS = pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
SLM = "#xetile.tile_attr<memory_space = 3 : i32>"
SLM_COLUMNS = "#xetile.tile_attr<memory_space = 3 : i64, order = [0, 1]>"
SCATTERED = "#xetile.tile_attr<scattered = true>"


def launch(arguments: str, body: str, *values: Array | int, target: Target = PVC) -> list[Array]:
    """The arrays after a launch; on PVC in all engines."""
    kernel = compile_one(kernel_text(arguments, body), target)
    return run(kernel, *values, target=target, engines=ENGINES if target is PVC else ENGINES[:1])


def numbers(*shape: int, element: str = "f32") -> Array:
    return random_array(np.random.default_rng(5), shape, element)


# Shared local memory ------------------------------------------------------------------------------------------------


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(
    ("element", "target"), [("f16", PVC), ("i8", PVC), ("f64", PVC), ("f16", ARC)], ids=lambda value: str(value)[:6]
)
def test_tiles_go_through_shared_memory(element: str, target: Target) -> None:
    """Rows in, quarters exchanged, rows out."""
    text = f"""
    %slm = memref.alloc() : memref<16x32x{element}, 3>
    %in = xetile.init_tile %a[0, 0] : memref<16x32x{element}> -> !xetile.tile<16x32x{element}>
    %v = xetile.load_tile %in : !xetile.tile<16x32x{element}> -> vector<16x32x{element}>
    %whole = xetile.init_tile %slm[0, 0] : memref<16x32x{element}, 3> -> !xetile.tile<16x32x{element}, {SLM}>
    xetile.store_tile %v, %whole : vector<16x32x{element}>, !xetile.tile<16x32x{element}, {SLM}>
    %corner = xetile.init_tile %slm[8, 16] : memref<16x32x{element}, 3> -> !xetile.tile<8x16x{element}, {SLM}>
    xetile.prefetch_tile %corner : !xetile.tile<8x16x{element}, {SLM}>
    %w = xetile.load_tile %corner : !xetile.tile<8x16x{element}, {SLM}> -> vector<8x16x{element}>
    %out = xetile.init_tile %b[0, 0] : memref<8x16x{element}> -> !xetile.tile<8x16x{element}>
    xetile.store_tile %w, %out : vector<8x16x{element}>, !xetile.tile<8x16x{element}>
    """
    a = numbers(16, 32, element=element)
    arguments = f"%a: memref<16x32x{element}>, %b: memref<8x16x{element}>"
    _, b = launch(arguments, text, a, np.zeros((8, 16), a.dtype), target=target)
    np.testing.assert_array_equal(b, a[8:, 16:])


@pytest.mark.sampled(every=20)
@TARGETS
@pytest.mark.parametrize("through", ["load", "store"])
@pytest.mark.parametrize("element", ["bf16"])
def test_shared_memory_seen_by_columns(element: str, through: str, target: Target) -> None:
    """A buffer that is not square: what is written by rows is read by columns, or the other way round."""
    view = "strided<[1, 32]>"
    text = f"""
    %slm = memref.alloc() : memref<16x32x{element}, 3>
    %turned = memref.transpose %slm (i, j) -> (j, i) : memref<16x32x{element}, 3> to memref<32x16x{element}, {view}, 3>
    %rows = xetile.init_tile %slm[8, 16] : memref<16x32x{element}, 3> -> !xetile.tile<8x16x{element}, {SLM}>
    %columns = xetile.init_tile %turned[16, 8]
      : memref<32x16x{element}, {view}, 3> -> !xetile.tile<16x8x{element}, {SLM_COLUMNS}>
    """
    rows, columns = (
        ("%rows", f"8x16x{element}", SLM),
        ("%columns", f"16x8x{element}", SLM_COLUMNS),
    )
    (to, stored, to_attr), (origin, loaded, origin_attr) = (rows, columns) if through == "load" else (columns, rows)
    text += f"""
    %in = xetile.init_tile %a[0, 0] : memref<{stored}> -> !xetile.tile<{stored}>
    %v = xetile.load_tile %in : !xetile.tile<{stored}> -> vector<{stored}>
    xetile.store_tile %v, {to} : vector<{stored}>, !xetile.tile<{stored}, {to_attr}>
    %w = xetile.load_tile {origin} : !xetile.tile<{loaded}, {origin_attr}> -> vector<{loaded}>
    %out = xetile.init_tile %b[0, 0] : memref<{loaded}> -> !xetile.tile<{loaded}>
    xetile.store_tile %w, %out : vector<{loaded}>, !xetile.tile<{loaded}>
    """
    a = numbers(*((8, 16) if through == "load" else (16, 8)), element=element)
    _, b = launch(
        f"%a: memref<{stored}>, %b: memref<{loaded}>", text, a, np.zeros(a.shape[::-1], a.dtype), target=target
    )
    np.testing.assert_array_equal(b, a.T)


@pytest.mark.sampled(every=5)
@TARGETS
def test_a_tile_across_the_edge_of_shared_memory(target: Target) -> None:
    """Elements outside read as padding, and are not written."""
    text = f"""
    %slm = memref.alloc() : memref<8x20xf32, 3>
    %all = xetile.init_tile %slm[0, 0] : memref<8x20xf32, 3> -> !xetile.tile<8x20xf32, {SLM}>
    %in = xetile.init_tile %a[0, 0] : memref<8x20xf32> -> !xetile.tile<8x20xf32>
    %v = xetile.load_tile %in : !xetile.tile<8x20xf32> -> vector<8x20xf32>
    xetile.store_tile %v, %all : vector<8x20xf32>, !xetile.tile<8x20xf32, {SLM}>
    %c8 = arith.constant 8 : index
    %part = xetile.init_tile %slm[%row, %c8] : memref<8x20xf32, 3> -> !xetile.tile<4x16xf32, {SLM}>
    %w = xetile.load_tile %part {{padding = 7.0 : f32}} : !xetile.tile<4x16xf32, {SLM}> -> vector<4x16xf32>
    %out = xetile.init_tile %b[0, 0] : memref<4x16xf32> -> !xetile.tile<4x16xf32>
    xetile.store_tile %w, %out : vector<4x16xf32>, !xetile.tile<4x16xf32>
    %ones = arith.constant dense<1.0> : vector<4x16xf32>
    xetile.store_tile %ones, %part : vector<4x16xf32>, !xetile.tile<4x16xf32, {SLM}>
    %z = xetile.load_tile %all : !xetile.tile<8x20xf32, {SLM}> -> vector<8x20xf32>
    xetile.store_tile %z, %in : vector<8x20xf32>, !xetile.tile<8x20xf32>
    """
    arguments = "%a: memref<8x20xf32>, %b: memref<4x16xf32>, %row: index"
    a, b = numbers(8, 20), np.zeros((4, 16), np.float32)
    around = np.full((30, 40), 7, np.float32)
    around[10:18, :20] = a
    kernel = compile_one(kernel_text(arguments, text), target)
    for row in (-2, 0, 3, 5, 9):
        engines = ENGINES if (row, target) == (3, PVC) else ENGINES[:1]
        after, read = run(kernel, a, b, row, target=target, engines=engines)
        np.testing.assert_array_equal(read, around[10 + row : 14 + row, 8:24])
        expected = a.copy()
        expected[max(row, 0) : max(row + 4, 0), 8:] = 1
        np.testing.assert_array_equal(after, expected)


# Padding ------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(every=20)
@TARGETS
@pytest.mark.parametrize(("element", "padding"), [("f32", "1.5 : f32"), ("f16", "-2 : i32"), ("i8", "-3 : i32")])
def test_padding(element: str, padding: str, target: Target) -> None:
    """A tile moves across the edge, in a loop."""
    text = f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %t = xetile.init_tile %a[%c0, %c4] : memref<10x18x{element}> -> !xetile.tile<4x16x{element}>
    %o = xetile.init_tile %b[0, 0] : memref<12x16x{element}> -> !xetile.tile<4x16x{element}>
    %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %t, %y = %o)
      -> (!xetile.tile<4x16x{element}>, !xetile.tile<4x16x{element}>) {{
      %v = xetile.load_tile %x {{padding = {padding}}} : !xetile.tile<4x16x{element}> -> vector<4x16x{element}>
      xetile.store_tile %v, %y : vector<4x16x{element}>, !xetile.tile<4x16x{element}>
      %x2 = xetile.update_tile_offset %x, [%c4, %c0] : !xetile.tile<4x16x{element}>
      %y2 = xetile.update_tile_offset %y, [%c4, %c0] : !xetile.tile<4x16x{element}>
      scf.yield %x2, %y2 : !xetile.tile<4x16x{element}>, !xetile.tile<4x16x{element}>
    }}
    """
    a = numbers(10, 18, element=element)
    arguments = f"%a: memref<10x18x{element}>, %b: memref<12x16x{element}>"
    _, b = launch(arguments, text, a, np.zeros((12, 16), a.dtype), target=target)
    expected = np.full((12, 20), float(padding.partition(" ")[0])).astype(a.dtype)
    expected[:10, :18] = a
    np.testing.assert_array_equal(b, expected[:, 4:])


# Scattered tiles ----------------------------------------------------------------------------------------------------


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize(
    ("element", "shape", "target"),
    [("f32", (4, 16), PVC), ("i16", (3, 7), PVC), ("f32", (1, 1), PVC), ("i16", (1, 40), ARC), ("f32", (3, 7), ARC)],
    ids=lambda value: getattr(value, "name", None),
)
def test_scattered_tiles(element: str, shape: tuple[int, int], target: Target) -> None:
    """Elements are gathered, moved on, gathered again under a mask, and scattered."""
    rows, columns = shape
    count = rows * columns
    rng = np.random.default_rng(3)
    places = rng.permutation(2 * count)[:count].reshape(shape)
    mask = rng.integers(0, 2, shape).astype(bool)
    tile, form = f"!xetile.tile<{rows}x{columns}x{element}, {SCATTERED}>", f"{rows}x{columns}"
    padding = "5 : i32" if element == "i16" else "5.0 : f32"
    text = f"""
    %idx = arith.constant dense<{places.tolist()}> : vector<{form}xindex>
    %move = arith.constant dense<3> : vector<{form}xindex>
    %some = arith.constant dense<{str(mask.tolist()).lower()}> : vector<{form}xi1>
    %all = arith.constant dense<true> : vector<{form}xi1>
    %from = xetile.init_tile %a, %idx : memref<{2 * count + 3}x{element}>, vector<{form}xindex> -> {tile}
    xetile.prefetch_tile %from : {tile}
    %v = xetile.load %from, %all : {tile}, vector<{form}xi1> -> vector<{form}x{element}>
    %next = xetile.update_tile_offset %from, %move : {tile}, vector<{form}xindex>
    %w = xetile.load %next, %some {{padding = {padding}}} : {tile}, vector<{form}xi1> -> vector<{form}x{element}>
    %first = xetile.init_tile %b, %idx : memref<{2 * count}x{element}>, vector<{form}xindex> -> {tile}
    %second = xetile.init_tile %c, %idx : memref<{2 * count}x{element}>, vector<{form}xindex> -> {tile}
    xetile.store %v, %first, %some : vector<{form}x{element}>, {tile}, vector<{form}xi1>
    xetile.store %w, %second, %all : vector<{form}x{element}>, {tile}, vector<{form}xi1>
    """
    a = numbers(2 * count + 3, element=element)
    b = c = np.full(2 * count, 9, a.dtype)
    memref = f"memref<{2 * count}x{element}>"
    arguments = f"%a: memref<{2 * count + 3}x{element}>, %b: {memref}, %c: {memref}"
    _, b, c = launch(arguments, text, a, b, c, target=target)
    expected_b, expected_c = np.full(2 * count, 9, a.dtype), np.full(2 * count, 9, a.dtype)
    expected_b[places[mask]] = a[places[mask]]
    expected_c[places] = np.where(mask, a[places + 3], np.array(5, a.dtype))
    np.testing.assert_array_equal(b, expected_b)
    np.testing.assert_array_equal(c, expected_c)


@TARGETS
def test_scattered_tiles_of_shared_memory(target: Target) -> None:
    attribute = "#xetile.tile_attr<memory_space = 3 : i32, scattered = true>"
    tile = f"!xetile.tile<1x16xf32, {attribute}>"
    text = f"""
    %slm = memref.alloc() : memref<64xf32, 3>
    %up = arith.constant dense<{[[2 * i for i in range(16)]]}> : vector<1x16xindex>
    %down = arith.constant dense<{[[30 - 2 * i for i in range(16)]]}> : vector<1x16xindex>
    %all = arith.constant dense<true> : vector<1x16xi1>
    %in = xetile.init_tile %a[0, 0] : memref<1x16xf32> -> !xetile.tile<1x16xf32>
    %v = xetile.load_tile %in : !xetile.tile<1x16xf32> -> vector<1x16xf32>
    %to = xetile.init_tile %slm, %up : memref<64xf32, 3>, vector<1x16xindex> -> {tile}
    xetile.store %v, %to, %all : vector<1x16xf32>, {tile}, vector<1x16xi1>
    %from = xetile.init_tile %slm, %down : memref<64xf32, 3>, vector<1x16xindex> -> {tile}
    %w = xetile.load %from, %all : {tile}, vector<1x16xi1> -> vector<1x16xf32>
    xetile.store_tile %w, %in : vector<1x16xf32>, !xetile.tile<1x16xf32>
    """
    a = numbers(1, 16)
    (after,) = launch("%a: memref<1x16xf32>", text, a, target=target)
    np.testing.assert_array_equal(after, a[:, ::-1])


# Atomics ------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("memref<10x20xi32>", ARC),
        ("memref<10x20xi32, strided<[32, 1], offset: 4>>", PVC),
        ("i64", PVC),
    ],
    ids=["dense", "strided", "address"],
)
@pytest.mark.parametrize("order", ["", ", #xetile.tile_attr<order = [0, 1]>"], ids=["rows", "columns"])
def test_atomic_updates_of_a_block(source: str, order: str, target: Target) -> None:
    """Elements outside are left alone; those inside are combined, and come back as they were."""
    pitch, offset = (32, 4) if "strided" in source else (20, 0)
    rows, columns = (10, 20) if not order else (20, 10)
    body = ""
    if order and source.startswith("memref"):
        view = f"memref<20x10xi32, strided<[1, {pitch}], offset: {offset}>>"
        body += f"%t = memref.transpose %a (i, j) -> (j, i) : {source} to {view}\n"
        source, name, lists = view, "%t", ""
    elif source == "i64":
        body += "%p = memref.extract_aligned_pointer_as_index %a : memref<10x20xi32> -> index\n"
        body += "%q = arith.index_cast %p : index to i64\n"
        name, lists = "%q", f", [{rows}, {columns}], [{'1, 20' if order else '20, 1'}]"
    else:
        name, lists = "%a", ""
    layout = f", strided<[{pitch}, 1], offset: {offset}>" if offset else ""
    argument = f"memref<10x20xi32{layout}>"
    h, w = (8, 4) if order else (4, 8)
    y, x = (16, 8) if order else (8, 16)
    tile = f"!xetile.tile<{h}x{w}xi32{order}>"
    body += f"""
    %t0 = xetile.init_tile {name}[{y}, {x}]{lists} : {source} -> {tile}
    %in = xetile.init_tile %v[0, 0] : memref<{h}x{w}xi32> -> !xetile.tile<{h}x{w}xi32>
    %x = xetile.load_tile %in : !xetile.tile<{h}x{w}xi32> -> vector<{h}x{w}xi32>
    %old = xetile.atomic_rmw maxs %x, %t0 : vector<{h}x{w}xi32>, {tile} -> vector<{h}x{w}xi32>
    xetile.store_tile %old, %in : vector<{h}x{w}xi32>, !xetile.tile<{h}x{w}xi32>
    """
    stored = numbers(10 * pitch, element="i32")  # arguments point to the first element, whatever their offset is
    v = numbers(h, w, element="i32")
    after, old = launch(f"%a: {argument}, %v: memref<{h}x{w}xi32>", body, stored, v, target=target)
    plane = np.lib.stride_tricks.as_strided(stored, (10, 20), (4 * pitch, 4)).copy()
    values = v.T if order else v
    expected, was = stored.copy(), np.zeros((4, 8), np.int32)
    for r in range(2):
        for c in range(4):
            was[r, c] = plane[8 + r, 16 + c]
            expected[(8 + r) * pitch + 16 + c] = max(was[r, c], values[r, c])
    np.testing.assert_array_equal(after, expected)
    np.testing.assert_array_equal((old.T if order else old)[:2, :4], was[:2, :4])


@TARGETS
@pytest.mark.parametrize("form", ["scattered", "shared"])
def test_atomic_updates_elsewhere(form: str, target: Target) -> None:
    """Lanes that share a place add up."""
    if form == "scattered":
        tile, shape = f"!xetile.tile<1x16xi32, {SCATTERED}>", "1x16xi32"
        body = f"""
        %idx = arith.constant dense<{[[i // 4 for i in range(16)]]}> : vector<1x16xindex>
        %t = xetile.init_tile %a, %idx : memref<16xi32>, vector<1x16xindex> -> {tile}
        %v = arith.constant dense<{[list(range(16))]}> : vector<{shape}>
        %old = xetile.atomic_rmw addi %v, %t : vector<{shape}>, {tile} -> vector<{shape}>
        """
        expected = np.zeros(16, np.int32)
        expected[:4] = np.arange(16).reshape(4, 4).sum(1)
    else:
        tile, shape = f"!xetile.tile<2x8xi32, {SLM}>", "2x8xi32"
        body = f"""
        %slm = memref.alloc() : memref<2x8xi32, 3>
        %t = xetile.init_tile %slm[0, 0] : memref<2x8xi32, 3> -> {tile}
        %v = arith.constant dense<{np.arange(16).reshape(2, 8).tolist()}> : vector<{shape}>
        xetile.store_tile %v, %t : vector<{shape}>, {tile}
        %old = xetile.atomic_rmw addi %v, %t : vector<{shape}>, {tile} -> vector<{shape}>
        %new = xetile.load_tile %t : {tile} -> vector<{shape}>
        %out = memref.expand_shape %a [[0, 1]] output_shape [2, 8] : memref<16xi32> into memref<2x8xi32>
        %o = xetile.init_tile %out[0, 0] : memref<2x8xi32> -> !xetile.tile<{shape}>
        xetile.store_tile %new, %o : vector<{shape}>, !xetile.tile<{shape}>
        """
        expected = 2 * np.arange(16, dtype=np.int32)
    (after,) = launch("%a: memref<16xi32>", body, np.zeros(16, np.int32), target=target)
    np.testing.assert_array_equal(after, expected)


# Control flow -------------------------------------------------------------------------------------------------------

TILE = "!xetile.tile<8x16xf32>"
LOAD = f"xetile.load_tile %t : {TILE} -> vector<8x16xf32>"


@TARGETS
@pytest.mark.parametrize("choice", [0, 1])
def test_choices_and_while_loops_carry_tiles(choice: int, target: Target) -> None:
    """Adds up blocks down one of two matrices, until a limit."""
    text = f"""
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %one = arith.cmpi eq, %choice, %c1 : index
    %start = scf.if %one -> ({TILE}) {{
      %x = xetile.init_tile %a[8, 0] : memref<32x16xf32> -> {TILE}
      scf.yield %x : {TILE}
    }} else {{
      %y = xetile.init_tile %b[0, 0] : memref<32x16xf32> -> {TILE}
      scf.yield %y : {TILE}
    }}
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %r:3 = scf.while (%t = %start, %sum = %zero, %i = %c0) : ({TILE}, vector<8x16xf32>, index)
      -> ({TILE}, vector<8x16xf32>, index) {{
      %more = arith.cmpi ult, %i, %limit : index
      scf.condition(%more) %t, %sum, %i : {TILE}, vector<8x16xf32>, index
    }} do {{
    ^bb0(%t: {TILE}, %sum: vector<8x16xf32>, %i: index):
      %v = {LOAD}
      %next = arith.addf %sum, %v : vector<8x16xf32>
      %moved = xetile.update_tile_offset %t, [%c8, %c0] : {TILE}
      %j = arith.addi %i, %c8 : index
      scf.yield %moved, %next, %j : {TILE}, vector<8x16xf32>, index
    }}
    %out = xetile.init_tile %c[0, 0] : memref<8x16xf32> -> {TILE}
    xetile.store_tile %r#1, %out : vector<8x16xf32>, {TILE}
    """
    rng = np.random.default_rng(9)
    a, b = (rng.integers(-50, 50, (32, 16)).astype(np.float32) for _ in range(2))
    arguments = "%a: memref<32x16xf32>, %b: memref<32x16xf32>, %c: memref<8x16xf32>, %choice: index, %limit: index"
    c = launch(arguments, text, a, b, np.zeros((8, 16), np.float32), choice, 24, target=target)[2]
    rows = a[8:32] if choice else b[0:24]
    np.testing.assert_array_equal(c, rows.reshape(3, 8, 16).sum(0))


@TARGETS
def test_branches_carry_tiles(target: Target) -> None:
    text = f"""
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %first = xetile.init_tile %a[0, 0] : memref<32x16xf32> -> {TILE}
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    cf.br ^head(%first, %zero, %c0 : {TILE}, vector<8x16xf32>, index)
  ^head(%t: {TILE}, %sum: vector<8x16xf32>, %i: index):
    %more = arith.cmpi ult, %i, %limit : index
    cf.cond_br %more, ^body(%t, %i : {TILE}, index), ^end
  ^body(%u: {TILE}, %j: index):
    %v = xetile.load_tile %u : {TILE} -> vector<8x16xf32>
    %next = arith.addf %sum, %v : vector<8x16xf32>
    %moved = xetile.update_tile_offset %u, [%c8, %c0] : {TILE}
    %k = arith.addi %j, %c8 : index
    cf.br ^head(%moved, %next, %k : {TILE}, vector<8x16xf32>, index)
  ^end:
    %out = xetile.init_tile %c[0, 0] : memref<8x16xf32> -> {TILE}
    xetile.store_tile %sum, %out : vector<8x16xf32>, {TILE}
    """
    a = np.random.default_rng(9).integers(-50, 50, (32, 16)).astype(np.float32)
    arguments = "%a: memref<32x16xf32>, %c: memref<8x16xf32>, %limit: index"
    c = launch(arguments, text, a, np.zeros((8, 16), np.float32), 24, target=target)[1]
    np.testing.assert_array_equal(c, a[:24].reshape(3, 8, 16).sum(0))


# Sources ------------------------------------------------------------------------------------------------------------


@TARGETS
def test_planes_of_a_batch(target: Target) -> None:
    text = """
    %t = xetile.init_tile %a[%b, 8, 16] : memref<3x16x32xf16> -> !xetile.tile<8x16xf16>
    %o = xetile.init_tile %c[0, 0] : memref<8x16xf16> -> !xetile.tile<8x16xf16>
    %v = xetile.load_tile %t : !xetile.tile<8x16xf16> -> vector<8x16xf16>
    xetile.store_tile %v, %o : vector<8x16xf16>, !xetile.tile<8x16xf16>
    """
    a = numbers(3, 16, 32, element="f16")
    arguments = "%a: memref<3x16x32xf16>, %c: memref<8x16xf16>, %b: index"
    _, c = launch(arguments, text, a, np.zeros((8, 16), np.float16), 2, target=target)
    np.testing.assert_array_equal(c, a[2, 8:, 16:])


def test_several_kernels_are_converted_each_for_itself() -> None:
    body = f"""
    %t = xetile.init_tile %a[0, 0] : memref<8x16xf32> -> {TILE}
    %v = {LOAD}
    %w = arith.addf %v, %v : vector<8x16xf32>
    xetile.store_tile %w, %t : vector<8x16xf32>, {TILE}
    """
    texts = [kernel_text("%a: memref<8x16xf32>", body, name=name) for name in ("one", "two")]
    kernels = compile_all(texts[0] + texts[1].replace("@m", "@n"))
    a = numbers(8, 16)
    assert [kernel.name for kernel in kernels] == ["one", "two"]
    for kernel in kernels:
        np.testing.assert_array_equal(run(kernel, a)[0], a + a)
