"""Memory of host code: buffers, views, and what is checked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from runtime.host.data.binding import ArgumentError
from runtime.host.data.failures import ProgramError
from runtime.host.data.values import Array
from tests.amounts import examples
from tests.unit.runtime.host.support import Program, function
from xegpu.diagnostics import CompileError

TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i1": np.bool_, "i8": np.int8, "i64": np.int64}


@pytest.mark.parametrize("type", TYPES)
def test_elements_of_every_type(type: str) -> None:
    """Read from one array, written to another one, transposed."""
    program = function(
        f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a0, %c0 : memref<?x?x{type}>
  %n = memref.dim %a0, %c1 : memref<?x?x{type}>
  scf.for %i = %c0 to %m step %c1 {{
    scf.for %j = %c0 to %n step %c1 {{
      %v = memref.load %a0[%i, %j] : memref<?x?x{type}>
      memref.store %v, %a1[%j, %i] : memref<?x?x{type}>
    }}
  }}""",
        [f"memref<?x?x{type}>"] * 2,
    )
    source: Array = np.random.default_rng(0).integers(0, 2, (5, 7)).astype(TYPES[type])
    target: Array = np.zeros((7, 5), TYPES[type])
    program(source, target)
    assert np.array_equal(target, source.T)


def test_buffers_come_and_go() -> None:
    program = function(
        """
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%a0, %a1) {alignment = 256 : i64} : memref<?x3x?xi32>
  %p = memref.extract_aligned_pointer_as_index %m : memref<?x3x?xi32> -> index
  %c = arith.constant 256 : index
  %r = arith.remui %p, %c : index
  memref.store %a2, %m[%c0, %c0, %c0] : memref<?x3x?xi32>
  %v = memref.load %m[%c0, %c0, %c0] : memref<?x3x?xi32>
  memref.dealloc %m : memref<?x3x?xi32>""",
        ["index", "index", "i32"],
        ["index", "i32"],
        "%r, %v",
    )
    assert program(2, 5, 9) == (0, 9)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((-1, 1), "'memref.alloc' op has the size -1 in dimension 0"),
        ((2**40, 2**40), "'memref.alloc' op has more bytes than there are addresses"),
        ((2**20, 2**10), "'memref.alloc' op asks for 4294967296 bytes, 0 of 1000000 are in use"),
    ],
)
def test_buffers_that_there_cannot_be(sizes: tuple[int, int], message: str) -> None:
    text = "func.func @f(%a: index, %b: index) {\n%m = memref.alloc(%a, %b) : memref<?x?xf32>\nreturn\n}"
    with pytest.raises(ProgramError, match=rf"t\.mlir:2:6: error: {message}"):
        Program(text, memory_limit=1_000_000)(*sizes)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("memref.dealloc %m : memref<4xf32>\nmemref.dealloc %m : memref<4xf32>", "frees memory at"),
        ("memref.dealloc %a0 : memref<4xf32>", "which this program has not allocated or has freed already"),
    ],
)
def test_memory_is_given_back_once(body: str, message: str) -> None:
    program = function(f"%m = memref.alloc() : memref<4xf32>\n{body}", ["memref<4xf32>"])
    with pytest.raises(ProgramError, match=f"'memref.dealloc' op .*{message}"):
        program(np.zeros(4, np.float32))


STACK = """
func.func @f(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> i64 {
    %x = func.call @sum(%i) : (index) -> i64
    %t = arith.addi %s, %x : i64
    scf.yield %t : i64
  }
  return %r : i64
}
func.func @sum(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %small = memref.alloca() : memref<3xi64>
  %large = memref.alloca() : memref<10000xi64>
  %dynamic = memref.alloca(%n) : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i64
    memref.store %v, %dynamic[%i] : memref<?xi64>
    memref.store %v, %large[%i] : memref<10000xi64>
  }
  %z = arith.constant 0 : i64
  memref.store %z, %small[%c1] : memref<3xi64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %dynamic[%i] : memref<?xi64>
    %b = memref.load %large[%i] : memref<10000xi64>
    %s = memref.load %small[%c1] : memref<3xi64>
    %t = arith.addi %a, %b : i64
    %u = arith.addi %s, %t : i64
    memref.store %u, %small[%c1] : memref<3xi64>
  }
  %r = memref.load %small[%c1] : memref<3xi64>
  return %r : i64
}
"""


