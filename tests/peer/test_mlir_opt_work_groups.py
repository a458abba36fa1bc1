"""Compares kernels that mlir-opt distributes over subgroups with those distributed here, by their results."""

from __future__ import annotations

import numpy as np

from tests.peer.mlir_opt import MODERN, each, mlir_opt
from tests.unit.passes.kernels.harness import compile_one, kernel_text, run

_ROUNDS = "#xegpu.layout<sg_layout = [2, 4], sg_data = [8, 8], order = [0, 1]>"
_ROWS = "#xegpu.layout<sg_layout = [8, 1], sg_data = [4, 64]>"
_SLICE = f"#xegpu.slice<{_ROWS}, dims = [1]>"
_PASS = "--pass-pipeline=builtin.module(gpu.module(xegpu-wg-to-sg-distribute))"


@each(*MODERN)
def test_results_are_equal(version: int) -> None:
    """Blocks in rounds by an order, a reduction of what a subgroup owns, and its broadcast."""
    text = kernel_text(
        "%x: memref<32x64xi32>, %y: memref<32x64xi32>, %z: memref<32x64xi32>",
        f"""
        %tx = xegpu.create_nd_tdesc %x : memref<32x64xi32> -> !xegpu.tensor_desc<32x64xi32, {_ROUNDS}>
        %ty = xegpu.create_nd_tdesc %y : memref<32x64xi32> -> !xegpu.tensor_desc<32x64xi32, {_ROUNDS}>
        %v = xegpu.load_nd %tx[0, 0] <{{layout = {_ROUNDS}}}>
            : !xegpu.tensor_desc<32x64xi32, {_ROUNDS}> -> vector<32x64xi32>
        %w = arith.muli %v, %v {{layout_result_0 = {_ROUNDS}}} : vector<32x64xi32>
        xegpu.store_nd %w, %ty[0, 0] <{{layout = {_ROUNDS}}}>
            : vector<32x64xi32>, !xegpu.tensor_desc<32x64xi32, {_ROUNDS}>
        %tr = xegpu.create_nd_tdesc %x : memref<32x64xi32> -> !xegpu.tensor_desc<32x64xi32, {_ROWS}>
        %tz = xegpu.create_nd_tdesc %z : memref<32x64xi32> -> !xegpu.tensor_desc<32x64xi32, {_ROWS}>
        %r = xegpu.load_nd %tr[0, 0] <{{layout = {_ROWS}}}>
            : !xegpu.tensor_desc<32x64xi32, {_ROWS}> -> vector<32x64xi32>
        %zero = arith.constant {{layout_result_0 = {_SLICE}}} dense<0> : vector<32xi32>
        %sum = vector.multi_reduction <add>, %r, %zero {{layout_result_0 = {_SLICE}}} [1]
            : vector<32x64xi32> to vector<32xi32>
        %column = vector.shape_cast %sum {{layout_result_0 = {_ROWS}}} : vector<32xi32> to vector<32x1xi32>
        %all = vector.broadcast %column {{layout_result_0 = {_ROWS}}} : vector<32x1xi32> to vector<32x64xi32>
        %d = arith.subi %r, %all {{layout_result_0 = {_ROWS}}} : vector<32x64xi32>
        xegpu.store_nd %d, %tz[0, 0] <{{layout = {_ROWS}}}>
            : vector<32x64xi32>, !xegpu.tensor_desc<32x64xi32, {_ROWS}>
        """,
        attributes="known_block_size = array<i32: 128, 1, 1>",
    )
    theirs = mlir_opt(version, text, _PASS)
    assert theirs.returncode == 0, theirs.stderr
    assert "sg_layout" not in theirs.stdout
    x = np.random.default_rng(1).integers(-99, 99, (32, 64)).astype(np.int32)
    for form in (text, theirs.stdout):
        *_, y, z = run(compile_one(form), x, np.zeros_like(x), np.zeros_like(x))
        np.testing.assert_array_equal(y, x * x)
        np.testing.assert_array_equal(z, x - x.sum(axis=1, keepdims=True))
