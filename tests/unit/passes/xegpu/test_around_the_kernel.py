"""Kernels compute around their blocks, with the values of a work-group or of a subgroup, compared with numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import DTYPES, PRECISION, Array, compile_one, kernel_text, run
from xegpu.targets import ARC, PVC, Target

SHAPE = (8, 32)
ROWS, COLUMNS = SHAPE
LAYOUT = "#xegpu.layout<sg_layout = [2, 2], sg_data = [4, 16]>"


class Case(NamedTuple):
    """A body that makes `%w` of `%v`, which has elements of a type, and what it is; errors are in ulps of the type."""

    element: str
    body: str
    exact: Callable[[Array], Array]
    result: str | None = None
    ulps: float = 0


def _masked(x: Array) -> Array:
    want = np.zeros_like(x)
    want[:5, :7] = x[:5, :7]
    return want


def _moved(x: Array) -> Array:
    want = x.copy()
    want[1:3, 2:9] = x[3:5, 5:12]
    want[0] = x[7]
    want[6, 1] = x[3, 5]
    return want


def _table(x: Array) -> Array:
    number = np.arange(x.size).reshape(x.shape)
    return np.where(number % 3 == 1, 0, 5 * number).astype(x.dtype)


CASES = {
    "exp2, cos, fma": Case(
        "f32",
        """%e = math.exp2 %v : VEC
        %c = math.cos %e fastmath<contract> : VEC
        %w = math.fma %c, %e, %v : VEC""",
        lambda x: np.cos(np.exp2(x.astype(float))) * np.exp2(x.astype(float)) + x,
        ulps=400,  # cos takes the error of an argument up to 256
    ),
    "fast math": Case(
        "f16",
        """%s = arith.mulf %v, %v fastmath<nnan, ninf> : VEC
        %w = arith.addf %s, %v fastmath<contract> : VEC""",
        lambda x: x.astype(float) ** 2 + x,
        ulps=4,
    ),
    "sums over both dimensions": Case(
        "f32",
        """%z = arith.constant 1.0 : f32
        %r = vector.multi_reduction <add>, %v, %z [0, 1] : VEC to f32
        %w = vector.broadcast %r : f32 to VEC""",
        lambda x: np.full(x.shape, x.astype(float).sum() + 1),
        ulps=2 * ROWS * COLUMNS,
    ),
    "maxima of rows, unit dimensions": Case(
        "i16",
        """%z = arith.constant dense<-7> : vector<8xi16>
        %r = vector.multi_reduction <maxsi>, %v, %z [1] : VEC to vector<8xi16>
        %c = vector.shape_cast %r : vector<8xi16> to vector<1x8x1xi16>
        %d = vector.shape_cast %c : vector<1x8x1xi16> to vector<8x1xi16>
        %w = vector.broadcast %d : vector<8x1xi16> to VEC""",
        lambda x: np.broadcast_to(np.maximum(x.max(axis=1, keepdims=True), -7), x.shape),
    ),
    "rank 4": Case(
        "i32",
        """%b = vector.broadcast %v : VEC to vector<2x3x8x32xi32>
        %z = arith.constant dense<1> : VEC
        %w = vector.multi_reduction <add>, %b, %z [0, 1] : vector<2x3x8x32xi32> to VEC""",
        lambda x: 6 * x + 1,
    ),
    "masks": Case(
        "f16",
        """%five = arith.constant 5 : index
        %most = arith.constant 30 : index
        %a = vector.create_mask %five, %most : vector<8x32xi1>
        %b = vector.constant_mask [7, 7] : vector<8x32xi1>
        %m = arith.andi %a, %b : vector<8x32xi1>
        %z = arith.constant dense<0.0> : VEC
        %w = arith.select %m, %v, %z : vector<8x32xi1>, VEC""",
        _masked,
    ),
    "index vectors": Case(
        "i32",
        """%s = vector.step : vector<32xindex>
        %b = vector.broadcast %s : vector<32xindex> to vector<8x32xindex>
        %t = vector.step : vector<8xindex>
        %c = vector.shape_cast %t : vector<8xindex> to vector<8x1xindex>
        %d = vector.broadcast %c : vector<8x1xindex> to vector<8x32xindex>
        %n = arith.constant dense<32> : vector<8x32xindex>
        %e = arith.muli %d, %n overflow<nsw> : vector<8x32xindex>
        %f = arith.addi %e, %b : vector<8x32xindex>
        %three = arith.constant dense<3> : vector<8x32xindex>
        %one = arith.constant dense<1> : vector<8x32xindex>
        %zero = arith.constant dense<0> : vector<8x32xindex>
        %g = arith.remui %f, %three : vector<8x32xindex>
        %h = arith.cmpi eq, %g, %one : vector<8x32xindex>
        %five = arith.constant dense<5> : vector<8x32xindex>
        %i = arith.muli %f, %five : vector<8x32xindex>
        %j = arith.select %h, %zero, %i : vector<8x32xi1>, vector<8x32xindex>
        %w = arith.index_cast %j : vector<8x32xindex> to VEC""",
        _table,
    ),
    "parts": Case(
        "i8",
        """%e = vector.extract_strided_slice %v {offsets = [3, 5], sizes = [2, 7], strides = [1, 1]}
            : VEC to vector<2x7xi8>
        %a = vector.insert_strided_slice %e, %v {offsets = [1, 2], strides = [1, 1]} : vector<2x7xi8> into VEC
        %r = vector.extract %v[7] : vector<32xi8> from VEC
        %b = vector.insert %r, %a[0] : vector<32xi8> into VEC
        %o = vector.extract %v[3, 5] : i8 from VEC
        %w = vector.insert %o, %b[6, 1] : i8 into VEC""",
        _moved,
    ),
    "other elements": Case(
        "f32", "%w = vector.bitcast %v : VEC to vector<8x64xi16>", lambda x: x.view(np.int16), "i16"
    ),
    "a transpose": Case("bf16", "%w = vector.transpose %v, [1, 0] : VEC to vector<32x8xbf16>", lambda x: x.T),
    "a product": Case(
        "f32",
        """%t = vector.transpose %v, [1, 0] : VEC to vector<32x8xf32>
        %z = arith.constant dense<0.0> : vector<8x8xf32>
        %w = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
            affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"],
            kind = #vector.kind<add>} %v, %t, %z : VEC, vector<32x8xf32> into vector<8x8xf32>""",
        lambda x: x.astype(float) @ x.astype(float).T,
        ulps=400,
    ),
}