def test_memory_of_a_call() -> None:
    """Small buffers, large ones, and such of any size; what lies elsewhere is given back, also after a failure."""
    program = Program(STACK, memory_limit=200_000)
    assert program(50) == sum(n * (n - 1) for n in range(50))
    assert program(50) == sum(n * (n - 1) for n in range(50))
    with pytest.raises(ProgramError):
        program(10_000_000)
    assert program(3) == 2


BOXES = st.tuples(*[st.tuples(st.integers(-2, 6), st.integers(-1, 6), st.integers(-2, 3))] * 2)


@settings(max_examples=examples(80), derandomize=True, deadline=None)
@given(BOXES)
def test_parts_of_memory(box: tuple[tuple[int, int, int], ...]) -> None:
    """As numpy cuts them; those that reach outside are refused."""
    (o0, n0, s0), (o1, n1, s1) = box
    source = np.arange(24, dtype=np.int32).reshape(4, 6)
    inside = all(
        n == 0 or (n > 0 and min(o, o + (n - 1) * s) >= 0 and max(o, o + (n - 1) * s) < size)
        for (o, n, s), size in zip(box, source.shape, strict=True)
    )
    if not inside:
        with pytest.raises(ProgramError, match=r"'memref\.subview' op (is out of bounds|has the size)"):
            SUBVIEW(source, o0, o1, n0, n1, s0, s1)
        return
    rows, columns = (o0 + np.arange(n0) * s0, o1 + np.arange(n1) * s1)
    found = SUBVIEW(source, o0, o1, n0, n1, s0, s1)
    assert isinstance(found, np.ndarray)
    assert np.array_equal(found, source[np.ix_(rows, columns)])


_PART = "memref<?x?xi32, strided<[?, ?], offset: ?>>"
SUBVIEW = function(
    f"%r = memref.subview %a0[%a1, %a2] [%a3, %a4] [%a5, %a6] : memref<4x6xi32> to {_PART}",
    ["memref<4x6xi32>", *["index"] * 6],
    [_PART],
    "%r",
)


def result(body: str, type: str, result_type: str, source: Array) -> Array:
    found = function(f"%r = {body}", [type], [result_type], "%r")(source)
    assert isinstance(found, np.ndarray)
    return found


def test_other_views() -> None:
    m = np.arange(24, dtype=np.float32).reshape(4, 6)
    column = "memref<4xf32, strided<[6], offset: 2>>"
    cut = f"memref.subview %a0[0, 2] [4, 1] [1, 1] : memref<4x6xf32> to {column}"
    assert np.array_equal(result(cut, "memref<4x6xf32>", column, m), m[:, 2])
    turned = "memref<6x4xf32, strided<[1, 6]>>"
    text = f"memref.transpose %a0 (i, j) -> (j, i) : memref<4x6xf32> to {turned}"
    assert np.array_equal(result(text, "memref<4x6xf32>", turned, m), m.T)
    text = "memref.collapse_shape %a0 [[0, 1]] : memref<4x6xf32> into memref<24xf32>"
    assert np.array_equal(result(text, "memref<4x6xf32>", "memref<24xf32>", m), m.ravel())
    text = "memref.expand_shape %a0 [[0, 1], [2]] output_shape [2, 2, 6] : memref<4x6xf32> into memref<2x2x6xf32>"
    assert np.array_equal(result(text, "memref<4x6xf32>", "memref<2x2x6xf32>", m), m.reshape(2, 2, 6))
    shape = "memref<3x2xf32, strided<[8, 3], offset: 1>>"
    text = f"memref.reinterpret_cast %a0 to offset: [1], sizes: [3, 2], strides: [8, 3] : memref<4x6xf32> to {shape}"
    assert np.array_equal(result(text, "memref<4x6xf32>", shape, m), [[1, 4], [9, 12], [17, 20]])


