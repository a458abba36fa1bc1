"""Operations that `gpu-expand-ops` rewrites, from text to numbers."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import compile_one, kernel_text, refusal, run

MODES = ["", "VectorComputeFunctionINTEL"]
CONSTANTS = "".join(f"%c{n} = arith.constant {n} : index\n" for n in (0, 1, 2, 3, 5, 8))


@pytest.mark.parametrize("mode", MODES)
def test_parallel_loops_run_in_order(mode: str) -> None:
    """Bounds that steps do not meet, one dimension without iterations, and two reductions at once."""
    body = CONSTANTS + (
        "%f = arith.constant 0.0 : f32\n"
        "%r:2 = scf.parallel (%i, %j) = (%c0, %c1) to (%c5, %c8) step (%c2, %c3) init (%f, %f) -> (f32, f32) {\n"
        "%e = memref.load %m[%i, %j] : memref<8x8xf32>\nmemref.store %f, %m[%i, %j] : memref<8x8xf32>\n"
        "scf.reduce (%e, %e : f32, f32) {\n^bb0(%a: f32, %b: f32):\n%h = arith.addf %a, %b : f32\n"
        "scf.reduce.return %h : f32\n}, {\n^bb0(%a: f32, %b: f32):\n%d = arith.subf %b, %a : f32\n"
        "scf.reduce.return %d : f32\n}\n}\n"
        "scf.parallel (%i, %j) = (%c0, %c3) to (%c5, %c3) step (%c1, %c1) {\n"
        "memref.store %f, %o[%i] : memref<8xf32>\nscf.reduce\n}\n"
        "memref.store %r#0, %o[%c0] : memref<8xf32>\nmemref.store %r#1, %o[%c1] : memref<8xf32>"
    )
    memory = np.arange(64, dtype=np.float32).reshape(8, 8)
    text = kernel_text("%m: memref<8x8xf32>, %o: memref<8xf32>", body, mode)
    local = (1, 1, 1)
    left, sums = run(compile_one(text), memory, np.full(8, -1, np.float32), local=local)
    visited = memory[0:5:2, 1:8:3]
    alternating = 0.0
    for value in visited.ravel().tolist():
        alternating = value - alternating
    assert sums.tolist() == [visited.sum(), alternating, *[-1] * 6]
    expected = memory.copy()
    expected[0:5:2, 1:8:3] = 0
    np.testing.assert_array_equal(left, expected)


def test_parallel_loops_of_work_items() -> None:
    """Each work-item has bounds of its own."""
    body = CONSTANTS + (
        "%t = gpu.thread_id x\n%z = arith.constant 0 : index\n"
        "%r = scf.parallel (%i) = (%c0) to (%t) step (%c1) init (%z) -> index {\n"
        "scf.reduce (%i : index) {\n^bb0(%a: index, %b: index):\n%s = arith.addi %a, %b : index\n"
        "scf.reduce.return %s : index\n}\n}\nmemref.store %r, %o[%t] : memref<20xindex>"
    )
    (result,) = run(
        compile_one(kernel_text("%o: memref<20xindex>", body, "")), np.zeros(20, np.int64), local=(20, 1, 1)
    )
    assert result.tolist() == [n * (n - 1) // 2 for n in range(20)]


@pytest.mark.parametrize("mode", MODES)
def test_copies_of_buffers(mode: str) -> None:
    """Between layouts, from and to shared local memory, of rank 0, and of nothing.

    The pointer of a buffer is that of its first element, whatever offset its type has.
    """
    strided, slm = "memref<?x4xf32, strided<[8, 2], offset: 3>>", "memref<5x4xf32, 3>"
    body = (
        f"memref.copy %m, %s : memref<5x4xf32> to {slm}\nmemref.copy %s, %o : {slm} to {strided}\n"
        "memref.copy %p, %q : memref<f32> to memref<f32>\nmemref.copy %x, %y : memref<0xf32> to memref<0xf32>"
    )
    text = kernel_text(
        f"%m: memref<5x4xf32>, %o: {strided}, %p: memref<f32>, %q: memref<f32>, %x: memref<0xf32>, %y: memref<0xf32>",
        f"%s = memref.alloc() : {slm}\n{body}",
        mode,
    )
    memory = np.arange(20, dtype=np.float32).reshape(5, 4)
    none, one = np.zeros(0, np.float32), np.array(7, np.float32)
    results = run(
        compile_one(text),
        memory,
        np.zeros(50, np.float32),
        5,
        one,
        np.zeros((), np.float32),
        none,
        none,
        local=(1, 1, 1),
    )
    expected = np.zeros(50, np.float32)
    expected[:40].reshape(5, 8)[:, 0::2] = memory
    np.testing.assert_array_equal(results[1], expected)
    assert results[3] == 7


@pytest.mark.parametrize("mode", MODES)
def test_shapes_that_buffers_hold(mode: str) -> None:
    body = CONSTANTS + (
        "%v = memref.reshape %m(%s) : (memref<?xf32>, memref<3xi32>) -> memref<?x4x?xf32>\n"
        "%e = memref.load %v[%c1, %c2, %c1] : memref<?x4x?xf32>\nmemref.store %e, %o[%c0] : memref<8xf32>\n"
        "%w = memref.reshape %m(%r) : (memref<?xf32>, memref<0xindex>) -> memref<f32>\n"
        "%d = memref.load %w[] : memref<f32>\nmemref.store %d, %o[%c1] : memref<8xf32>"
    )
    text = kernel_text("%m: memref<?xf32>, %s: memref<3xi32>, %r: memref<0xindex>, %o: memref<8xf32>", body, mode)
    memory, sizes = np.arange(100, dtype=np.float32), np.array([2, 4, 3], np.int32)
    local = (1, 1, 1)
    out = run(compile_one(text), memory, 100, sizes, np.zeros(0, np.int64), np.zeros(8, np.float32), local=local)[3]
    assert out[:2].tolist() == [4 * 3 + 2 * 3 + 1, 0]


def test_scopes_of_private_memory() -> None:
    body = (
        "%t = gpu.thread_id x\n%c3 = arith.constant 3 : index\n%r = memref.alloca_scope -> (index) {\n"
        "%a = memref.alloca() : memref<8xindex>\nmemref.store %t, %a[%c3] : memref<8xindex>\n"
        "%y = memref.load %a[%c3] : memref<8xindex>\nmemref.alloca_scope.return %y : index\n}\n"
        "memref.alloca_scope {\nmemref.store %r, %o[%t] : memref<16xindex>\n}"
    )
    (result,) = run(
        compile_one(kernel_text("%o: memref<16xindex>", body, "")), np.zeros(16, np.int64), local=(16, 1, 1)
    )
    assert result.tolist() == list(range(16))


@pytest.mark.parametrize("type", ["i32", "i8", "index"])
def test_switches_between_blocks(type: str) -> None:
    body = (
        f"%a = arith.constant 10 : i32\n%b = arith.constant 20 : i32\ncf.switch %x : {type}, [\n"
        "default: ^store(%a : i32),\n3: ^other,\n-4: ^store(%b : i32)\n]\n"
        "^other:\n%c = arith.constant 30 : i32\ncf.br ^store(%c : i32)\n^store(%v: i32):\n"
        "memref.store %v, %o[] : memref<i32>"
    )
    kernel = compile_one(kernel_text(f"%x: {type}, %o: memref<i32>", body))
    found = [int(run(kernel, x, np.array(0, np.int32))[0]) for x in (0, 3, -4, 100)]
    assert found == [10, 30, 20, 10]


@pytest.mark.parametrize("first", [0, 1])
def test_choices_between_descriptors_and_buffers(first: int) -> None:
    desc, value, buffer = "!xegpu.tensor_desc<8x16xf32>", "vector<8x16xf32>", "memref<8x16xf32>"
    body = f"""
    %buffer = arith.select %c, %a, %b : {buffer}
    %s = xegpu.create_nd_tdesc %a[0, 0] : {buffer} -> {desc}
    %t = xegpu.create_nd_tdesc %b[0, 0] : {buffer} -> {desc}
    %d = arith.select %c, %s, %t : {desc}
    %v = xegpu.load_nd %d : {desc} -> {value}
    %c0 = arith.constant 0 : index
    %x = memref.load %buffer[%c0, %c0] : {buffer}
    %y = vector.broadcast %x : f32 to {value}
    %w = arith.addf %v, %y : {value}
    %u = xegpu.create_nd_tdesc %o[0, 0] : {buffer} -> {desc}
    xegpu.store_nd %w, %u : {value}, {desc}"""
    kernel = compile_one(kernel_text(f"%c: i1, %a: {buffer}, %b: {buffer}, %o: {buffer}", body))
    a = np.arange(128, dtype=np.float32).reshape(8, 16) + 5
    result = run(kernel, np.bool_(first), a, -a, np.zeros_like(a))[2]
    np.testing.assert_array_equal(result, (a + 5) * (1 if first else -1))


def test_a_choice_between_tiles() -> None:
    tile, value = "!xetile.tile<8x16xf32>", "vector<8x16xf32>"
    body = f"""
    %s = xetile.init_tile %a[0, 0] : memref<8x32xf32> -> {tile}
    %t = xetile.init_tile %a[0, 16] : memref<8x32xf32> -> {tile}
    %d = arith.select %c, %s, %t : {tile}
    %v = xetile.load_tile %d : {tile} -> {value}
    %u = xetile.init_tile %o[0, 0] : memref<8x16xf32> -> {tile}
    xetile.store_tile %v, %u : {value}, {tile}"""
    kernel = compile_one(kernel_text("%c: i1, %a: memref<8x32xf32>, %o: memref<8x16xf32>", body))
    a = np.arange(256, dtype=np.float32).reshape(8, 32)
    for first in (True, False):
        result = run(kernel, np.bool_(first), a, np.zeros((8, 16), np.float32))[1]
        np.testing.assert_array_equal(result, a[:, :16] if first else a[:, 16:])


AFFINE = """
  %t = gpu.thread_id x
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %i = affine.apply affine_map<(d0)[s0] -> ((d0 - s0) mod 3 + 2)>(%t)[%n]
  %s = affine.for %k = max affine_map<(d0) -> (d0 - 2, 0)>(%t) to min affine_map<(d0) -> (d0 + 5, 7)>(%t)
      step 2 iter_args(%a = %z) -> (i32) {
    %p = affine.min affine_map<(d0) -> (d0 floordiv 2, 5)>(%k)
    %q = affine.max affine_map<(d0)[s0] -> (d0 ceildiv 3, s0)>(%k)[%n]
    %x = arith.addi %p, %q : index
    %y = arith.index_cast %x : index to i32
    %b = arith.addi %a, %y : i32
    affine.yield %b : i32
  }
  affine.for %k = 0 to 8 {
    affine.if affine_set<(d0, d1)[s0] : (d0 - d1 >= 0, s0 - 1 >= 0, d0 mod 2 == 0)>(%k, %t)[%n] {
      affine.store %s, %o[%t, %k] : memref<8x8xi32>
    } else {
      %v = affine.load %o[%t, %k] : memref<8x8xi32>
      %j = arith.index_cast %i : index to i32
      %w = arith.addi %v, %j : i32
      affine.store %w, %o[%t, (%k * 2 + 1) floordiv 2] : memref<8x8xi32>
    }
  }
  %r = affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%t) -> i32 { affine.yield %one : i32 } else { affine.yield %z : i32 }
