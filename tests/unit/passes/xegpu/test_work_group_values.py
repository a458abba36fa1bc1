"""Values of work-groups in control flow, of ranges of subgroups, and in larger groups than layouts count."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import Array, compile_one, kernel_text, run
from xegpu.targets import ARC, PVC, Target

LAYOUT = "#xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>"
DESC, FULL = "!xegpu.tensor_desc<32x32xf32>", "vector<32x32xf32>"
LOAD = f"""
    %t = xegpu.create_nd_tdesc %x : memref<32x32xf32> -> {DESC}
    %u = xegpu.create_nd_tdesc %y : memref<32x32xf32> -> {DESC}
    %v = xegpu.load_nd %t[0, 0] <{{layout = {LAYOUT}}}> : {DESC} -> {FULL}
"""
STORE = f"xegpu.store_nd %w, %u[0, 0] <{{layout = {LAYOUT}}}> : {FULL}, {DESC}"


def result(body: str, x: Array, *, subgroups: int = 4, is_stated: bool = True, target: Target = PVC) -> Array:
    size = subgroups * 16
    attributes = f"known_block_size = array<i32: {size}, 1, 1>" if is_stated else ""
    kernel = compile_one(kernel_text("%x: memref<32x32xf32>, %y: memref<32x32xf32>", body, attributes), target)
    return run(kernel, x, np.zeros_like(x), local=(size, 1, 1), target=target)[-1]


@pytest.fixture
def x() -> Array:
    return np.random.default_rng(1).standard_normal((32, 32)).astype(np.float32)


def test_some_subgroups_share_what_a_range_names(x: Array) -> None:
    body = f"""
    %id = gpu.subgroup_id : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %own = arith.subi %id, %c2 : index
    %is = arith.cmpi ult, %own, %c4 : index
    scf.if %is {{
      {LOAD}
      %w = arith.addf %v, %v : {FULL}
      {STORE}
    }} {{sg_id_range = #xegpu.range<[2, 6]>}}
    """
    np.testing.assert_array_equal(result(body, x, subgroups=8), 2 * x)


def test_loops_and_branches_carry_values(x: Array) -> None:
    body = f"""
    {LOAD}
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %r:2 = scf.while (%i = %c0, %a = %v) : (index, {FULL}) -> (index, {FULL}) {{
      %go = arith.cmpi slt, %i, %c3 : index
      scf.condition(%go) %i, %a : index, {FULL}
    }} do {{
    ^bb0(%i: index, %a: {FULL}):
      %n = arith.addi %i, %c1 : index
      %b = arith.addf %a, %a : {FULL}
      scf.yield %n, %b : index, {FULL}
    }}
    %is = arith.cmpi sgt, %r#0, %c1 : index
    %w = scf.if %is -> {FULL} {{
      %k = arith.negf %r#1 : {FULL}
      scf.yield %k : {FULL}
    }} else {{
      scf.yield %r#1 : {FULL}
    }}
    {STORE}
    """
    np.testing.assert_array_equal(result(body, x), -8 * x)


@pytest.mark.parametrize("target", [PVC, ARC], ids=["pvc", "arc"])
def test_everything_is_reduced_to_a_number(x: Array, target: Target) -> None:
    body = f"""
    {LOAD}
    %z = arith.constant 0.0 : f32
    %s = vector.multi_reduction <maximumf>, %v, %z [0, 1] : {FULL} to f32
    %w = vector.broadcast %s : f32 to {FULL}
    {STORE}
    """
    np.testing.assert_array_equal(result(body, x, target=target), np.full_like(x, max(x.max(), 0)))


def test_surplus_subgroups_do_no_harm(x: Array) -> None:
    """Nothing says how many subgroups are launched: twice as many as the layouts count."""
    body = f"""
    {LOAD}
    %d = arith.addf %v, %v : {FULL}
    %w = xegpu.convert_layout %d <{{input_layout = {LAYOUT},
        target_layout = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 32]>}}> : {FULL}
    {STORE}
    """
    np.testing.assert_array_equal(result(body, x, subgroups=8, is_stated=False), 2 * x)


@pytest.mark.parametrize("lanes", [16, 64])
def test_a_branch_gives_what_an_atomic_update_found(lanes: int) -> None:
    """One work-group updates each element; the value is that of the subgroup, as it is outside of branches."""
    addresses = f"!xegpu.tensor_desc<{lanes}xi32, #xegpu.scatter_tdesc_attr<>>"
    value, desc = f"vector<{lanes}xi32>", f"!xegpu.tensor_desc<{lanes}xi32>"
    body = f"""
    %c0 = arith.constant 0 : index
    %block = gpu.block_id x
    %is_first = arith.cmpi eq, %block, %c0 : index
    %t = xegpu.create_nd_tdesc %x : memref<{lanes}xi32> -> {desc}
    %v = xegpu.load_nd %t[0] : {desc} -> {value}
    %o = vector.step : vector<{lanes}xindex>
    %all = arith.constant dense<true> : vector<{lanes}xi1>
    %d = xegpu.create_tdesc %y, %o : memref<{lanes}xi32>, vector<{lanes}xindex> -> {addresses}
    %old = scf.if %is_first -> ({value}) {{
      %found = xegpu.atomic_rmw addi %d, %all, %v : {addresses}, vector<{lanes}xi1>, {value} -> {value}
      scf.yield %found : {value}
    }} else {{
      %none = arith.constant dense<0> : {value}
      scf.yield %none : {value}
    }}
    %sum = arith.addi %v, %old : {value}
    xegpu.store_nd %sum, %t[0] : {value}, {desc}
    """
    kernel = compile_one(kernel_text(f"%x: memref<{lanes}xi32>, %y: memref<{lanes}xi32>", body, ""))
    x = np.arange(lanes, dtype=np.int32)
    got = run(kernel, x, np.full(lanes, 5, np.int32), local=(16, 1, 1))
    np.testing.assert_array_equal(got, (x + 5, x + 5))
