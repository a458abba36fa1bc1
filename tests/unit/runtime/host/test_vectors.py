"""Vectors of host code against numpy."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from runtime.host.data.failures import ProgramError
from runtime.host.data.values import Array
from tests.amounts import examples
from tests.unit.runtime.host.support import Program, function

V = np.arange(24, dtype=np.float32).reshape(4, 6)

MOVES: list[tuple[str, str, Array]] = [
    ("vector.transpose %v, [1, 0] : vector<4x6xf32> to vector<6x4xf32>", "vector<6x4xf32>", V.T),
    ("vector.shape_cast %v : vector<4x6xf32> to vector<3x8xf32>", "vector<3x8xf32>", V.reshape(3, 8)),
    ("vector.extract %v[2] : vector<6xf32> from vector<4x6xf32>", "vector<6xf32>", V[2]),
    (
        "vector.extract_strided_slice %v {offsets = [1, 2], sizes = [2, 3], strides = [1, 1]} : vector<4x6xf32> to "
        "vector<2x3xf32>",
        "vector<2x3xf32>",
        V[1:3, 2:5],
    ),
    ("vector.broadcast %row : vector<6xf32> to vector<2x6xf32>", "vector<2x6xf32>", np.stack([V[1]] * 2)),
    ("vector.broadcast %x : f32 to vector<3xf32>", "vector<3xf32>", np.full(3, 9, np.float32)),
    (
        "vector.shuffle %row, %row [5, 6, 0, 11] : vector<6xf32>, vector<6xf32>",
        "vector<4xf32>",
        np.concatenate([V[1], V[1]])[[5, 6, 0, 11]],
    ),
    ("vector.interleave %row, %row : vector<6xf32> -> vector<12xf32>", "vector<12xf32>", np.repeat(V[1], 2)),
    ("vector.insert %x, %row[4] : f32 into vector<6xf32>", "vector<6xf32>", np.array([6, 7, 8, 9, 9, 11], np.float32)),
    (
        "vector.insert_strided_slice %row, %v {offsets = [3, 0], strides = [1]} : vector<6xf32> into vector<4x6xf32>",
        "vector<4x6xf32>",
        np.vstack([V[:3], V[1:2]]),
    ),
    ("vector.from_elements %x, %x : vector<2xf32>", "vector<2xf32>", np.full(2, 9, np.float32)),
    ("vector.extract %v[%i] : vector<6xf32> from vector<4x6xf32>", "vector<6xf32>", V[3]),
]


@pytest.mark.parametrize(("text", "type", "expected"), MOVES)
def test_moves(text: str, type: str, expected: Array) -> None:
    program = function(
        f"""%c0 = arith.constant 0 : index
  %v = vector.load %a0[%c0, %c0] : memref<4x6xf32>, vector<4x6xf32>
  %row = vector.extract %v[1] : vector<6xf32> from vector<4x6xf32>
  %x = arith.constant 9.0 : f32
  %i = arith.constant 3 : index
  %r = {text}""",
        ["memref<4x6xf32>"],
        [type],
        "%r",
    )
    found = program(V.copy())
    assert isinstance(found, np.ndarray)
    assert np.array_equal(found, expected)


def test_elements_at_positions_that_are_not_there() -> None:
    program = function(
        "%v = arith.constant dense<[1.0, 2.0]> : vector<2xf32>\n%r = vector.extract %v[%a0] : f32 from vector<2xf32>",
        ["index"],
        ["f32"],
        "%r",
    )
    assert program(1) == 2.0
    with pytest.raises(ProgramError, match=r"'vector\.extract' op is out of bounds: position 2 in dimension 0"):
        program(2)


def test_reductions() -> None:
    program = function(
        """%c0 = arith.constant 0 : index
  %v = vector.load %a0[%c0, %c0] : memref<4x6xi16>, vector<4x6xi16>
  %z = arith.constant dense<100> : vector<6xi16>
  %s = vector.multi_reduction <add>, %v, %z [0] : vector<4x6xi16> to vector<6xi16>
  %i = arith.constant 5 : i16
  %m = vector.multi_reduction <maxsi>, %v, %i [0, 1] : vector<4x6xi16> to i16
  %t = vector.reduction <mul>, %s : vector<6xi16> into i16
  %u = vector.reduction <xor>, %s, %i : vector<6xi16> into i16""",
        ["memref<4x6xi16>"],
        ["vector<6xi16>", "i16", "i16", "i16"],
        "%s, %m, %t, %u",
    )
    source = np.random.default_rng(1).integers(-300, 300, (4, 6)).astype(np.int16)
    results = program(source)
    assert isinstance(results, tuple)
    sums = (100 + source.sum(0)).astype(np.int16)
    assert np.array_equal(np.asarray(results[0]), sums)
    product = int(np.prod([int(s) for s in sums], dtype=object)) & 0xFFFF
    assert results[1:] == (
        max(5, int(source.max())),
        product - (product >> 15 << 16),
        5 ^ int(np.bitwise_xor.reduce(sums)),
    )


@settings(max_examples=examples(30), derandomize=True, deadline=None)
@given(st.integers(0, 5), st.integers(0, 8))
def test_transfers_leave_out_what_there_is_not(row: int, column: int) -> None:
    source, target = np.arange(24, dtype=np.float32).reshape(4, 6), np.zeros((4, 6), np.float32)
    TRANSFERS(source, target, row, column)
    padded = np.full((8, 12), -1, np.float32)
    padded[:4, :6] = source
    block = padded[row : row + 2, column : column + 3]
    expected = np.zeros((8, 12), np.float32)
    expected[row : row + 2, column : column + 3] = block
    assert np.array_equal(target, expected[:4, :6])


TRANSFERS = function(
    """%p = arith.constant -1.0 : f32
  %v = vector.transfer_read %a0[%a2, %a3], %p : memref<4x6xf32>, vector<2x3xf32>
  vector.transfer_write %v, %a1[%a2, %a3] : vector<2x3xf32>, memref<4x6xf32>""",
    ["memref<4x6xf32>", "memref<4x6xf32>", "index", "index"],
)


def test_masks() -> None:
    program = function(
        """%c0 = arith.constant 0 : index
  %z = arith.constant dense<7> : vector<8xi32>
  %m = vector.create_mask %a2 : vector<8xi1>
  %v = vector.maskedload %a0[%c0], %m, %z : memref<5xi32>, vector<8xi1>, vector<8xi32> into vector<8xi32>
  vector.maskedstore %a1[%c0], %m, %v : memref<8xi32>, vector<8xi1>, vector<8xi32>""",
        ["memref<5xi32>", "memref<8xi32>", "index"],
    )
    source, target = np.arange(5, dtype=np.int32), np.full(8, -1, np.int32)
    program(source, target, 5)
    assert target.tolist() == [0, 1, 2, 3, 4, -1, -1, -1]
    with pytest.raises(ProgramError, match=r"'vector\.maskedload' op is out of bounds in element 5 of the vector"):
        program(source, target, 6)


def test_loads_beyond_the_end() -> None:
    program = function("%v = vector.load %a0[%a1] : memref<5xf32>, vector<4xf32>", ["memref<5xf32>", "index"])
    program(np.zeros(5, np.float32), 1)
    for start in (2, -1):
        with pytest.raises(ProgramError, match=r"'vector\.load' op is out of bounds: it reaches"):
            program(np.zeros(5, np.float32), start)


def test_arithmetic_on_narrow_types() -> None:
    program = function(
        """%c0 = arith.constant 0 : index
  %v = vector.load %a0[%c0] : memref<16xbf16>, vector<16xbf16>
  %w = arith.mulf %v, %v : vector<16xbf16>
  %t = arith.constant dense<3.0> : vector<16xbf16>
  %p = arith.cmpf ogt, %w, %t : vector<16xbf16>
  %s = arith.select %p, %w, %v : vector<16xi1>, vector<16xbf16>
  %f = arith.extf %s : vector<16xbf16> to vector<16xf32>""",
        ["memref<16xbf16>"],
        ["vector<16xf32>"],
        "%f",
    )
    source = np.linspace(-3, 3, 16).astype(ml_dtypes.bfloat16)
    squares = (source.astype(np.float32) ** 2).astype(ml_dtypes.bfloat16).astype(np.float32)
    expected = np.where(squares > 3, squares, source.astype(np.float32))
    assert np.array_equal(np.asarray(program(source)), expected)


def test_printing() -> None:
    program = Program("""
func.func @f() {
  %v = arith.constant dense<[[1.0, 2.5], [0.1, -1.0e+10]]> : vector<2x2xf32>
  %b = arith.constant dense<[true, false]> : vector<2xi1>
  %i = arith.constant -7 : i8
  vector.print %v : vector<2x2xf32>
  vector.print %b : vector<2xi1>
  vector.print %i : i8
  vector.print str "a text"
  vector.print punctuation <comma>
  vector.print %i : i8 punctuation <no_punctuation>
  return
}""")
    program()
    assert program.output == "( ( 1, 2.5 ), ( 0.1, -1e+10 ) )\n( 1, 0 )\n-7\na text, -7"


def test_values_that_nothing_depends_on() -> None:
    """Vectorizers leave poison as what is read beyond a buffer."""
    body = """%p = ub.poison : f32
        %v = ub.poison : vector<4xbf16>
        %c0 = arith.constant 0 : index
        %r = vector.transfer_read %a0[%c0], %p {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
        vector.store %r, %a1[%c0] : memref<4xf32>, vector<4xf32>"""
    values, result = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    function(body, ["memref<4xf32>"] * 2)(values, result)
    assert np.array_equal(result, values)
