"""Splitting of register blocks: kernels compute the same with values in pieces, however small these are."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from passes.xe.split_register_blocks import pieces
from passes.xe.split_register_blocks.pieces import partition
from passes.xe.split_register_blocks.rewrite import Splitter
from tests.amounts import examples
from tests.unit.passes.kernels.allocation_checker import allocate_and_check
from tests.unit.passes.kernels.gemm import Gemm
from tests.unit.passes.kernels.harness import Array, run
from tests.unit.passes.kernels.programs import Program, programs
from tests.unit.passes.kernels.xe_programs import Generator, Shape
from tests.unit.passes.pipelines.test_gemm import execute
from tests.unit.passes.pipelines.test_random_programs import QUIET, SEEDS
from tests.unit.passes.xe.test_passes import compiled
from xegpu.dialects.xe import KernelOp, kernel_target
from xegpu.dialects.xe.emit import compiled_kernels
from xegpu.mlir import verify
from xegpu.targets import ARC, PVC, Target


@dataclass(frozen=True)
class SplitAlways(ModulePass):
    """Splits blocks, whether or not the kernel fits the registers."""

    name = "test-split-always"

    largest: int = pieces._LARGEST_PIECE

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pieces, "_LARGEST_PIECE", self.largest)
            for kernel in [o for o in op.walk() if isinstance(o, KernelOp)]:
                target = kernel_target(kernel)
                Splitter(target, partition(kernel.body, target)).run(kernel.body)


LARGEST = pytest.mark.parametrize("largest", [1, 8])
"""With pieces of one register, many accesses reach across several."""


@pytest.mark.sampled(every=6)
@LARGEST
@pytest.mark.parametrize("gemm", [Gemm(61, 67, 40, tiles=(2, 2)), Gemm(32, 64, 64, "i8", tiles=(2, 2))], ids=str)
def test_gemms_compute_the_same(gemm: Gemm, largest: int) -> None:
    before, after = (
        execute(gemm, compiled(gemm.text(), ())),
        execute(gemm, compiled(gemm.text(), (SplitAlways(largest),))),
    )
    assert before.tobytes() == after.tobytes()


@settings(QUIET, max_examples=examples(10))
@given(programs(), SEEDS, st.sampled_from([1, 2, 8]))
def test_programs_compute_the_same(program: Program, seed: int, largest: int) -> None:
    data = np.random.default_rng(seed).integers(0, 1 << 32, program.input_words, np.uint32)

    def result(*steps: ModulePass) -> Array:
        output = np.zeros(program.output_words, np.uint32)
        return run(compiled(program.text(), steps), data, output, engines=("jit",))[1]

    assert result(SplitAlways(largest)).tolist() == result().tolist(), program.text()


@pytest.mark.sampled(every=6)
@LARGEST
@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
def test_random_kernels_stay_legal(target: Target, largest: int) -> None:
    for seed in range(examples(8)):
        module = Generator(random.Random(seed), target, Shape(statements=40, depth=3, registers=16)).module()
        SplitAlways(largest).apply(Context(), module)
        verify(module)
        assert allocate_and_check(module) > 0
        assert compiled_kernels(module)