def _block(name: str, memref: str, shape: tuple[int, ...], element: str, level: str) -> tuple[str, str, str]:
    """The descriptor of a whole buffer, its type, and the layout of its accesses."""
    dims = "x".join(map(str, (*shape, element)))
    desc = f"!xegpu.tensor_desc<{dims}>"
    lines = f"%{name} = xegpu.create_nd_tdesc %{memref} : memref<{dims}> -> {desc}"
    data = [size // 2 for size in shape]
    layout = f" <{{layout = #xegpu.layout<sg_layout = [2, 2], sg_data = {data}>}}>" if level == "workgroup" else ""
    return lines, desc, layout


def _run(case: Case, level: str, target: Target) -> None:
    x = np.random.default_rng(1).integers(-8, 8, SHAPE).astype(DTYPES[case.element])
    want = case.exact(x)
    element = case.result or case.element
    vector, dims = f"vector<8x32x{case.element}>", "x".join(map(str, want.shape))
    load, source, layout = _block("from", "x", SHAPE, case.element, level)
    store, target_desc, out = _block("to", "y", want.shape, element, level)
    body = f"""{load}
    %v = xegpu.load_nd %from[0, 0]{layout} : {source} -> {vector}
    {case.body.replace("VEC", vector)}
    {store}
    xegpu.store_nd %w, %to[0, 0]{out} : vector<{dims}x{element}>, {target_desc}"""
    size = 64 if level == "workgroup" else 16
    text = kernel_text(
        f"%x: memref<8x32x{case.element}>, %y: memref<{dims}x{element}>",
        body,
        f"known_block_size = array<i32: {size}, 1, 1>, intel_reqd_sub_group_size = 16 : i32",
    )
    buffer = np.zeros(want.shape, DTYPES[element])
    got = run(compile_one(text, target), x, buffer, local=(size, 1, 1), target=target)[-1]
    error = case.ulps * 2.0 ** -PRECISION.get(element, 24) * (abs(want.astype(float)).max() + 1)
    assert (abs(got.astype(float) - want.astype(float)) <= error).all(), (got, want)


@pytest.mark.sampled(every=12)
@pytest.mark.parametrize("level", ["workgroup", "subgroup"])
@pytest.mark.parametrize("name", CASES)
def test_values(name: str, level: str) -> None:
    _run(CASES[name], level, PVC)


@pytest.mark.sampled(every=12)
@pytest.mark.parametrize("level", ["workgroup", "subgroup"])
@pytest.mark.parametrize("name", CASES)
def test_values_on_arc(name: str, level: str) -> None:
    _run(CASES[name], level, ARC)
