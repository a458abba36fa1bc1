"""Loads of blocks side by side that become one load bring the same."""

from __future__ import annotations

from collections.abc import Sequence

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from passes.pipelines import read_module, run_to_kernels, xe_passes
from passes.xegpu.combine_loads import XegpuCombineLoadsPass
from tests.amounts import examples
from tests.unit.passes.kernels.harness import Array, random_array, run
from xegpu.diagnostics import SourceBuffer
from xegpu.dialects.xegpu import LoadNdOp
from xegpu.isa import CompiledKernel

ROWS, COLUMNS = 64, 128


def kernel_text(
    places: Sequence[tuple[int, int]],
    shape: tuple[int, int],
    element: str,
    turns: int = 0,
    start: int = 0,
    store_behind: int = -1,
    columns: int = COLUMNS,
) -> str:
    """A kernel `k(in, out)` that copies blocks of `in`, at (row, number of blocks to the right), one below the other.

    With `turns`, it does so in a loop, for blocks further down each turn, and loads the first one again behind it.
    Behind the load with the number `store_behind`, its block is stored where the next one is.
    """
    rows, width = shape
    memref, block = f"memref<{ROWS}x{columns}x{element}>", f"{rows}x{width}x{element}"
    desc, vector = f"!xegpu.tensor_desc<{block}>", f"vector<{block}>"
    lines = [
        "gpu.module @m {",
        f"gpu.func @k(%in: {memref}, %out: {memref}, %at: index) kernel attributes {{VectorComputeFunctionINTEL}} {{",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        f"  %turns = arith.constant {turns} : index",
    ]
    for number, (row, right) in enumerate(places):
        lines += [
            f"  %s{number} = arith.constant {start + right * width} : index",
            f"  %p{number} = arith.addi %at, %s{number} : index",
            f"  %t{number} = xegpu.create_nd_tdesc %in[{row}, %p{number}] : {memref} -> {desc}",
            f"  %o{number} = xegpu.create_nd_tdesc %out[{number * rows % ROWS}, 0] : {memref} -> {desc}",
        ]
    names = [f"%t{number}" for number in range(len(places))]
    if turns:
        names = [f"%d{number}" for number in range(len(places))]
        pairs = ", ".join(f"%d{number} = %t{number}" for number in range(len(places)))
        types = ", ".join([desc] * len(places))
        lines.append(f"  %r:{len(places)} = scf.for %i = %c0 to %turns step %c1 iter_args({pairs}) -> ({types}) {{")
    for number, name in enumerate(names):
        lines.append(f"    %v{number} = xegpu.load_nd {name} : {desc} -> {vector}")
        if number == store_behind and number + 1 < len(names):
            lines.append(f"    xegpu.store_nd %v{number}, {names[number + 1]} : {vector}, {desc}")
    lines += [f"    xegpu.store_nd %v{number}, %o{number} : {vector}, {desc}" for number in range(len(places))]
    if turns:
        lines += [
            f"    %n{number} = xegpu.update_nd_offset {name}, [{rows}, 0] : {desc}" for number, name in enumerate(names)
        ]
        lines.append(f"    scf.yield {', '.join(f'%n{number}' for number in range(len(places)))} : {types}")
        lines += ["  }", f"  %w = xegpu.load_nd %r#0 : {desc} -> {vector}"]
        lines.append(f"  xegpu.store_nd %w, %o{len(places) - 1} : {vector}, {desc}")
    return "\n".join([*lines, "  gpu.return", "}", "}"]) + "\n"


def compiled(text: str, target: str = "pvc", *, combines: bool = True) -> CompiledKernel:
    context, module = read_module(SourceBuffer("kernel.mlir", text))
    steps = [step for step in xe_passes(target) if combines or not isinstance(step, XegpuCombineLoadsPass)]
    (kernel,) = run_to_kernels(context, module, steps)
    return kernel


def combined_counts(text: str, target: str = "pvc") -> list[int]:
    """The numbers of blocks of all loads, combined where they can be."""
    context, module = read_module(SourceBuffer("kernel.mlir", text))
    XegpuCombineLoadsPass(target).apply(context, module)
    return [op.desc.array_length for op in module.walk() if isinstance(op, LoadNdOp)]