"""


@pytest.mark.parametrize("number", [0, 1, 4])
def test_affine_operations(number: int) -> None:
    kernel = compile_one(kernel_text("%o: memref<8x8xi32>, %n: index", AFFINE, ""))
    start = np.arange(64, dtype=np.int32).reshape(8, 8)
    expected = start.copy()
    for t in range(8):
        bounds = range(max(t - 2, 0), min(t + 5, 7), 2)
        total = sum(min(k // 2, 5) + max(-(-k // 3), number) for k in bounds)
        for k in range(8):
            inside = k >= t and number >= 1 and k % 2 == 0
            expected[t, k] = total if inside else expected[t, k] + (t - number) % 3 + 2
    np.testing.assert_array_equal(run(kernel, start, number, local=(8, 1, 1))[0], expected)


def test_affine_vectors() -> None:
    type = "memref<8x8xf32>, vector<8xf32>"
    body = f"""
    affine.for %k = 0 to 4 {{
      %v = affine.vector_load %o[%k, 0] : {type}
      affine.vector_store %v, %o[%k + 4, 0] : {type}
    }}"""
    start = np.arange(64, dtype=np.float32).reshape(8, 8)
    (after,) = run(compile_one(kernel_text("%o: memref<8x8xf32>", body)), start)
    np.testing.assert_array_equal(after, np.concatenate([start[:4], start[:4]]))


def test_affine_divisors_are_positive() -> None:
    body = "%i = affine.apply affine_map<(d0) -> (d0 floordiv -2)>(%n)"
    assert "divides by -2: expected a positive number" in refusal(kernel_text("%n: index", body))


def test_semi_affine_maps_have_factors_and_divisors_that_are_computed() -> None:
    body = """
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %p = affine.apply affine_map<(d0)[s0] -> (s0 * d0 - d0)>(%n)[%m]
    %q = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%n)[%m]
    %r = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%n)[%m]
    %s = affine.apply affine_map<(d0)[s0] -> (d0 ceildiv (s0 * 2))>(%n)[%m]
    memref.store %p, %o[%c0] : memref<4xindex>
    memref.store %q, %o[%c1] : memref<4xindex>
    memref.store %r, %o[%c2] : memref<4xindex>
    memref.store %s, %o[%c3] : memref<4xindex>"""
    kernel = compile_one(kernel_text("%o: memref<4xindex>, %n: index, %m: index", body))
    for n, m in ((17, 5), (-17, 5), (12, 4), (-1, 1000)):
        (found,) = run(kernel, np.zeros(4, np.int64), np.int64(n), np.int64(m))
        assert found.tolist() == [m * n - n, n // m, n % m, -(-n // (2 * m))]


def test_loops_over_boxes() -> None:
    """`scf.forall` and `affine.parallel`, whose bounds are extremes of expressions and whose results are reduced."""
    body = (
        "%t = gpu.thread_id x\n%two = arith.constant 2.0 : f32\n"
        "scf.forall (%i, %j) = (0, 1) to (%t, 8) step (2, 3) {\n"
        "memref.store %two, %m[%t, %i, %j] : memref<4x8x8xf32>\n}\n"
        "%r:3 = affine.parallel (%i, %j) = (max(0, %t - 2), 1) to (min(%t * 2, 5), 8) step (1, 2) "
        'reduce ("addf", "mins", "maxnumf") -> (f32, i32, f32) {\n'
        "%e = affine.load %a[%i, %j] : memref<8x8xf32>\n%n = arith.fptosi %e : f32 to i32\n"
        "affine.yield %e, %n, %e : f32, i32, f32\n}\n"
        "%least = arith.sitofp %r#1 : i32 to f32\n"
        + "".join(
            f"%c{k} = arith.constant {k} : index\nmemref.store {value}, %o[%t, %c{k}] : memref<4x3xf32>\n"
            for k, value in enumerate(("%r#0", "%least", "%r#2"))
        )
    )
    text = kernel_text("%m: memref<4x8x8xf32>, %a: memref<8x8xf32>, %o: memref<4x3xf32>", body)
    a = np.arange(64, dtype=np.float32).reshape(8, 8)
    outputs = np.zeros((4, 8, 8), np.float32), a, np.zeros((4, 3), np.float32)
    written, _, found = run(compile_one(text), *outputs, local=(4, 1, 1))
    for t in range(4):
        expected = np.zeros((8, 8), np.float32)
        expected[0:t:2, 1:8:3] = 2
        np.testing.assert_array_equal(written[t], expected)
        part = a[max(0, t - 2) : min(2 * t, 5), 1:8:2]
        values = [part.sum(), part.min(), part.max()] if part.size else [0, np.float32(2**31 - 1), np.nan]
        np.testing.assert_array_equal(found[t], values)


@pytest.mark.parametrize("basis", ["4, 4", "%c2, 4, 4", "2, %n, %n"])
def test_linear_indices(basis: str) -> None:
    """One index to three and back in another order transposes an array; the first size may be left out."""
    body = CONSTANTS + (
        f"%i = gpu.thread_id x\n%q:3 = affine.delinearize_index %i into ({basis}) : index, index, index\n"
        "%l = affine.linearize_index disjoint [%q#2, %q#1, %q#0] by (%n, 2) : index\n"
        "%v = memref.load %a[%i] : memref<32xi32>\nmemref.store %v, %b[%l] : memref<32xi32>"
    )
    text = kernel_text("%a: memref<32xi32>, %n: index, %b: memref<32xi32>", body, "")
    numbers = np.arange(32, dtype=np.int32)
    _, result = run(compile_one(text), numbers, 4, np.zeros_like(numbers), local=(32, 1, 1))
    np.testing.assert_array_equal(result, numbers.reshape(2, 4, 4).transpose(2, 1, 0).ravel())


@pytest.mark.parametrize(("number", "expected"), [(7, (0, 1, 3)), (-1, (-1, 3, 3)), (40, (2, 2, 0))])
def test_indices_of_the_first_dimension_are_not_bounded(number: int, expected: tuple[int, ...]) -> None:
    stores = "".join(f"memref.store %q#{n}, %o[%c{n}] : memref<3xindex>\n" for n in range(3))
    body = CONSTANTS + f"%q:3 = affine.delinearize_index %n into (4, 4) : index, index, index\n{stores}"
    text = kernel_text("%n: index, %o: memref<3xindex>", body, "")
    (result,) = run(compile_one(text), number, np.zeros(3, np.int64), local=(1, 1, 1))
    assert tuple(result.tolist()) == expected
