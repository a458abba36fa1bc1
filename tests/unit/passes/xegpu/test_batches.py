"""Blocks and products with batch dimensions, of subgroups and of work-groups."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import Array, compile_one, kernel_text, run
from xegpu.diagnostics import CompileError


def product(layouts: tuple[str, str, str] = ("", "", "")) -> str:
    """C = A x B for the planes from `%p` on: two of A and B at a time, along K in steps of 16."""
    a, b, c = (f"<{{layout = {layout}}}>" if layout else "" for layout in layouts)
    return f"""
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %ta = xegpu.create_nd_tdesc %a : memref<3x32x32xf16> -> !xegpu.tensor_desc<2x32x16xf16>
    %tb = xegpu.create_nd_tdesc %b : memref<3x32x32xf16> -> !xegpu.tensor_desc<2x16x32xf16>
    %tc = xegpu.create_nd_tdesc %c : memref<3x32x32xf32> -> !xegpu.tensor_desc<2x32x32xf32>
    %zero = arith.constant dense<0.0> : vector<2x32x32xf32>
    %sum = scf.for %k = %c0 to %c32 step %c16 iter_args(%acc = %zero) -> (vector<2x32x32xf32>) {{
      %va = xegpu.load_nd %ta[%p, 0, %k] {a} : !xegpu.tensor_desc<2x32x16xf16> -> vector<2x32x16xf16>
      %vb = xegpu.load_nd %tb[%p, %k, 0] {b} : !xegpu.tensor_desc<2x16x32xf16> -> vector<2x16x32xf16>
      xegpu.prefetch_nd %ta[%p, 0, %k] {a} : !xegpu.tensor_desc<2x32x16xf16>
      %next = xegpu.dpas %va, %vb, %acc
          : vector<2x32x16xf16>, vector<2x16x32xf16>, vector<2x32x32xf32> -> vector<2x32x32xf32>
      scf.yield %next : vector<2x32x32xf32>
    }}
    xegpu.store_nd %sum, %tc[%p, 0, 0] {c} : vector<2x32x32xf32>, !xegpu.tensor_desc<2x32x32xf32>
    """


_MEMREFS = "%a: memref<3x32x32xf16>, %b: memref<3x32x32xf16>, %c: memref<3x32x32xf32>"


def operands() -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-5, 6, (3, 32, 32)).astype(np.float16) for _ in range(2))
    return a, b, np.full((3, 32, 32), 7, np.float32)


def test_products_of_a_subgroup() -> None:
    """The second group's second plane is beyond the last one: it reads as zero, and nothing is stored."""
    body = "%block = gpu.block_id x\n%c2 = arith.constant 2 : index\n%p = arith.muli %block, %c2 : index\n" + product()
    kernel = compile_one(kernel_text(_MEMREFS, body, "known_block_size = array<i32: 16, 1, 1>"))
    a, b, c = operands()
    got = run(kernel, a, b, c, groups=(2, 1, 1), local=(16, 1, 1), engines=["jit"])[-1]
    np.testing.assert_array_equal(got, a.astype(float) @ b.astype(float))


@pytest.mark.parametrize(
    "layout",
    [
        "#xegpu.layout<sg_layout = [2, 2, 2], sg_data = [1, 16, 16]>",
        "#xegpu.layout<sg_layout = [1, 4, 2], sg_data = [2, 8, 16], order = [0, 1, 2]>",
        "",
    ],
)
def test_products_of_a_work_group(layout: str) -> None:
    body = "%p = arith.constant 1 : index\n" + product(("", "", layout))
    kernel = compile_one(kernel_text(_MEMREFS, body, "known_block_size = array<i32: 128, 1, 1>"))
    a, b, c = operands()
    got = run(kernel, a, b, c, local=(128, 1, 1), engines=["jit"])[-1]
    np.testing.assert_array_equal(got[1:], a[1:].astype(float) @ b[1:].astype(float))
    assert (got[0] == 7).all()


def test_planes_that_are_not_adjacent() -> None:
    """Sizes and strides that come with an address; rows and columns beyond a plane read as zero."""
    desc = "!xegpu.tensor_desc<2x2x8x16xi32>"
    body = f"""
    %n = arith.constant 3 : index
    %x = memref.extract_aligned_pointer_as_index %m : memref<960xi32> -> index
    %q = arith.index_cast %x : index to i64
    %t = xegpu.create_nd_tdesc %q, shape : [2, %n, 6, 10], strides : [480, 120, 20, 1] : i64 -> {desc}
    %v = xegpu.load_nd %t[0, 1, 2, 3] : {desc} -> vector<2x2x8x16xi32>
    %u = xegpu.create_nd_tdesc %y : memref<2x2x8x16xi32> -> {desc}
    xegpu.store_nd %v, %u[0, 0, 0, 0] : vector<2x2x8x16xi32>, {desc}
    """
    kernel = compile_one(kernel_text("%m: memref<960xi32>, %y: memref<2x2x8x16xi32>", body, ""))
    m = np.arange(1, 961, dtype=np.int32)
    planes = np.lib.stride_tricks.as_strided(m, (2, 3, 6, 10), (4 * 480, 4 * 120, 4 * 20, 4))
    want = np.zeros((2, 2, 8, 16), np.int32)
    want[:, :, :4, :7] = planes[:, 1:, 2:, 3:]
    got = run(kernel, m, np.ones_like(want), local=(16, 1, 1), engines=["jit"])[-1]
    np.testing.assert_array_equal(got, want)


def test_descriptors_in_loops_are_refused() -> None:
    desc = "!xegpu.tensor_desc<2x8x16xf32>"
    body = f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = xegpu.create_nd_tdesc %m[0, 0, 0] : memref<4x8x16xf32> -> {desc}
    %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%u = %t) -> ({desc}) {{
      %v = xegpu.load_nd %u : {desc} -> vector<2x8x16xf32>
      xegpu.store_nd %v, %u : vector<2x8x16xf32>, {desc}
      %w = xegpu.update_nd_offset %u, [1, 0, 0] : {desc}
      scf.yield %w : {desc}
    }}
    """
    with pytest.raises(CompileError, match=r"xegpu.load_nd.* accesses planes of .* create it in place"):
        compile_one(kernel_text("%m: memref<4x8x16xf32>", body, ""))