def outcome(kernel: CompiledKernel, element: str, columns: int) -> list[Array]:
    data = random_array(np.random.default_rng(3), (ROWS, columns), element)
    return run(kernel, data, np.zeros_like(data), np.int64(0), local=(1, 1, 1), engines=["interpreter"])


@settings(max_examples=examples(6), deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from([0, 0, 0, 8]), st.integers(0, 5)), min_size=2, max_size=6),
    st.sampled_from([((8, 16), "bf16"), ((8, 8), "f16"), ((16, 16), "i8"), ((8, 8), "f32"), ((4, 16), "f32")]),
    st.integers(0, 3),
    st.sampled_from([0, 5, -8]),
    st.integers(-1, 3),
    st.sampled_from([COLUMNS, 100, 50]),
)
def test_results_are_the_same(places, block, turns, start, store_behind, columns):
    shape, element = block
    text = kernel_text(places, shape, element, turns, start, store_behind, columns)
    plain = outcome(compiled(text, combines=False), element, columns)
    for before, after in zip(plain, outcome(compiled(text), element, columns), strict=True):
        assert before.tobytes() == after.tobytes()


@pytest.mark.parametrize(
    ("arguments", "counts"),
    [
        (([(0, 0), (0, 1)], (8, 16), "bf16"), [2]),
        (([(0, 1), (0, 0)], (8, 16), "bf16"), [2]),
        (([(0, 0), (0, 1), (0, 2), (0, 3)], (8, 16), "bf16"), [2, 2]),
        (([(0, 0), (0, 1), (0, 2), (0, 3)], (8, 8), "bf16"), [4]),
        (([(0, 0), (0, 1), (0, 2)], (8, 16), "i8"), [2, 1]),
        (([(0, 0), (0, 1)], (8, 16), "f32"), [1, 1]),  # a row of a message has 64 bytes
        (([(0, 0), (0, 1)], (8, 32), "bf16"), [1, 1]),
        (([(0, 0), (0, 2)], (8, 16), "bf16"), [1, 1]),
        (([(0, 0), (8, 1)], (8, 16), "bf16"), [1, 1]),
        (([(0, 0), (0, 0)], (8, 16), "bf16"), [1, 1]),
        (([(0, 0), (0, 1)], (8, 16), "bf16", 4), [2, 1]),
        (([(0, 0), (0, 1)], (8, 16), "bf16", 0, 0, 0), [1, 1]),  # what is stored between is loaded
    ],
)
def test_loads_that_are_combined(arguments, counts):
    assert combined_counts(kernel_text(*arguments)) == counts


def test_arc_has_no_such_loads():
    assert combined_counts(kernel_text([(0, 0), (0, 1)], (8, 8), "f16"), "arc") == [1, 1]


def test_a_descriptor_that_is_loaded_twice():
    """A load that packs and one that is packed later are of one place: no distance lies between them."""
    text = """
    gpu.module @m {
      gpu.func @k(%a: memref<64x64xbf16>, %out: memref<8x16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
        %tb = xegpu.create_nd_tdesc %a[0, 8] : memref<64x64xbf16> -> !xegpu.tensor_desc<16x16xbf16>
        %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<64x64xbf16> -> !xegpu.tensor_desc<8x16xbf16>
        %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xbf16> -> vector<8x16xbf16>
        %vb = xegpu.load_nd %tb : !xegpu.tensor_desc<16x16xbf16> -> vector<16x16xbf16>
        %vp = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<16x16xbf16> -> vector<8x16x2xbf16>
        %c = xegpu.dpas %va, %vb : vector<8x16xbf16>, vector<16x16xbf16> -> vector<8x16xf32>
        %d = xegpu.dpas %va, %vp, %c : vector<8x16xbf16>, vector<8x16x2xbf16>, vector<8x16xf32> -> vector<8x16xf32>
        %to = xegpu.create_nd_tdesc %out[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
        xegpu.store_nd %d, %to : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
        gpu.return
      }
    }
    """
    a = np.random.default_rng(1).integers(-4, 4, (64, 64)).astype(ml_dtypes.bfloat16)
    *_, out = run(compiled(text), a, np.zeros((8, 16), np.float32), local=(1, 1, 1))
    whole = a.astype(np.float32)
    np.testing.assert_array_equal(out, 2 * whole[:8, :16] @ whole[:16, 8:24])
