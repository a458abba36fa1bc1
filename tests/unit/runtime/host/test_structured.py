"""Host code with affine maps: `affine` and `linalg`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from runtime.host.data.failures import ProgramError
from runtime.host.data.values import Array
from tests.unit.runtime.host.support import function
from xegpu.diagnostics import CompileError

RNG = np.random.default_rng(0)


def test_affine_loops() -> None:
    program = function(
        """affine.for %i = max affine_map<(d0) -> (d0, 1)>(%a1) to min affine_map<(d0) -> (d0 + 3, 6)>(%a1) {
    affine.for %j = 0 to 6 step 2 {
      %v = affine.load %a0[%i mod 2, (%j + 1) floordiv 2] : memref<6x6xf32>
      affine.store %v, %a0[%i, 5 - %j] : memref<6x6xf32>
    }
  }""",
        ["memref<6x6xf32>", "index"],
    )
    for start in (-1, 0, 2, 4):
        found = RNG.random((6, 6), np.float32)
        expected = found.copy()
        for i in range(max(start, 1), min(start + 3, 6)):
            for j in range(0, 6, 2):
                expected[i, 5 - j] = expected[i % 2, (j + 1) // 2]
        program(found, start)
        assert np.array_equal(found, expected)


def test_affine_values() -> None:
    program = function(
        """%q = affine.apply affine_map<(d0)[s0] -> ((d0 ceildiv 4) * 3 + s0 - d0 mod 5)>(%a0)[%a1]
  %z = arith.constant 0 : index
  %r = affine.for %i = 0 to 4 iter_args(%s = %z) -> (index) {
    %t = arith.addi %s, %a1 : index
    affine.yield %t : index
  }""",
        ["index", "index"],
        ["index", "index"],
        "%q, %r",
    )
    for a, b in ((17, 3), (-17, 100), (0, 0)):
        assert program(a, b) == (-(-a // 4) * 3 + b - a % 5, 4 * b)


def test_affine_accesses_are_checked() -> None:
    program = function(
        "%v = affine.load %a0[%a1 + 2] : memref<4xf32>\naffine.store %v, %a0[0] : memref<4xf32>",
        ["memref<4xf32>", "index"],
    )
    program(np.zeros(4, np.float32), 1)
    with pytest.raises(ProgramError, match=r"'affine\.load' op is out of bounds: index 4 in dimension 0 of size 4"):
        program(np.zeros(4, np.float32), 2)


MATRIX = "memref<?x?xf32>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"linalg.add ins(%a0, %a1 : {MATRIX}, {MATRIX}) outs(%a2 : {MATRIX})", lambda a, b, c: a + b),
        (f"linalg.matmul ins(%a0, %a1 : {MATRIX}, {MATRIX}) outs(%a2 : {MATRIX})", lambda a, b, c: c + a @ b),
        (f"linalg.copy ins(%a0 : {MATRIX}) outs(%a2 : {MATRIX})", lambda a, b, c: a),
        (f"linalg.transpose ins(%a0 : {MATRIX}) outs(%a2 : {MATRIX}) permutation = [1, 0]", lambda a, b, c: a.T),
        (f"%x = arith.constant 2.5 : f32\nlinalg.fill ins(%x : f32) outs(%a2 : {MATRIX})", lambda a, b, c: 0 * c + 2.5),
        (
            "linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], "
            f'iterator_types = ["parallel", "parallel"]}} ins(%a0 : {MATRIX}) outs(%a2 : {MATRIX}) {{\n'
            "^bb0(%x: f32, %y: f32):\n%n = linalg.index 1 : index\n%k = arith.index_cast %n : index to i32\n"
            "%f = arith.sitofp %k : i32 to f32\n%s = arith.addf %x, %f : f32\nlinalg.yield %s : f32\n}",
            lambda a, b, c: a.T + np.arange(5, dtype=np.float32),
        ),
    ],
)
def test_structured_operations(text: str, expected: Callable[[Array, Array, Array], Array]) -> None:
    a, b, c = RNG.random((3, 5, 5), np.float32)
    wanted = expected(a, b, c.copy())
    function(text, [MATRIX] * 3)(a, b, c)
    assert np.abs(c.astype(np.float64) - wanted).max() < 1e-6


def test_shapes_that_do_not_fit() -> None:
    program = function(f"linalg.matmul ins(%a0, %a1 : {MATRIX}, {MATRIX}) outs(%a2 : {MATRIX})", [MATRIX] * 3)
    matrices: list[Array] = [np.zeros(shape, np.float32) for shape in ((3, 4), (5, 2), (3, 2))]
    with pytest.raises(
        ProgramError, match=r"'linalg\.matmul' op has operands that disagree on loop 2: 4 and 5 iterations"
    ):
        program(*matrices)


def test_divisions_by_what_is_no_positive_constant() -> None:
    with pytest.raises(CompileError, match=r"'affine\.apply' op divides by a number that is not a positive constant"):
        function("%q = affine.apply affine_map<(d0) -> (d0 mod -3)>(%a0)", ["index"])


def _dynamic(rank: int, element: str) -> str:
    return f"memref<{'?x' * rank}{element}>"


@pytest.mark.parametrize(
    ("name", "shapes", "subscripts"),
    [
        ("matmul", [(4, 5), (5, 6), (4, 6)], "ik,kj->ij"),
        ("matmul_transpose_a", [(5, 4), (5, 6), (4, 6)], "ki,kj->ij"),
        ("matmul_transpose_b", [(4, 5), (6, 5), (4, 6)], "ik,jk->ij"),
        ("batch_matmul", [(2, 4, 5), (2, 5, 6), (2, 4, 6)], "bik,bkj->bij"),
        ("batch_matmul_transpose_a", [(2, 5, 4), (2, 5, 6), (2, 4, 6)], "bki,bkj->bij"),
        ("batch_matmul_transpose_b", [(2, 4, 5), (2, 6, 5), (2, 4, 6)], "bik,bjk->bij"),
        ("batch_reduce_matmul", [(2, 4, 5), (2, 5, 6), (4, 6)], "bik,bkj->ij"),
        ("matvec", [(4, 5), (5,), (4,)], "ik,k->i"),
        ("vecmat", [(5,), (5, 6), (6,)], "k,kj->j"),
        ("batch_matvec", [(2, 4, 5), (2, 5), (2, 4)], "bik,bk->bi"),
        ("dot", [(5,), (5,), ()], "k,k->"),
    ],
)
@pytest.mark.parametrize(
    ("elements", "dtypes"),
    [
        (("f16", "f16", "f32"), (np.float16, np.float16, np.float32)),
        (("i8", "i16", "i32"), (np.int8, np.int16, np.int32)),
        (("i8", "f64", "f32"), (np.int8, np.float64, np.float32)),
    ],
)
def test_products_of_mixed_types(
    name: str, shapes: list[tuple[int, ...]], subscripts: str, elements: tuple[str, ...], dtypes: tuple[type, ...]
) -> None:
    """Small whole numbers: sums are exact, also in f32."""
    types = [_dynamic(len(shape), element) for shape, element in zip(shapes, elements, strict=True)]
    program = function(f"linalg.{name} ins(%a0, %a1 : {types[0]}, {types[1]}) outs(%a2 : {types[2]})", types)
    operands: list[Array] = [
        RNG.integers(-9, 10, shape).astype(dtype) for shape, dtype in zip(shapes, dtypes, strict=True)
    ]
    a, b, c = operands
    expected = c + np.einsum(subscripts, a.astype(np.float64), b.astype(np.float64))
    program(a, b, c)
    assert np.array_equal(c, expected)


def test_product_with_maps_of_its_own() -> None:
    maps = "[affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]"
    text = f"linalg.matmul indexing_maps = {maps} ins(%a0, %a1 : {MATRIX}, {MATRIX}) outs(%a2 : {MATRIX})"
    a, b = RNG.random((5, 4), np.float32), RNG.random((5, 6), np.float32)
    c = np.zeros((4, 6), np.float32)
    function(text, [MATRIX] * 3)(a, b, c)
    assert np.abs(c - a.T @ b).max() < 1e-5


def test_convolution_of_mixed_types() -> None:
    types = [_dynamic(4, element) for element in ("f16", "f16", "f32")]
    program = function(
        "linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} "
        f"ins(%a0, %a1 : {types[0]}, {types[1]}) outs(%a2 : {types[2]})",
        types,
    )
    image = RNG.integers(-9, 10, (1, 7, 9, 2)).astype(np.float16)
    filters = RNG.integers(-9, 10, (3, 3, 2, 4)).astype(np.float16)
    found = np.zeros((1, 3, 4, 4), np.float32)
    windows = np.lib.stride_tricks.sliding_window_view(image.astype(np.float64), (3, 3), (1, 2))[:, ::2, ::2]
    expected = np.einsum("nijckl,klcf->nijf", windows, filters.astype(np.float64))
    program(image, filters, found)
    assert np.array_equal(found, expected)


def test_conversions_between_types_of_equal_width_are_refused() -> None:
    types = [_dynamic(1, "f16"), _dynamic(1, "f16"), "memref<bf16>"]
    with pytest.raises(CompileError, match="cannot convert f16 to bf16"):
        function(f"linalg.dot ins(%a0, %a1 : {types[0]}, {types[1]}) outs(%a2 : {types[2]})", types)


def test_loops_over_boxes() -> None:
    program = function(
        """scf.forall (%i, %j) = (1, 0) to (%a1, 6) step (2, 1) {
    memref.store %a2, %a0[%i, %j] : memref<6x6xf32>
  } {mapping = [#gpu.block<x>, #gpu.block<y>]}
  %r:2 = affine.parallel (%i, %j) = (0, max(%a1, 1)) to (min(%a1 + 1, 6), 6) step (1, 2)
      reduce ("mulf", "minu") -> (f32, i32) {
    %x = affine.load %a0[%i, %j] : memref<6x6xf32>
    %k = arith.fptoui %x : f32 to i32
    affine.yield %x, %k : f32, i32
  }""",
        ["memref<6x6xf32>", "index", "f32"],
        ["f32", "i32"],
        "%r#0, %r#1",
    )
    for size in (0, 3, 6):
        memory = np.arange(1, 37, dtype=np.float32).reshape(6, 6) / 8 + 1
        expected = memory.copy()
        expected[1:size:2] = 1.5
        product, least = program(memory, size, 1.5)
        assert np.array_equal(memory, expected)
        part = expected[: min(size + 1, 6), max(size, 1) : 6 : 2]
        assert np.isclose(product, part.prod(), rtol=1e-5)
        assert int(least) % 2**32 == (int(part.min()) if part.size else 0xFFFFFFFF)


def test_elementwise_operations_of_older_releases() -> None:
    program = function(
        """linalg.elemwise_unary {fun = #linalg.unary_fn<sqrt>} ins(%a0 : memref<3x4xf32>) outs(%a1 : memref<3x4xf32>)
  linalg.elemwise_binary ins(%a2, %a4 : memref<3x4xi8>, i32) outs(%a3 : memref<3x4xi32>)
  linalg.elemwise_binary {fun = #linalg.binary_fn<max_unsigned>, cast = #linalg.type_fn<cast_unsigned>}
    ins(%a2, %a3 : memref<3x4xi8>, memref<3x4xi32>) outs(%a3 : memref<3x4xi32>)
  linalg.elemwise_binary {fun = #linalg.binary_fn<mul>} ins(%a2, %a1 : memref<3x4xi8>, memref<3x4xf32>)
    outs(%a1 : memref<3x4xf32>)""",
        ["memref<3x4xf32>", "memref<3x4xf32>", "memref<3x4xi8>", "memref<3x4xi32>", "i32"],
    )
    a, b = RNG.random((3, 4), np.float32), np.zeros((3, 4), np.float32)
    bytes_ = RNG.integers(-128, 128, (3, 4), np.int8)
    sums = np.zeros((3, 4), np.int32)
    program(a, b, bytes_, sums, 130)
    assert np.array_equal(sums, np.maximum(bytes_.astype(np.int32) + 130, bytes_.view(np.uint8)))
    assert np.array_equal(b, bytes_.astype(np.float32) * np.sqrt(a))