@pytest.mark.parametrize(("offset", "size", "stride"), [(0, 5, 1), (3, 2, -4), (-1, 1, 1), (0, 10**9, 1), (4, 1, 0)])
def test_elements_outside_of_their_memory(offset: int, size: int, stride: int) -> None:
    program = function(
        f"""%m = memref.alloc() : memref<4xi32>
  %r = memref.reinterpret_cast %m to offset: [%a0], sizes: [%a1], strides: [%a2] : memref<4xi32> to {_LINE}
  %z = memref.reinterpret_cast %m to offset: [100], sizes: [0], strides: [1] : memref<4xi32> to {_NOTHING}
  memref.dealloc %m : memref<4xi32>""",
        ["index"] * 3,
    )
    program(3, 2, -3)
    program(3, 1, 100)
    with pytest.raises(ProgramError, match=r"t\.mlir:3:8: error: 'memref\.reinterpret_cast' op reaches bytes"):
        program(offset, size, stride)


_LINE = "memref<?xi32, strided<[?], offset: ?>>"
_NOTHING = "memref<0xi32, strided<[1], offset: 100>>"


def test_bytes_as_elements() -> None:
    program = function(
        "%r = memref.view %a0[%a1][%a2] : memref<64xi8> to memref<?x2xf32>",
        ["memref<64xi8>", "index", "index"],
        ["memref<?x2xf32>"],
        "%r",
    )
    data = np.arange(16, dtype=np.float32)
    found = program(data.view(np.int8), 8, 3)
    assert isinstance(found, np.ndarray)
    assert np.array_equal(found, data[2:8].reshape(3, 2))
    for shift, count in ((8, 8), (-4, 1), (65, 0), (0, 2**62)):
        with pytest.raises(ProgramError, match=r"'memref\.view' op"):
            program(data.view(np.int8), shift, count)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("memref.load %m[%a0, %c1] : memref<4x6xf32>", "is out of bounds: index 4 in dimension 0 of size 4"),
        ("memref.cast %d : memref<?x?xf32> to memref<3x?xf32>", "gives the size 4 in dimension 0, expected 3"),
        ("memref.cast %u : memref<*xf32> to memref<?xf32>", "has a memref of rank 2, expected 1"),
        ("memref.dim %m, %a0 : memref<4x6xf32>", "asks for dimension 4 of 2"),
        ("memref.dim %u, %a0 : memref<*xf32>", "asks for dimension 4 of 2"),
    ],
)
def test_what_there_is_not(text: str, message: str) -> None:
    program = function(
        f"""%c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4x6xf32>
  %d = memref.cast %m : memref<4x6xf32> to memref<?x?xf32>
  %u = memref.cast %m : memref<4x6xf32> to memref<*xf32>
  %r = {text}""",
        ["index"],
    )
    with pytest.raises(ProgramError, match=rf"t\.mlir:6:8: error: '{text.split()[0]}' op {message}"):
        program(4)


def test_copies_between_layouts() -> None:
    program = function(
        """
  %s = memref.subview %a0[1, 1] [2, 3] [1, 2] : memref<4x6xf32> to memref<2x3xf32, strided<[6, 2], offset: 7>>
  memref.copy %s, %a1 : memref<2x3xf32, strided<[6, 2], offset: 7>> to memref<2x3xf32>
  memref.copy %a1, %a2 : memref<2x3xf32> to memref<2x3xf32>""",
        ["memref<4x6xf32>", "memref<2x3xf32>", "memref<2x3xf32>"],
    )
    m, first, second = np.arange(24, dtype=np.float32).reshape(4, 6), *np.zeros((2, 2, 3), np.float32)
    program(m, first, second)
    assert np.array_equal(first, m[1:3, 1::2])
    assert np.array_equal(second, first)


RUNS = function(
    """%one = arith.constant 1 : i32
  scf.for %i = %a1 to %a2 step %a3 {
    %j = arith.addi %i, %a4 : index
    %k = arith.subi %i, %a4 : index
    memref.store %one, %a0[%j] : memref<?xi32>
    %even = arith.index_cast %i : index to i1
    scf.if %even {
      memref.store %one, %a0[%k] : memref<?xi32>
    }
  }""",
    ["memref<?xi32>", *["index"] * 4],
)


