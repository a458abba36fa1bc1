"""Loops, branches and blocks: what is carried around and what is chosen."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import Array, compile_one, kernel_text, run

SUBGROUP = "VectorComputeFunctionINTEL"
MODES = [SUBGROUP, ""]


def integers(body: str, *values: int, arguments: str = "", count: int = 4, mode: str = SUBGROUP) -> list[int]:
    """`%m`, a buffer of `count` zeros, after a kernel."""
    text = kernel_text(f"%m: memref<{count}xi64>{arguments}", f"{INDEXES}{body}", mode)
    result = run(compile_one(text), np.zeros(count, np.int64), *values, local=(1, 1, 1))[0]
    return [int(value) for value in result]


INDEXES = "".join(f"%c{i} = arith.constant {i} : index\n%k{i} = arith.constant {i} : i64\n" for i in range(6))


def store(value: str, place: int) -> str:
    return f"memref.store {value}, %m[%c{place}] : memref<4xi64>\n"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("trips", [0, 1, 2, 7])
def test_sum_of_a_loop(trips: int, mode: str) -> None:
    body = (
        "%s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %k5) -> (i64) {\n"
        "%j = arith.index_cast %i : index to i64\n%b = arith.addi %a, %j : i64\nscf.yield %b : i64\n}\n"
    )
    result = integers(body + store("%s", 0), trips, arguments=", %n: index", mode=mode)
    assert result[0] == 5 + sum(range(trips))


@pytest.mark.parametrize(("first", "last", "step"), [(2, 11, 3), (-4, 5, 2), (5, 5, 1), (7, 2, 1), (0, 10, 100)])
def test_bounds_and_steps(first: int, last: int, step: int) -> None:
    body = (
        "%s = scf.for %i = %a to %b step %t iter_args(%x = %k0) -> (i64) {\n%j = arith.index_cast %i : index to i64\n"
        "%y = arith.muli %x, %k3 : i64\n%z = arith.addi %y, %j : i64\nscf.yield %z : i64\n}\n"
    )
    result = integers(body + store("%s", 0), first, last, step, arguments=", %a: index, %b: index, %t: index")
    expected = 0
    for i in range(first, last, step):
        expected = 3 * expected + i
    assert result[0] == expected


@pytest.mark.parametrize("trips", range(5))
def test_rotation_of_carried_values(trips: int) -> None:
    """Each carried value takes the place of the next: all are read before any is written."""
    body = (
        "%r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %k1, %y = %k2, %z = %k3) -> (i64, i64, i64) {\n"
        "scf.yield %y, %z, %x : i64, i64, i64\n}\n"
    )
    stores = "".join(store(f"%r#{i}", i) for i in range(3))
    result = integers(body + stores, trips, arguments=", %n: index")
    assert result[:3] == np.roll([1, 2, 3], -trips).tolist()


def test_duplicated_and_unused_carried_values() -> None:
    body = (
        "%r:4 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %k1, %y = %k1, %z = %k4, %w = %k5)"
        " -> (i64, i64, i64, i64) {\n%s = arith.addi %x, %y : i64\nscf.yield %s, %s, %x, %k2 : i64, i64, i64, i64\n}\n"
    )
    assert integers(body + "".join(store(f"%r#{i}", i) for i in range(4))) == [8, 8, 4, 2]


def test_fibonacci_in_a_nest() -> None:
    body = (
        "%r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %k0, %b = %k1) -> (i64, i64) {\n"
        "%q:2 = scf.for %j = %c0 to %c4 step %c1 iter_args(%c = %a, %d = %b) -> (i64, i64) {\n"
        "%s = arith.addi %c, %d : i64\nscf.yield %d, %s : i64, i64\n}\n"
        "scf.yield %q#0, %q#1 : i64, i64\n}\n"
    )
    assert integers(body + store("%r#0", 0) + store("%r#1", 1))[:2] == [144, 233]


def vectors(body: str, count: int, *values: int, arguments: str = "") -> Array:
    """A stored vector `%v` of `count` f32; `%x` holds 0, 1, 2, ..."""
    desc, type = f"!xegpu.tensor_desc<{count}xf32>", f"vector<{count}xf32>"
    text = kernel_text(
        f"%m: memref<{count}xf32>{arguments}",
        f"{INDEXES}%t = xegpu.create_nd_tdesc %m[0] : memref<{count}xf32> -> {desc}\n"
        f"%x = xegpu.load_nd %t : {desc} -> {type}\n{body}\nxegpu.store_nd %v, %t : {type}, {desc}",
    )
    return run(compile_one(text), np.arange(count, dtype=np.float32), *values)[0]


@pytest.mark.parametrize("count", [5, 40, 300])
@pytest.mark.parametrize("trips", [0, 1, 3])
def test_swap_of_vectors_in_a_loop(trips: int, count: int) -> None:
    body = (
        f"%z = arith.constant dense<100.0> : vector<{count}xf32>\n"
        f"%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %z)"
        f" -> (vector<{count}xf32>, vector<{count}xf32>) {{\n%s = arith.addf %a, %b : vector<{count}xf32>\n"
        f"scf.yield %b, %s : vector<{count}xf32>, vector<{count}xf32>\n}}\n"
        f"%v = arith.subf %r#0, %r#1 : vector<{count}xf32>"
    )
    a, b = np.arange(count, dtype=np.float32), np.full(count, 100, np.float32)
    for _ in range(trips):
        a, b = b, a + b
    np.testing.assert_array_equal(vectors(body, count, trips, arguments=", %n: index"), a - b)


@pytest.mark.parametrize("trips", [1, 2, 5])
def test_swap_of_descriptors_in_a_loop(trips: int) -> None:
    """One descriptor reads while the other writes, and they change places."""
    desc, type = "!xegpu.tensor_desc<8x16xf32>", "vector<8x16xf32>"
    text = kernel_text(
        "%a: memref<8x16xf32>, %b: memref<8x16xf32>, %n: index",
        f"{INDEXES}%ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x16xf32> -> {desc}\n"
        f"%tb = xegpu.create_nd_tdesc %b[0, 0] : memref<8x16xf32> -> {desc}\n"
        f"%one = arith.constant dense<1.0> : {type}\n"
        f"%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %ta, %d = %tb) -> ({desc}, {desc}) {{\n"
        f"%v = xegpu.load_nd %s : {desc} -> {type}\n%w = arith.addf %v, %one : {type}\n"
        f"xegpu.store_nd %w, %d : {type}, {desc}\nscf.yield %d, %s : {desc}, {desc}\n}}",
    )
    after = run(compile_one(text), np.zeros((8, 16), np.float32), np.full((8, 16), 50, np.float32), trips)
    expected = [np.zeros((8, 16)), np.full((8, 16), 50.0)]
    for _ in range(trips):
        expected = [expected[1], expected[0]]
        expected[0] = expected[1] + 1
    if trips % 2:
        expected.reverse()
    np.testing.assert_array_equal(after[0], expected[0])
    np.testing.assert_array_equal(after[1], expected[1])


def test_descriptors_of_different_surfaces_meet() -> None:
    """One surface can be served by block-2D messages, the other cannot: the access chooses as it runs."""
    desc, type = "!xegpu.tensor_desc<4x8xf16>", "vector<4x8xf16>"
    text = kernel_text(
        "%a: memref<8x64xf16>, %b: memref<8x9xf16>, %o: memref<4x32xf16>, %n: index, %p: i1",
        f"{INDEXES}%ta = xegpu.create_nd_tdesc %a[1, 2] : memref<8x64xf16> -> {desc}\n"
        f"%tb = xegpu.create_nd_tdesc %b[1, 2] : memref<8x9xf16> -> {desc}\n"
        f"%t = scf.if %p -> ({desc}) {{\nscf.yield %ta : {desc}\n}} else {{\nscf.yield %tb : {desc}\n}}\n"
        f"%v = xegpu.load_nd %t : {desc} -> {type}\n"
        f"%to = xegpu.create_nd_tdesc %o[0, 0] : memref<4x32xf16> -> {desc}\nxegpu.store_nd %v, %to : {type}, {desc}",
    )
    kernel = compile_one(text)
    a = np.arange(512, dtype=np.float16).reshape(8, 64)
    b = -np.arange(72, dtype=np.float16).reshape(8, 9)
    for chosen, wanted in ((1, a[1:5, 2:10]), (0, np.pad(b[1:5, 2:9], ((0, 0), (0, 1))))):
        after = run(kernel, a, b, np.zeros((4, 32), np.float16), 0, chosen)
        np.testing.assert_array_equal(after[2][:, :8], wanted)


def test_memrefs_that_meet() -> None:
    text = kernel_text(
        "%a: memref<?xi32>, %b: memref<?xi32>, %p: i1",
        f"{INDEXES}%m = scf.if %p -> (memref<?xi32>) {{\nscf.yield %a : memref<?xi32>\n}} else {{\n"
        "scf.yield %b : memref<?xi32>\n}\n%n = memref.dim %m, %c0 : memref<?xi32>\n"
        "%i = arith.index_cast %n : index to i32\nmemref.store %i, %m[%c1] : memref<?xi32>",
    )
    kernel, zeros = compile_one(text), np.zeros(5, np.int32)
    assert run(kernel, zeros, 5, zeros, 3, 1)[0].tolist() == [0, 5, 0, 0, 0]
    assert run(kernel, zeros, 5, zeros, 3, 0)[1].tolist() == [0, 3, 0, 0, 0]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("condition", [0, 1])
def test_branch_with_results(condition: int, mode: str) -> None:
    body = (
        "%r:2 = scf.if %p -> (i64, i64) {\nscf.yield %k1, %k2 : i64, i64\n} else {\n"
        "%s = arith.addi %k3, %k4 : i64\nscf.yield %s, %k1 : i64, i64\n}\n"
    )
    result = integers(body + store("%r#0", 0) + store("%r#1", 1), condition, arguments=", %p: i1", mode=mode)
    assert result[:2] == ([1, 2] if condition else [7, 1])


@pytest.mark.parametrize("condition", [0, 1])
def test_branch_without_else(condition: int) -> None:
    body = f"scf.if %p {{\n{store('%k4', 2)}}}\n{store('%k1', 0)}"
    assert integers(body, condition, arguments=", %p: i1") == [1, 0, 4 * condition, 0]


@pytest.mark.parametrize("known", ["true", "false"])
def test_branch_on_a_constant(known: str) -> None:
    body = f"%p = arith.constant {known}\nscf.if %p {{\n{store('%k4', 2)}}} else {{\n{store('%k5', 3)}}}\n"
    assert integers(body) == ([0, 0, 4, 0] if known == "true" else [0, 0, 0, 5])


@pytest.mark.parametrize("value", range(4))
def test_blocks_with_arguments(value: int) -> None:
    """Collatz steps in plain blocks; the loop is entered with different arguments from two places."""
    body = (
        "%start = arith.cmpi slt, %n, %k2 : i64\ncf.cond_br %start, ^small(%k5 : i64), ^loop(%n, %k0 : i64, i64)\n"
        "^small(%s: i64):\ncf.br ^loop(%s, %k1 : i64, i64)\n"
        "^loop(%x: i64, %count: i64):\n%done = arith.cmpi sle, %x, %k1 : i64\n"
        "cf.cond_br %done, ^exit(%count : i64), ^step\n"
        "^step:\n%bit = arith.andi %x, %k1 : i64\n%odd = arith.cmpi eq, %bit, %k1 : i64\n"
        "%half = arith.shrui %x, %k1 : i64\n%t = arith.muli %x, %k3 : i64\n%u = arith.addi %t, %k1 : i64\n"
        "%y = arith.select %odd, %u, %half : i64\n%next = arith.addi %count, %k1 : i64\n"
        "cf.br ^loop(%y, %next : i64, i64)\n^exit(%r: i64):\n"
    )
    x, count = (5, 1) if value < 2 else (value, 0)
    while x > 1:
        x, count = 3 * x + 1 if x % 2 else x // 2, count + 1
    assert integers(body + store("%r", 0), value, arguments=", %n: i64")[0] == count


def test_condition_of_a_uniform_value_in_work_items() -> None:
    """All lanes take the same way; they write what they hold."""
    text = kernel_text(
        "%m: memref<40xi32>, %n: i32",
        "%c3 = arith.constant 3 : i32\n%i = gpu.global_id x\n%x = arith.index_cast %i : index to i32\n"
        "%p = arith.cmpi slt, %n, %c3 : i32\n"
        "%r = scf.if %p -> (i32) {\nscf.yield %x : i32\n} else {\nscf.yield %n : i32\n}\n"
        "memref.store %r, %m[%i] : memref<40xi32>",
        "",
    )
    kernel = compile_one(text)
    assert run(kernel, np.zeros(40, np.int32), 1, local=(40, 1, 1))[0].tolist() == [*range(40)]
    assert run(kernel, np.zeros(40, np.int32), 9, local=(40, 1, 1))[0].tolist() == [9] * 40


def test_loop_of_divergent_values() -> None:
    """The number of trips is uniform, what is carried is not; one carried value starts uniform."""
    text = kernel_text(
        "%m: memref<40xi32>, %n: index",
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%k = arith.constant 2 : i32\n"
        "%i = gpu.global_id x\n%x = arith.index_cast %i : index to i32\n"
        "%r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%a = %k, %b = %x) -> (i32, i32) {\n"
        "%s = arith.addi %a, %b : i32\nscf.yield %b, %s : i32, i32\n}\nmemref.store %r#1, %m[%i] : memref<40xi32>",
        "",
    )
    a, b = np.full(40, 2), np.arange(40)
    for _ in range(5):
        a, b = b, a + b
    assert run(compile_one(text), np.zeros(40, np.int32), 5, local=(40, 1, 1))[0].tolist() == b.tolist()


def test_unreachable_blocks_are_left_out() -> None:
    body = f"cf.br ^end\n^nowhere:\n{store('%k5', 0)}cf.br ^end\n^end:\n{store('%k1', 1)}"
    assert integers(body) == [0, 1, 0, 0]


def counting(number: int, sign: str, bounds: tuple[str, str, str], type: str) -> str:
    """A loop that counts its iterations, and stores the count."""
    lower, upper, step = bounds
    return f"""
    %n{number} = scf.for {sign} %i = {lower} to {upper} step {step} iter_args(%x = %k0) -> (i64) : {type} {{
      %y = arith.addi %x, %k1 : i64
      scf.yield %y : i64
    }}
    %i{number} = arith.constant {number} : index
    memref.store %n{number}, %m[%i{number}] : memref<7xi64>
    """


LIMITS = [(0, 255, 100), (0, 255, 127), (250, 255, 3), (254, 255, 127), (0, 1, 127), (5, 5, 100), (6, 5, 100)]
"""Bounds and steps of 8 bits, counted from the least number of the type."""


def limits(sign: str, bits: int) -> list[tuple[int, int, int]]:
    """The bounds and steps, with their bytes repeated, as numbers of a type."""
    least = 0 if sign else -(1 << bits - 1)
    repeated = int("01" * (bits // 8), 16)
    return [(a * repeated + least, b * repeated + least, step * repeated) for a, b, step in LIMITS]


@pytest.mark.parametrize("sign", ["", "unsigned"])
@pytest.mark.parametrize("bits", [8, 64])
def test_known_counters_end_where_their_type_ends(sign: str, bits: int) -> None:
    """The number behind the last one may not fit the type. `scf.for` counts numbers less than its bound."""
    body = ""
    for number, case in enumerate(limits(sign, bits)):
        names = (f"%a{number}", f"%b{number}", f"%t{number}")
        for name, value in zip(names, case, strict=True):
            signed = value - (1 << bits) if value >> bits - 1 == 1 else value
            body += f"{name} = arith.constant {signed} : i{bits}\n"
        body += counting(number, sign, names, f"i{bits}")
    assert integers(body, count=7) == [len(range(*case)) for case in limits(sign, bits)]


@pytest.mark.parametrize("sign", ["", "unsigned"])
@pytest.mark.parametrize("type", ["i8", "i16", "i32", "index"])
def test_unknown_counters_end_where_their_type_ends(sign: str, type: str) -> None:
    body = INDEXES + counting(0, sign, ("%a", "%b", "%t"), type)
    kernel = compile_one(kernel_text(f"%m: memref<7xi64>, %a: {type}, %b: {type}, %t: {type}", body))
    for case in limits(sign, 64 if type == "index" else int(type[1:])):
        (result,) = run(kernel, np.zeros(7, np.int64), *case, local=(1, 1, 1))
        assert result[0] == len(range(*case))


def test_while_without_operands() -> None:
    body = """
    scf.while : () -> () {
      %v = memref.load %m[%c0] : memref<4xi64>
      %more = arith.cmpi slt, %v, %k5 : i64
      scf.condition(%more)
    } do {
      %v = memref.load %m[%c0] : memref<4xi64>
      %w = arith.addi %v, %k2 : i64
      memref.store %w, %m[%c0] : memref<4xi64>
      scf.yield
    }
    """
    assert integers(body) == [6, 0, 0, 0]


@pytest.mark.parametrize("mode", MODES)
def test_while_with_other_results_than_operands(mode: str) -> None:
    body = """
    %x, %n = scf.while (%i = %k1) : (i64) -> (f32, i64) {
      %more = arith.cmpi slt, %i, %k5 : i64
      %f = arith.sitofp %i : i64 to f32
      %half = arith.constant 0.5 : f32
      %g = arith.mulf %f, %half : f32
      %j = arith.muli %i, %i : i64
      scf.condition(%more) %g, %j : f32, i64
    } do {
    ^bb0(%f: f32, %j: i64):
      %d = arith.addf %f, %f : f32
      %k = arith.fptosi %d : f32 to i64
      %l = arith.addi %k, %k1 : i64
      scf.yield %l : i64
    }
    %y = arith.constant 4.0 : f32
    %s = arith.mulf %x, %y : f32
    %t = arith.fptosi %s : f32 to i64
    """
    assert integers(body + store("%t", 0) + store("%n", 1), mode=mode) == [10, 25, 0, 0]
