"""Random programs compute what their meaning says, and their registers hold what they should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.amounts import examples
from tests.unit.passes.kernels.allocation_checker import allocate_and_check
from tests.unit.passes.kernels.harness import lower, run
from tests.unit.passes.kernels.programs import Program, programs
from xegpu.dialects.xe.emit import compiled_kernels
from xegpu.isa import CompiledKernel

SEEDS = st.integers(0, 2**32 - 1)
QUIET = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))


def checked(program: Program, grf_count: int = 0) -> CompiledKernel:
    """The compiled program, after the check of its registers."""
    module = lower(program.text(), grf_count=grf_count, stop=-1)
    assert allocate_and_check(module, grf_count) > 0
    (kernel,) = compiled_kernels(module)
    return kernel


def execute(program: Program, kernel: CompiledKernel, seed: int) -> None:
    data = np.random.default_rng(seed).integers(0, 1 << 32, program.input_words, np.uint32)
    result = run(kernel, data, np.zeros(program.output_words, np.uint32))[1]
    assert result.tolist() == program.execute(data).tolist(), program.text()


@settings(QUIET, max_examples=examples(40))
@given(programs(), SEEDS)
def test_programs(program: Program, seed: int) -> None:
    execute(program, checked(program), seed)


@pytest.mark.exhaustive
@settings(QUIET, max_examples=examples(8))
@given(programs(sizes=(0, 17, 200), copies=8, most=20), SEEDS)
def test_programs_that_spill(program: Program, seed: int) -> None:
    """All inputs stay alive to the end: together they are larger than 128 registers."""
    program = Program(program.inputs, program.statements, program.outputs + program.inputs)
    kernel = checked(program, grf_count=128)
    assert kernel.facts.spill_size > 0
    execute(program, kernel, seed)
    assert checked(program).facts.spill_size == 0