@settings(max_examples=examples(80), derandomize=True, deadline=None)
@given(st.integers(-3, 12), st.integers(-3, 12), st.integers(1, 3), st.integers(-2, 2))
def test_loops_end_where_they_leave_their_memory(start: int, end: int, step: int, distance: int) -> None:
    """All that comes before has been done; what is not executed does no harm."""
    found, expected = np.zeros(8, np.int32), np.zeros(8, np.int32)
    leaves = False
    for i in range(start, end, step):
        places = [i + distance, *([i - distance] if i % 2 else [])]
        for place in places:
            leaves = leaves or not 0 <= place < 8
            if not leaves:
                expected[place] = 1
    if leaves:
        with pytest.raises(ProgramError, match=r"'memref\.store' op is out of bounds"):
            RUNS(found, start, end, step, distance)
    else:
        RUNS(found, start, end, step, distance)
    assert np.array_equal(found, expected)


def test_buffers_of_another_size() -> None:
    program = function(
        """%c0 = arith.constant 0 : index
  %m = memref.alloc(%a1) : memref<?xi32>
  %c = bufferization.clone %a0 : memref<3x2xi32> to memref<3x2xi32>
  %f = memref.collapse_shape %c [[0, 1]] : memref<3x2xi32> into memref<6xi32>
  %t = memref.cast %f : memref<6xi32> to memref<?xi32>
  %r = memref.realloc %t(%a1) : memref<?xi32> to memref<?xi32>""",
        ["memref<3x2xi32>", "index"],
        ["memref<?xi32>"],
        "%r",
    )
    source = np.arange(6, dtype=np.int32).reshape(3, 2)
    for count in (4, 9):
        found = program(source, count)
        assert isinstance(found, np.ndarray)
        assert found.shape == (count,)
        assert np.array_equal(found[:6], np.arange(min(count, 6)))


def test_shapes_from_memory() -> None:
    program = function(
        "%r = memref.reshape %a0(%a1) : (memref<6xf32>, memref<2xi32>) -> memref<?x?xf32>",
        ["memref<6xf32>", "memref<2xi32>"],
        ["memref<?x?xf32>"],
        "%r",
    )
    found = program(np.arange(6, dtype=np.float32), np.array([3, 2], np.int32))
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [[0, 1], [2, 3], [4, 5]]
    with pytest.raises(ProgramError, match=r"'memref\.reshape' op makes 8 elements of 6"):
        program(np.arange(6, dtype=np.float32), np.array([4, 2], np.int32))


def test_scopes() -> None:
    program = function(
        """%r = memref.alloca_scope -> (i32) {
    %c0 = arith.constant 0 : index
    %m = memref.alloca() : memref<1xi32>
    memref.store %a0, %m[%c0] : memref<1xi32>
    %v = memref.load %m[%c0] : memref<1xi32>
    memref.alloca_scope.return %v : i32
  }""",
        ["i32"],
        ["i32"],
        "%r",
    )
    assert program(11) == 11


GLOBALS = """
memref.global "private" constant @table : memref<2x3xf16> = dense<[[1.5, 2.5, -0.0], [3.0, 4.0, 5.0]]>
memref.global @count : memref<i32> = dense<7>
memref.global @room : memref<1000000xi64> = uninitialized
func.func @f(%i: index, %j: index) -> (f16, i32) {
  %t = memref.get_global @table : memref<2x3xf16>
  %v = memref.load %t[%i, %j] : memref<2x3xf16>
  %c = memref.get_global @count : memref<i32>
  %n = memref.load %c[] : memref<i32>
  %one = arith.constant 1 : i32
  %m = arith.addi %n, %one : i32
  memref.store %m, %c[] : memref<i32>
  %r = memref.get_global @room : memref<1000000xi64>
  %x = memref.load %r[%i] : memref<1000000xi64>
  return %v, %n : f16, i32
}
"""


def test_globals_keep_their_values() -> None:
    program = Program(GLOBALS)
    assert program(0, 1) == (2.5, 7)
    assert program(1, 2) == (5.0, 8)


def test_atomic_updates() -> None:
    program = function(
        """
  %c0 = arith.constant 0 : index
  %x = memref.atomic_rmw addf %a1, %a0[%c0] : (f32, memref<1xf32>) -> f32
  %y = memref.atomic_rmw maximumf %a1, %a0[%c0] : (f32, memref<1xf32>) -> f32
  %z = memref.generic_atomic_rmw %a0[%c0] : memref<1xf32> {
  ^bb0(%old: f32):
    %new = arith.mulf %old, %old : f32
    memref.atomic_yield %new : f32
  }""",
        ["memref<1xf32>", "f32"],
        ["f32", "f32"],
        "%x, %y",
    )
    m = np.array([2.0], np.float32)
    assert program(m, 5.0) == (2.0, 7.0)
    assert m[0] == 49.0


