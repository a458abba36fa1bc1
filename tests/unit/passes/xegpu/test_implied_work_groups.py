"""Kernels of work-groups without layouts: all subgroups of the launch divide what is stored."""

from __future__ import annotations

import numpy as np
import pytest

from passes.pipelines import read_module, run_to_kernels, xe_passes
from tests.unit.passes.kernels.harness import compile_one, kernel_text, run
from xegpu.diagnostics import CompileError, SourceBuffer


def product(m: int, n: int, k: int) -> str:
    a, b, c = f"{m}x{k}xf16", f"{k}x{n}xf16", f"{m}x{n}xf32"
    return f"""
    %ta = xegpu.create_nd_tdesc %a : memref<{a}> -> !xegpu.tensor_desc<{a}>
    %tb = xegpu.create_nd_tdesc %b : memref<{b}> -> !xegpu.tensor_desc<{b}>
    %tc = xegpu.create_nd_tdesc %c : memref<{c}> -> !xegpu.tensor_desc<{c}>
    %va = xegpu.load_nd %ta[0, 0] : !xegpu.tensor_desc<{a}> -> vector<{a}>
    %vb = xegpu.load_nd %tb[0, 0] : !xegpu.tensor_desc<{b}> -> vector<{b}>
    %vc = xegpu.load_nd %tc[0, 0] : !xegpu.tensor_desc<{c}> -> vector<{c}>
    %r = xegpu.dpas %va, %vb, %vc : vector<{a}>, vector<{b}>, vector<{c}> -> vector<{c}>
    xegpu.store_nd %r, %tc[0, 0] : vector<{c}>, !xegpu.tensor_desc<{c}>
    """


@pytest.mark.parametrize(("m", "n", "k", "subgroups"), [(32, 32, 32, 16), (24, 48, 32, 6)])
def test_products(m: int, n: int, k: int, subgroups: int) -> None:
    """Small integers, whose products are exact; C is read and written, which only one subgroup may do."""
    arguments = f"%a: memref<{m}x{k}xf16>, %b: memref<{k}x{n}xf16>, %c: memref<{m}x{n}xf32>"
    size = 16 * subgroups
    kernel = compile_one(kernel_text(arguments, product(m, n, k), f"known_block_size = array<i32: {size}, 1, 1>"))
    rng = np.random.default_rng(m)
    a, b, c = (rng.integers(-5, 6, shape) for shape in ((m, k), (k, n), (m, n)))
    got = run(kernel, a.astype(np.float16), b.astype(np.float16), c.astype(np.float32), local=(size, 1, 1))[-1]
    np.testing.assert_array_equal(got, a @ b + c)


def test_gathers_and_reductions() -> None:
    """Addresses of rank 2, a reduction, and an atomic update that happens once."""
    body = """
    %step = vector.step : vector<16xindex>
    %c48 = arith.constant dense<48> : vector<8x16xindex>
    %rows = vector.step : vector<8xindex>
    %column = vector.shape_cast %rows : vector<8xindex> to vector<8x1xindex>
    %numbers = vector.broadcast %column : vector<8x1xindex> to vector<8x16xindex>
    %first = arith.muli %numbers, %c48 : vector<8x16xindex>
    %steps = vector.broadcast %step : vector<16xindex> to vector<8x16xindex>
    %o = arith.addi %first, %steps : vector<8x16xindex>
    %all = arith.constant dense<true> : vector<8x16xi1>
    %v = xegpu.load %x[%o], %all : memref<384xi32>, vector<8x16xindex>, vector<8x16xi1> -> vector<8x16xi32>
    %zero = arith.constant dense<0> : vector<16xi32>
    %s = vector.multi_reduction <add>, %v, %zero [0] : vector<8x16xi32> to vector<16xi32>
    %mask = arith.constant dense<true> : vector<16xi1>
    %t = xegpu.create_tdesc %y, %step : memref<16xi32>, vector<16xindex>
        -> !xegpu.tensor_desc<16xi32, #xegpu.scatter_tdesc_attr<>>
    %old = xegpu.atomic_rmw addi %t, %mask, %s
        : !xegpu.tensor_desc<16xi32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xi32> -> vector<16xi32>
    """
    text = kernel_text("%x: memref<384xi32>, %y: memref<16xi32>", body, "known_block_size = array<i32: 64, 1, 1>")
    x = np.arange(384, dtype=np.int32) ** 2
    got = run(compile_one(text), x, np.ones(16, np.int32), local=(64, 1, 1))[-1]
    np.testing.assert_array_equal(got, 1 + x.reshape(8, 48)[:, :16].sum(axis=0))


def test_ids_make_a_kernel_one_of_subgroups() -> None:
    body = """
    %id = gpu.subgroup_id : index
    %c8 = arith.constant 8 : index
    %i = arith.muli %id, %c8 : index
    %t = xegpu.create_nd_tdesc %x : memref<32x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %t[%i, 0] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    %w = arith.addf %v, %v : vector<8x16xf32>
    xegpu.store_nd %w, %t[%i, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    """
    kernel = compile_one(kernel_text("%x: memref<32x16xf32>", body, "known_block_size = array<i32: 64, 1, 1>"))
    x = np.random.default_rng(1).standard_normal((32, 16)).astype(np.float32)
    np.testing.assert_array_equal(run(kernel, x, local=(64, 1, 1))[-1], 2 * x)


def test_what_nothing_tells_is_asked_for() -> None:
    text = kernel_text(
        "%a: memref<256x32xf16>, %b: memref<32x256xf16>, %c: memref<256x256xf32>", product(256, 256, 32), ""
    )
    context, module = read_module(SourceBuffer("kernel.mlir", text))
    with pytest.raises(CompileError, match=r"kernel.mlir:\d+:\d+: .*vector<256x256xf32>.*sg_layout.*known_block_size"):
        run_to_kernels(context, module, xe_passes("pvc", op_level="workgroup"))
