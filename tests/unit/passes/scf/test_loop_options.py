"""Unrolled and pipelined loops compute what they did."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from passes.pipelines import read_module, run_to_kernels, xe_passes
from passes.scf.loop_pipelining import ScfLoopPipeliningPass
from passes.xegpu.hoist_descriptors import XegpuHoistDescriptorsPass
from tests.amounts import examples
from tests.unit.passes.kernels.harness import Array, run
from tests.unit.passes.kernels.loops import LENGTH, ROWS, LoopKernel
from xegpu.diagnostics import SourceBuffer
from xegpu.isa import CompiledKernel


def compiled(text: str, unroll_factor: int = 1, pipeline_stages: int = 1, *, hoists: bool = True) -> CompiledKernel:
    context, module = read_module(SourceBuffer("kernel.mlir", text))
    steps = xe_passes("pvc", unroll_factor=unroll_factor, pipeline_stages=pipeline_stages)
    if not hoists:
        steps = [step for step in steps if not isinstance(step, XegpuHoistDescriptorsPass)]
    (kernel,) = run_to_kernels(context, module, steps)
    return kernel


def outcome(
    kernel: LoopKernel, unroll_factor: int = 1, pipeline_stages: int = 1, *, hoists: bool = True
) -> list[Array]:
    rows = np.random.default_rng(5).standard_normal((ROWS, LENGTH)).astype(np.float32)
    width = {"index": np.int64, "i32": np.int32}[kernel.counter]
    bounds = width(kernel.lower), width(kernel.upper)
    code = compiled(kernel.text(), unroll_factor, pipeline_stages, hoists=hoists)
    return run(code, rows, np.zeros_like(rows), *bounds, local=(1, 1, 1), engines=["jit"])


kernels = st.builds(
    LoopKernel,
    lower=st.integers(0, 6),
    upper=st.integers(0, 24),
    step=st.integers(1, 4),
    dynamic=st.booleans(),
    access=st.sampled_from(["carried", "made", "vector", "gather"]),
    stores=st.sampled_from(["none", "none", "in", "out"]),
    barrier=st.booleans(),
    condition=st.booleans(),
    late=st.booleans(),
    counter=st.sampled_from(["index", "i32"]),
)


@settings(max_examples=examples(12), deadline=None)
@given(kernels, st.integers(1, 6), st.integers(1, 4))
def test_results_are_the_same_bits(kernel, unroll_factor, pipeline_stages):
    expected, changed = outcome(kernel, hoists=False), outcome(kernel, unroll_factor, pipeline_stages)
    for before, after in zip(expected, changed, strict=True):
        assert before.tobytes() == after.tobytes()


LEAST, MOST = -(2**31), 2**31 - 1

COUNTING = """
gpu.module @m {
  gpu.func @k(%in: memref<4xi32>, %out: memref<4xi32>, %from: i32, %to: i32) kernel
      attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %r:2 = scf.for %k = %from to %to step %two iter_args(%n = %zero, %s = %zero) -> (i32, i32) : i32 {
      %one = memref.load %in[%c0] : memref<4xi32>
      %m = arith.addi %n, %one : i32
      %t = arith.addi %s, %k : i32
      scf.yield %m, %t : i32, i32
    }
    memref.store %r#0, %out[%c0] : memref<4xi32>
    memref.store %r#1, %out[%c1] : memref<4xi32>
    gpu.return
  }
}
"""


@pytest.mark.parametrize("options", [(3, 1), (1, 2), (1, 4), (6, 3)])
def test_bounds_at_the_ends_of_their_type(options):
    code = compiled(COUNTING, *options)
    for lower, upper in (
        *((LEAST, upper) for upper in (LEAST, LEAST + 1, LEAST + 3, LEAST + 20)),
        *((lower, MOST - 1) for lower in (MOST - 1, MOST - 2, MOST - 5, MOST - 30)),
        *((5, LEAST), (MOST, LEAST), (0, 0), (10, 3), (-3, 4)),
    ):
        turns = range(lower, upper, 2)
        inputs = np.ones(4, np.int32), np.zeros(4, np.int32), np.int32(lower), np.int32(upper)
        _, counted = run(code, *inputs, local=(1, 1, 1), engines=["jit"])
        expected = np.array([len(turns), sum(turns)]).astype(np.int32)
        assert np.array_equal(counted[:2], expected), (lower, upper)


def positions(kernel: LoopKernel, pipeline_stages: int) -> list[str]:
    """The names of the operations of a kernel, one after another."""
    context, module = read_module(SourceBuffer("kernel.mlir", kernel.text()))
    ScfLoopPipeliningPass("pvc", pipeline_stages).apply(context, module)
    return [op.name for op in module.walk()]


@pytest.mark.parametrize(
    ("kernel", "is_pipelined"),
    [
        (LoopKernel(), True),
        (LoopKernel(access="made"), True),
        (LoopKernel(access="vector"), True),
        (LoopKernel(access="gather"), True),
        (LoopKernel(condition=True, late=True, dynamic=True), True),
        (LoopKernel(barrier=True), True),  # nothing has been written that the barrier could show
        (LoopKernel(stores="in"), False),
        (LoopKernel(stores="out"), False),  # which may be the same memory
        (LoopKernel(upper=1), False),
    ],
)
def test_loops_that_load_ahead(kernel, is_pipelined):
    names = positions(kernel, 2)
    loads = {"xegpu.load_nd", "vector.load", "vector.gather"}
    first = next(index for index, name in enumerate(names) if name in loads)
    has_loop = "scf.for" in names
    assert (not has_loop or first < names.index("scf.for")) is is_pipelined


@pytest.mark.parametrize("columns", [32, 48, 64])
def test_a_loop_that_has_no_registers_for_more_stays(columns):
    text = LoopKernel().text().replace("1x16xf32", f"16x{columns}xf32").replace("64x16xf32", f"1024x{columns}xf32")
    for stages in (1, 2, 4):
        assert compiled(text, 1, stages).facts.spill_size == 0


@pytest.mark.parametrize("options", [(1, 1), (4, 1), (1, 2)])
def test_the_cost_of_loops_stays_known(options):
    kernel = compiled(
        LoopKernel(dynamic=True, lower=0, step=1).text().replace("%k = %from to", "%k = %lower to"), *options
    )
    assert kernel.cost is not None
    first = kernel.cost.loops[0].trips
    assert first is not None
    assert first.argument == 3