@pytest.mark.parametrize(
    ("type", "value", "message"),
    [
        ("memref<4xf32>", np.zeros(5, np.float32), "size 5 in dimension 0, expected 4"),
        ("memref<?xf32>", np.zeros(5, np.float64), "element type float64, expected float32"),
        ("memref<?xf32>", np.zeros((2, 2), np.float32), "2 dimensions, expected 1"),
        ("memref<?xf32>", np.zeros(8, np.float32)[::2], r"stride 2 \(elements\) in dimension 0, expected 1"),
        ("memref<?xf32>", 1.0, r"expected an array for memref<\?xf32>, got float 1.0"),
        ("f32", np.zeros(1), "expected f32, got a float64 array of shape"),
        ("memref<?xf32>", np.frombuffer(bytes(8), np.float32), "expected an array that can be written"),
    ],
)
def test_arrays_that_do_not_fit(type: str, value: Array, message: str) -> None:
    with pytest.raises(ArgumentError, match=f"argument 'a0': .*{message}"):
        function("", [type])(value)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%m = memref.alloc() : memref<4xcomplex<f32>>",
            "cannot be compiled: memory with elements of type complex<f32>",
        ),
        ("%m = memref.alloc() : memref<4xi7>", "memory with elements of type i7 is not supported in host code"),
        ("%t = tensor.empty() : tensor<4xf32>", "tensor<4xf32> is not a buffer: bufferize the program first"),
        ("func.call @h() : () -> ()", "calls 'h', which is declared only, and which the runtime does not have"),
    ],
)
def test_what_is_refused_before_it_runs(body: str, message: str) -> None:
    text = f"func.func private @h()\nfunc.func @f(%a0: memref<4xf32>) {{\n{body}\nreturn\n}}"
    with pytest.raises(CompileError) as caught:
        Program(text)
    assert message in str(caught.value)
    assert str(caught.value).startswith("t.mlir:3:")


UNINITIALIZED = "memref.global @g : memref<4x4x{}> = uninitialized"
FRESH = {
    "heap": "%m = memref.alloc() : memref<4x4x{}>",
    "stack": "%m = memref.alloca() : memref<4x4x{}>",
    "global": "%m = memref.get_global @g : memref<4x4x{}>",
    "grown": "%o = memref.alloc() : memref<1x{0}>\n%r = memref.realloc %o : memref<1x{0}> to memref<16x{0}>\n"
    "%m = memref.expand_shape %r [[0, 1]] output_shape [4, 4] : memref<16x{0}> into memref<4x4x{0}>",
}


@pytest.mark.parametrize("memory", FRESH)
@pytest.mark.parametrize("type", ["f16", "f32", "f64", "i8"])
def test_fresh_memory_is_zero(memory: str, type: str) -> None:
    buffer = f"memref<4x4x{type}>"
    copied = f"\n%q = memref.alloc() : {buffer}\nmemref.copy %m, %q : {buffer} to {buffer}"
    result = function(FRESH[memory].format(type) + copied, [], [buffer], "%q", [UNINITIALIZED.format(type)])()
    assert isinstance(result, np.ndarray)
    assert not result.any()


_VECTOR = "%v = vector.load %m[%i, %i] : memref<4x4xf32>, vector<2x2xf32>"


