"""Passes on `xe` before allocation: fewer instructions, the same bytes in memory."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

from passes.convert_xegpu_to_xe import ConvertXegpuToXePass
from passes.pipelines import xe_passes
from passes.xe.allocate_registers import XeAllocateRegistersPass, pressures
from passes.xe.canonicalize import XeCanonicalizePass
from passes.xe.cse import XeCsePass
from passes.xe.hoist_loads import XeHoistLoadsPass
from passes.xe.loop_invariant_code_motion import XeLoopInvariantCodeMotionPass
from passes.xe.split_register_blocks import XeSplitRegisterBlocksPass
from tests.amounts import examples
from tests.unit.passes.kernels.allocation_checker import allocate_and_check
from tests.unit.passes.kernels.gemm import Gemm
from tests.unit.passes.kernels.harness import Array, compile_one, kernel_text, lower, run
from tests.unit.passes.kernels.programs import Program, programs
from tests.unit.passes.kernels.xe_programs import Generator, Shape
from tests.unit.passes.pipelines.test_gemm import execute
from tests.unit.passes.pipelines.test_random_programs import QUIET, SEEDS
from xegpu.dialects.xe.emit import compiled_kernels
from xegpu.isa import CompiledKernel, decode_program
from xegpu.mlir import verify
from xegpu.targets import ARC, PVC, Target

PASSES: tuple[ModulePass, ...] = (
    XeCanonicalizePass(),
    XeLoopInvariantCodeMotionPass(),
    XeCsePass(),
    XeSplitRegisterBlocksPass(),
    XeHoistLoadsPass(),
)
LOWERED = 1 + [type(step) for step in xe_passes("pvc")].index(ConvertXegpuToXePass)
"""Passes of the pipeline up to `xe`."""

GEMMS = [
    Gemm(64, 64, 64, tiles=(4, 2)),
    Gemm(61, 67, 40, tiles=(2, 2), dynamic=True),
    Gemm(64, 64, 64, "i8", tiles=(2, 2), form="distributed"),
]


def compiled(text: str, steps: tuple[ModulePass, ...]) -> CompiledKernel:
    """The kernel in the text, with these passes between lowering and allocation."""
    module = lower(text, stop=LOWERED)
    for step in (*steps, XeAllocateRegistersPass()):
        step.apply(Context(), module)
        verify(module)
    (kernel,) = compiled_kernels(module)
    return kernel


def count(kernel: CompiledKernel) -> int:
    return len(decode_program(kernel.code).instructions)


def test_the_pipeline_has_these_passes() -> None:
    steps = xe_passes("pvc")[LOWERED:]
    assert [type(step) for step in steps] == [*map(type, PASSES), XeAllocateRegistersPass]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("gemm", GEMMS, ids=str)
def test_gemms_compute_the_same_with_fewer_instructions(gemm: Gemm) -> None:
    plain, better = compiled(gemm.text(), (DeadCodeElimination(),)), compiled(gemm.text(), PASSES)
    assert count(better) <= 0.95 * count(plain)
    before, after = execute(gemm, plain), execute(gemm, better)
    assert before.tobytes() == after.tobytes()


@settings(QUIET, max_examples=examples(20))
@given(programs(), SEEDS, st.sampled_from([*((step,) for step in PASSES), PASSES]))
def test_programs_compute_the_same(program: Program, seed: int, steps: tuple[ModulePass, ...]) -> None:
    data = np.random.default_rng(seed).integers(0, 1 << 32, program.input_words, np.uint32)

    def result(steps: tuple[ModulePass, ...]) -> Array:
        return run(compiled(program.text(), steps), data, np.zeros(program.output_words, np.uint32), engines=("jit",))[
            1
        ]

    assert result(steps).tolist() == result(()).tolist(), program.text()


def _random(seed: int, target: Target) -> ModuleOp:
    return Generator(random.Random(seed), target, Shape(statements=60, depth=3)).module()


@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
def test_random_kernels_stay_legal(target: Target) -> None:
    """No pass makes more instructions or writes code that the target or allocation refuses."""
    for seed in range(examples(12)):
        module = _random(seed, target)
        for step in PASSES:
            step.apply(Context(), module)
            verify(module)
        assert allocate_and_check(module) > 0
        assert compiled_kernels(module)


def test_hoisted_loads_stay_in_the_register_mode() -> None:
    for gemm in GEMMS:
        modules = [lower(gemm.text(), stop=stop) for stop in (-2, None)]
        (before,), (after,) = (list(pressures(module)) for module in modules)
        assert after.peak_bytes <= max(before.peak_bytes, 0.9 * 128 * PVC.platform.grf_bytes)


@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
def test_a_product_and_a_shift_are_the_same_code(target: Target) -> None:
    """A row that is known to be a multiple of 16 either way is loaded by the same instructions."""
    codes = [
        compile_one(
            kernel_text(
                "%a: memref<64x64xf16, 3>, %b: memref<64x64xf16>",
                f"""
                %c0 = arith.constant 0 : index
                %c4 = arith.constant 4 : index
                %c16 = arith.constant 16 : index
                %i = gpu.block_id x
                %row = {row} : index
                %t = xetile.init_tile %a[%row, %c0] : memref<64x64xf16, 3> -> !xetile.tile<16x32xf16, #slm>
                %v = xetile.load_tile %t : !xetile.tile<16x32xf16, #slm> -> vector<16x32xf16>
                %u = xetile.init_tile %b[%c0, %c0] : memref<64x64xf16> -> !xetile.tile<16x32xf16>
                xetile.store_tile %v, %u : vector<16x32xf16>, !xetile.tile<16x32xf16>
                """.replace("#slm", "#xetile.tile_attr<memory_space = 3 : i64>"),
            ),
            target,
        ).code
        for row in ("arith.muli %i, %c16", "arith.shli %i, %c4")
    ]
    assert codes[0] == codes[1]
