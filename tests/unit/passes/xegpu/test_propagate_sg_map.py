"""Kernels without maps, given maps by `xegpu-propagate-sg-map`, compute what numpy computes."""

from __future__ import annotations

import numpy as np
import pytest

from passes.xegpu.propagate_sg_map import XegpuPropagateSgMapPass
from tests.unit.passes.kernels.fragments import Tile, numbers, tile_kernel
from tests.unit.passes.kernels.harness import DTYPES, Array, compile_one, kernel_text, run
from tests.unit.xegpu.dialects.support import context, parse
from xegpu.targets import ARC, PVC, Target

DEPTHS = {"f16": 16, "bf16": 16, "tf32": 8, "i8": 32}
"""Elements along K of one matrix instruction."""


def inferred(text: str, target: Target = PVC) -> str:
    module = parse(text)
    XegpuPropagateSgMapPass(target.name).apply(context(), module)
    return str(module)


PRODUCTS = [(target, element) for target in (PVC, ARC) for element in DEPTHS if (target, element) != (ARC, "tf32")]


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize(
    ("target", "element", "form"),
    [
        (target, element, form)
        for target, element in PRODUCTS
        for form in ("plain", "packed", "transposed")
        if (form, element) != ("packed", "tf32")  # a dword needs no packing
    ],
    ids=lambda value: value.name if isinstance(value, Target) else value,
)
def test_products_of_every_type(target: Target, element: str, form: str) -> None:
    """B as it stands, packed, or transposed (which packs it, where elements are narrower than a dword)."""
    k, n = DEPTHS[element], target.platform.dpas.execution_size
    factor = k // 8
    sum_type = "i32" if element == "i8" else "f32"
    a, c = Tile((8, k), element), Tile((8, n), sum_type)
    b = Tile((n, k) if form == "transposed" else (k, n), element)
    attributes, vector = "", Tile((k, n), element).vector
    if form == "packed":
        attributes, vector = " <{packed}>", Tile((k // factor, n, factor), element).vector
    elif form == "transposed":
        width = ", transpose_bit_width = 32 : i32" if factor > 1 else ""
        attributes = f" <{{transpose = array<i64: 1, 0>{width}}}>"
        vector = Tile((k // factor, n, factor) if factor > 1 else (k, n), element).vector
    text = kernel_text(
        f"%a: {a.memref}, %b: {b.memref}, %c: {c.memref}",
        f"{a.described('ta', 'a')}\n{b.described('tb', 'b')}\n{c.described('tc', 'c')}\n"
        f"%va = xegpu.load_nd %ta : {a.descriptor} -> {a.vector}\n"
        f"%vb = xegpu.load_nd %tb{attributes} : {b.descriptor} -> {vector}\n"
        f"%vc = xegpu.load_nd %tc : {c.descriptor} -> {c.vector}\n"
        f"%d = xegpu.dpas %va, %vb, %vc : {a.vector}, {vector}, {c.vector} -> {c.vector}\n"
        f"xegpu.store_nd %d, %tc : {c.vector}, {c.descriptor}",
        "",
    )
    mapped = inferred(text, target)
    assert mapped.count("#xegpu.sg_map") >= 6
    values = [numbers(tile.shape, tile.element) for tile in (a, b, c)]
    result = run(compile_one(mapped, target), *values, target=target, engines=("interpreter",))[2]
    wide = DTYPES[sum_type]
    left, right = values[0].astype(wide), values[1].astype(wide)
    np.testing.assert_array_equal(result, values[2] + left @ (right.T if form == "transposed" else right))


def softmax(values: Array) -> Array:
    exponentials = np.exp2(values - values.max(1, keepdims=True))
    shares: Array = exponentials / exponentials.sum(1, keepdims=True)
    return shares


def test_softmax_over_rows() -> None:
    """Two reductions over the lanes, spread over rows again; no element leaves its lane."""
    tile, row, column = "vector<8x32xf32>", "vector<8xf32>", "vector<8x1xf32>"
    body = (
        f"%low = arith.constant dense<0xFF800000> : {row}\n%zero = arith.constant dense<0.0> : {row}\n"
        f"%m1 = vector.multi_reduction <maxnumf>, %v, %low [1] : {tile} to {row}\n"
        f"%m2 = vector.shape_cast %m1 : {row} to {column}\n%m3 = vector.broadcast %m2 : {column} to {tile}\n"
        f"%d = arith.subf %v, %m3 : {tile}\n%e = math.exp2 %d : {tile}\n"
        f"%s1 = vector.multi_reduction <add>, %e, %zero [1] : {tile} to {row}\n"
        f"%s2 = vector.shape_cast %s1 : {row} to {column}\n%s3 = vector.broadcast %s2 : {column} to {tile}\n"
        f"%w = arith.divf %e, %s3 : {tile}"
    )
    text = inferred(tile_kernel(Tile((8, 32), "f32"), body, Tile((8, 32), "f32")))
    memory = np.random.default_rng(0).standard_normal((8, 32)).astype(np.float32)
    result = run(compile_one(text), memory, np.zeros_like(memory))[1]
    np.testing.assert_allclose(result, softmax(memory.astype(np.float64)), rtol=1e-5)


def test_whole_kernels_stay() -> None:
    tile = Tile((8, 16), "f32")
    text = tile_kernel(tile, f"%w = arith.negf %v : {tile.vector}", tile, "VectorComputeFunctionINTEL")
    assert "sg_map" not in inferred(text)
