"""Work-items that go different ways: each computes what it would compute alone."""

from __future__ import annotations

import os

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.compiler.simt_programs import DTYPES, SLOTS, STORED, Environment, Program, programs
from tests.unit.compiler.support import Array, compile_one, run
from tests.unit.compiler.test_random_programs import QUIET, SEEDS
from xegpu.isa import CompiledKernel

PROGRAMS = int(os.environ.get("XEGPU_TEST_DIVERGENCE", "12"))
"""Random programs to run; more on demand."""
ITEMS = 21
"""Work-items: the last subgroup is not full."""


def values(rng: np.random.Generator, type: str, count: int) -> Array:
    """Small numbers, so that comparisons go both ways."""
    return rng.integers(0, 6, count).astype(DTYPES[type])


def execute(program: Program, kernel: CompiledKernel, seed: int) -> None:
    """Runs a program in all engines and compares with each work-item alone."""
    rng = np.random.default_rng(seed)
    inputs = {type: values(rng, type, ITEMS) for type in STORED}
    same = {type: values(rng, type, 1)[0] for type in STORED}
    untouched = {type: np.full((SLOTS, ITEMS), 77, DTYPES[type]) for type in STORED}
    arguments: list[Array | np.generic | int] = []
    for type in STORED:
        arguments += [inputs[type], ITEMS, same[type], untouched[type], ITEMS]
    outputs = run(kernel, *arguments, local=(ITEMS, 1, 1))
    expected = {type: array.copy() for type, array in untouched.items()}
    for item in range(ITEMS):
        own: Environment = {f"x_{type}": inputs[type][item] for type in STORED}
        own |= {f"u_{type}": same[type] for type in STORED}
        for (type, slot), value in program.execute(own).items():
            expected[type][slot, item] = value
    for type, output in zip(STORED, outputs[1::2], strict=True):
        np.testing.assert_array_equal(output, expected[type], f"{type} in\n{program.text(kernel.simd_size)}")


@settings(QUIET, max_examples=PROGRAMS)
@given(programs(), SEEDS, st.sampled_from([16, 32]))
def test_random_programs(program: Program, seed: int, subgroup_size: int) -> None:
    execute(program, compile_one(program.text(subgroup_size)), seed)