@pytest.mark.parametrize("memory", FRESH)
@pytest.mark.parametrize(
    ("read", "op"),
    [
        ("%v = memref.load %m[%i, %i] : memref<4x4xf32>", "memref.load"),
        ("%v = affine.load %m[%i, %i] : memref<4x4xf32>", "affine.load"),
        (_VECTOR, "vector.load"),
        ("%v = vector.load %m[%i, %i] : memref<4x4xf32>, vector<2xf32>", "vector.load"),
        ("%v = memref.atomic_rmw addf %x, %m[%i, %i] : (f32, memref<4x4xf32>) -> f32", "memref.atomic_rmw"),
        ("linalg.exp ins(%m : memref<4x4xf32>) outs(%m : memref<4x4xf32>)", "linalg.exp"),
    ],
)
def test_reads_of_unwritten_memory_are_found_where_they_are(memory: str, read: str, op: str) -> None:
    head = "%x = arith.constant 1.0 : f32\n%i = arith.constant 2 : index"
    text = (
        f"{UNINITIALIZED.format('f32')}\nfunc.func @f() {{\n{head}\n{FRESH[memory].format('f32')}\n{read}\nreturn\n}}"
    )
    Program(text)()
    with pytest.raises(ProgramError, match=f"error: '{op}' op reads memory that nothing has written") as error:
        Program(text, finds_unwritten=True)()
    assert error.value.diagnostic.location is not None
    written = f"linalg.fill ins(%x : f32) outs(%m : memref<4x4xf32>)\n{read}"
    Program(text.replace(read, written), finds_unwritten=True)()


def test_copies_carry_along_what_was_not_written() -> None:
    """Rows 1 to 4 of the copy are rows 0 to 3 of memory of which row 2 was written."""
    program = Program(
        """
        func.func @f(%i: index) -> i32 {
          %x = arith.constant 1 : i32
          %c2 = arith.constant 2 : index
          %m = memref.alloc() : memref<4x7xi32>
          %r = memref.subview %m[2, 0] [1, 7] [1, 1] : memref<4x7xi32> to memref<7xi32, strided<[1], offset: 14>>
          linalg.fill ins(%x : i32) outs(%r : memref<7xi32, strided<[1], offset: 14>>)
          %n = memref.alloc() : memref<5x7xi32>
          %s = memref.subview %n[1, 0] [4, 7] [1, 1] : memref<5x7xi32> to memref<4x7xi32, strided<[7, 1], offset: 7>>
          memref.copy %m, %s : memref<4x7xi32> to memref<4x7xi32, strided<[7, 1], offset: 7>>
          %c = memref.collapse_shape %n [[0, 1]] : memref<5x7xi32> into memref<35xi32>
          %v = memref.load %c[%i] : memref<35xi32>
          return %v : i32
        }
        """,
        finds_unwritten=True,
    )
    assert [program(index) for index in (21, 27)] == [1, 1]
    for index in (0, 20, 28, 34):
        with pytest.raises(ProgramError, match=r"'memref\.load' op reads memory that nothing has written"):
            program(index)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("call @printMemrefF32(%u) : (memref<*xf32>) -> ()", r"calls 'printMemrefF32', which reads element \[1, 3\]"),
        ("call @printAllcloseF32(%w, %u) : (memref<*xf32>, memref<*xf32>) -> ()", "of argument 1: nothing has written"),
        ("call @fillResource1DF32(%u, %x) : (memref<*xf32>, f32) -> ()", None),
        ("call @printMemrefShapeF32(%u) : (memref<*xf32>) -> ()", None),
    ],
)
def test_functions_of_the_library_read_what_was_written(call: str, message: str | None) -> None:
    text = f"""
        func.func private @printMemrefF32(memref<*xf32>)
        func.func private @printMemrefShapeF32(memref<*xf32>)
        func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>)
        func.func private @fillResource1DF32(memref<*xf32>, f32)
        func.func @f() {{
          %x = arith.constant 1.0 : f32
          %m = memref.alloc() : memref<4x4xf32>
          %n = memref.alloc() : memref<4x4xf32>
          linalg.fill ins(%x : f32) outs(%n : memref<4x4xf32>)
          %s = memref.subview %m[0, 0] [4, 3] [1, 1] : memref<4x4xf32> to memref<4x3xf32, strided<[4, 1]>>
          linalg.fill ins(%x : f32) outs(%s : memref<4x3xf32, strided<[4, 1]>>)
          %i = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4xf32>
          linalg.fill ins(%x : f32) outs(%i : memref<4xf32>)
          %u = memref.cast %m : memref<4x4xf32> to memref<*xf32>
          %w = memref.cast %n : memref<4x4xf32> to memref<*xf32>
          {call}
          return
        }}
        """
    if message is None:
        Program(text, finds_unwritten=True)()
    else:
        with pytest.raises(ProgramError, match=f"'func.call' op .*{message}"):
            Program(text, finds_unwritten=True)()
