"""Structured operations of host code, against numpy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from runtime.host.data.values import Array
from tests.unit.runtime.host.support import function

A, B = (np.random.default_rng(seed).uniform(0.5, 2, (4, 8)).astype(np.float32) for seed in (1, 2))
TYPE = "memref<4x8xf32>"
INS, OUT = f"ins(%a0, %a1 : {TYPE}, {TYPE})", f"outs(%a2 : {TYPE})"
ONE = f"ins(%a0 : {TYPE})"
BODY = "{\n%s = arith.subf %x, %y : f32\nlinalg.yield %s : f32\n}"

POINTWISE: dict[str, Callable[[Array, Array], Array]] = {
    f"linalg.div {INS} {OUT}": lambda a, b: a / b,
    f"linalg.powf {INS} {OUT}": np.power,
    f"linalg.negf {ONE} {OUT}": lambda a, b: -a,
    f"linalg.square {ONE} {OUT}": lambda a, b: a * a,
    f"linalg.reciprocal {ONE} {OUT}": lambda a, b: 1 / a,
    f"linalg.tanh {ONE} {OUT}": lambda a, b: np.tanh(a),
    f"linalg.map {{ arith.subf }} {INS} {OUT}": lambda a, b: a - b,
    f"linalg.map {INS} {OUT} (%x: f32, %y: f32) {BODY}": lambda a, b: a - b,
    f"linalg.map {INS} {OUT} (%x: f32, %y: f32, %z: f32) {BODY}": lambda a, b: a - b,
    f"linalg.elementwise kind=#linalg.elementwise_kind<mul> {INS} {OUT}": lambda a, b: a * b,
    f"linalg.elementwise kind=#linalg.elementwise_kind<max_signed> {INS} {OUT}": np.maximum,
    f"linalg.elementwise kind=#linalg.elementwise_kind<exp> {ONE} {OUT}": lambda a, b: np.exp(a),
}


@pytest.mark.parametrize("text", POINTWISE)
def test_operations_on_each_element(text: str) -> None:
    result = np.zeros((4, 8), np.float32)
    function(text, [TYPE] * 3)(A.copy(), B.copy(), result)
    np.testing.assert_allclose(result, POINTWISE[text](A, B), rtol=4e-7)


def test_maps_of_an_elementwise_operation() -> None:
    maps = "[affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>]"
    text = (
        f"linalg.elementwise kind=#linalg.elementwise_kind<sub> indexing_maps = {maps} "
        f"ins(%a0, %a1 : {TYPE}, memref<8xf32>) {OUT}"
    )
    result = np.zeros((4, 8), np.float32)
    function(text, [TYPE, "memref<8xf32>", TYPE])(A.copy(), B[0].copy(), result)
    assert np.array_equal(result, A - B[0])


@pytest.mark.parametrize(
    "form",
    [
        "linalg.reduce {{ arith.addf }} {} dimensions = [{}]",
        "linalg.reduce {} dimensions = [{}] (%x: f32, %y: f32) "
        "{{\n%s = arith.addf %x, %y : f32\nlinalg.yield %s : f32\n}}",
    ],
)
@pytest.mark.parametrize("dimension", [0, 1])
def test_reductions(form: str, dimension: int) -> None:
    small = f"memref<{A.shape[1 - dimension]}xf32>"
    text = form.format(f"{ONE} outs(%a1 : {small})", dimension)
    start = np.arange(A.shape[1 - dimension], dtype=np.float32)
    result = start.copy()
    function(text, [TYPE, small])(A.copy(), result)
    np.testing.assert_allclose(result, start + A.sum(axis=dimension), rtol=1e-6)


@pytest.mark.parametrize("dimension", [0, 1])
def test_broadcasts(dimension: int) -> None:
    row = np.arange(A.shape[1 - dimension], dtype=np.float32)
    small = f"memref<{len(row)}xf32>"
    result = np.zeros((4, 8), np.float32)
    text = f"linalg.broadcast ins(%a0 : {small}) outs(%a1 : {TYPE}) dimensions = [{dimension}]"
    function(text, [small, TYPE])(row, result)
    assert np.array_equal(result, np.broadcast_to(np.expand_dims(row, dimension), (4, 8)))


@pytest.mark.parametrize(
    ("layout", "kind"), [("nhwc", "sum"), ("nhwc", "max"), ("nhwc", "min"), ("nchw", "sum"), ("nchw", "max")]
)
def test_poolings(layout: str, kind: str) -> None:
    """Windows of 2x3, one row and two columns apart, whose elements are two rows apart."""
    image = np.random.default_rng(3).uniform(-1, 1, (2, 6, 9, 3)).astype(np.float32)
    combine = {"sum": np.sum, "max": np.max, "min": np.min}[kind]
    start = {"sum": 0.0, "max": -9.0, "min": 9.0}[kind]
    expected = np.empty((2, 4, 4, 3), np.float32)
    for i, j in np.ndindex(4, 4):
        expected[:, i, j] = combine(image[:, i : i + 4 : 2, 2 * j : 2 * j + 3], axis=(1, 2))
    result = np.full(expected.shape, start, np.float32)
    if layout == "nchw":
        image, expected, result = (np.moveaxis(x, 3, 1).copy() for x in (image, expected, result))
    types = [f"memref<{'x'.join(map(str, shape))}xf32>" for shape in (image.shape, (2, 3), result.shape)]
    steps = "{dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}"
    text = f"linalg.pooling_{layout}_{kind} {steps} ins(%a0, %a1 : {types[0]}, {types[1]}) outs(%a2 : {types[2]})"
    function(text, types)(image, np.zeros((2, 3), np.float32), result)
    np.testing.assert_allclose(result, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(("cast", "dtype"), [("cast_unsigned", np.uint8), ("cast_signed", np.int8)])
def test_products_of_unsigned_numbers(cast: str, dtype: type[np.generic]) -> None:
    a, b = (np.random.default_rng(seed).integers(0, 256, shape, np.uint8) for seed, shape in ((4, (3, 5)), (5, (5, 2))))
    types = ["memref<3x5xi8>", "memref<5x2xi8>", "memref<3x2xi32>"]
    operands = f"ins(%a0, %a1 : {types[0]}, {types[1]}) outs(%a2 : {types[2]})"
    text = f"linalg.matmul {{cast = #linalg.type_fn<{cast}>}} {operands}"
    result = np.zeros((3, 2), np.int32)
    function(text, types)(a.view(np.int8), b.view(np.int8), result)
    assert np.array_equal(result, a.view(dtype).astype(np.int32) @ b.view(dtype).astype(np.int32))
