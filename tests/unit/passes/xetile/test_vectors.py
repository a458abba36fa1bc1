"""Kernels in subgroup-level XeTile that compute with the vectors of tiles, against numpy in double precision."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import ENGINES, Array, compile_one, kernel_text, random_array, run
from xegpu.isa.model import Dim3
from xegpu.targets import ARC, PVC, Target

TARGETS = pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
EPS = 2.0**-24
"""Half a unit in the last place of f32, relative."""


def launch(arguments: str, body: str, *values: Array, target: Target = PVC, groups: Dim3 = (1, 1, 1)) -> list[Array]:
    """The arrays after a launch; on PVC in all engines."""
    kernel = compile_one(kernel_text(arguments, body), target)
    return run(kernel, *values, target=target, groups=groups, engines=ENGINES if target is PVC else ENGINES[:1])


def tile(name: str, memory: str, shape: str, at: str = "0, 0") -> str:
    return f"%{name}_t = xetile.init_tile %{name}[{at}] : memref<{memory}> -> !xetile.tile<{shape}>"


def load(name: str, shape: str) -> str:
    return f"%{name}_v = xetile.load_tile %{name}_t : !xetile.tile<{shape}> -> vector<{shape}>"


def store(value: str, name: str, shape: str) -> str:
    return f"xetile.store_tile {value}, %{name}_t : vector<{shape}>, !xetile.tile<{shape}>"


def numbers(*shape: int, element: str = "f32") -> Array:
    return random_array(np.random.default_rng(17), shape, element)


@TARGETS
def test_elementwise_with_broadcasts(target: Target) -> None:
    """a * column + row, and the larger of that and a: two roundings."""
    body = "\n".join(
        [
            tile("a", "8x24xf32", "8x24xf32"),
            tile("row", "1x24xf32", "1x24xf32"),
            tile("column", "8x1xf32", "8x1xf32"),
            *(load(n, s) for n, s in (("a", "8x24xf32"), ("row", "1x24xf32"), ("column", "8x1xf32"))),
            "%rows = xetile.broadcast %row_v [0] : vector<1x24xf32> -> vector<8x24xf32>",
            "%columns = xetile.broadcast %column_v [1] : vector<8x1xf32> -> vector<8x24xf32>",
            "%product = arith.mulf %a_v, %columns : vector<8x24xf32>",
            "%sum = arith.addf %product, %rows : vector<8x24xf32>",
            "%larger = arith.cmpf ogt, %sum, %a_v : vector<8x24xf32>",
            "%r = arith.select %larger, %sum, %a_v : vector<8x24xi1>, vector<8x24xf32>",
            store("%r", "a", "8x24xf32"),
        ]
    )
    a, row, column = numbers(8, 24), numbers(1, 24), numbers(8, 1)
    arguments = "%a: memref<8x24xf32>, %row: memref<1x24xf32>, %column: memref<8x1xf32>"
    result = launch(arguments, body, a, row, column, target=target)[0]
    product = a.astype(np.float64) * column
    expected = np.maximum(product + row, a)
    assert (np.abs(result - expected) <= EPS * (np.abs(product) + np.abs(product + row)) * (1 + EPS)).all()


REDUCTIONS = [
    ("add", "f32", (16, 32), [1], PVC),
    ("add", "f32", (8, 16), [0], ARC),
    ("add", "f32", (8, 16), [0, 1], PVC),
    ("maximumf", "f16", (16, 32), [1], PVC),
    ("maximumf", "f16", (8, 8), [0, 1], ARC),
    ("mul", "i32", (16, 16), [0], PVC),
    ("minsi", "i8", (8, 32), [0, 1], PVC),
    ("xor", "i16", (8, 32), [1], PVC),
    ("xor", "i16", (3, 5), [1], ARC),
]


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(
    ("kind", "element", "shape", "dims", "target"), REDUCTIONS, ids=lambda v: getattr(v, "name", None)
)
def test_reductions(kind: str, element: str, shape: tuple[int, int], dims: list[int], target: Target) -> None:
    """n numbers add up in a tree or a chain: n - 1 roundings at most."""
    result_shape = [1 if d in dims else size for d, size in enumerate(shape)]
    whole, reduced = f"{shape[0]}x{shape[1]}x{element}", f"{result_shape[0]}x{result_shape[1]}x{element}"
    body = "\n".join(
        [
            tile("a", whole, whole),
            tile("b", reduced, reduced),
            load("a", whole),
            f"%r = xetile.reduction <{kind}>, %a_v {dims} : vector<{whole}> -> vector<{reduced}>",
            store("%r", "b", reduced),
        ]
    )
    a = numbers(*shape, element=element)
    b = np.zeros(result_shape, a.dtype)
    result = launch(f"%a: memref<{whole}>, %b: memref<{reduced}>", body, a, b, target=target)[1]
    axes = tuple(dims)
    if kind == "add":
        exact = a.astype(np.float64).sum(axes, keepdims=True)
        assert (np.abs(result - exact) <= a.size * EPS * np.abs(a.astype(np.float64)).sum(axes, keepdims=True)).all()
        return
    ufunc = {"maximumf": np.maximum, "mul": np.multiply, "minsi": np.minimum, "xor": np.bitwise_xor}[kind]
    expected = ufunc.reduce(a, axis=axes, keepdims=True) if len(axes) == 1 else ufunc.reduce(a.ravel()).reshape(1, 1)
    np.testing.assert_array_equal(result, expected.astype(a.dtype))


@TARGETS
def test_softmax_over_rows(target: Target) -> None:
    """exp(x - m) / sum: the exponent is within 3 units, the sum and the quotient add theirs."""
    rows, columns, step = 8, 32, 4
    whole, part, line = f"{rows}x{columns}xf32", f"{step}x{columns}xf32", f"{step}x1xf32"
    body = f"""
    %c{step} = arith.constant {step} : index
    %x = gpu.block_id x
    %i = arith.muli %x, %c{step} : index
    {tile("a", whole, part, "%i, 0")}
    {tile("b", whole, part, "%i, 0")}
    {load("a", part)}
    %m = xetile.reduction <maximumf>, %a_v [1] : vector<{part}> -> vector<{line}>
    %ms = xetile.broadcast %m [1] : vector<{line}> -> vector<{part}>
    %d = arith.subf %a_v, %ms : vector<{part}>
    %e = math.exp %d : vector<{part}>
    %s = xetile.reduction <add>, %e [1] : vector<{part}> -> vector<{line}>
    %ss = xetile.broadcast %s [1] : vector<{line}> -> vector<{part}>
    %q = arith.divf %e, %ss : vector<{part}>
    {store("%q", "b", part)}
    """
    a = numbers(rows, columns)
    b = launch(f"%a: memref<{whole}>, %b: memref<{whole}>", body, a, a, target=target, groups=(rows // step, 1, 1))[1]
    difference = (a - a.max(1, keepdims=True)).astype(np.float64)
    e = np.exp(difference)
    expected = e / e.sum(1, keepdims=True)
    # A rounding of the difference moves its exponential by as much, relatively.
    relative = (np.abs(difference) + columns + 12) * 2 * EPS
    assert (np.abs(b - expected) <= relative * expected).all()


@pytest.mark.sampled(every=20)
@TARGETS
@pytest.mark.parametrize("element", ["f32", "f16", "i8"])
def test_transpose_of_a_matrix(element: str, target: Target) -> None:
    """Tiles change places, and turn."""
    text = f"""
    %c16 = arith.constant 16 : index
    %c8 = arith.constant 8 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %bx, %c8 : index
    %j = arith.muli %by, %c16 : index
    {tile("a", f"16x48x{element}", f"8x16x{element}", "%i, %j")}
    {tile("b", f"48x16x{element}", f"16x8x{element}", "%j, %i")}
    {load("a", f"8x16x{element}")}
    %r = xetile.transpose %a_v, [1, 0] : vector<8x16x{element}> -> vector<16x8x{element}>
    {store("%r", "b", f"16x8x{element}")}
    """
    a = numbers(16, 48, element=element)
    arguments = f"%a: memref<16x48x{element}>, %b: memref<48x16x{element}>"
    b = launch(arguments, text, a, np.zeros((48, 16), a.dtype), target=target, groups=(2, 3, 1))[1]
    np.testing.assert_array_equal(b, a.T)
