"""Both engines leave the same bits behind for thousands of random programs; `tests.bulk.engines` has more of them."""

from __future__ import annotations

import pytest

from tests.amounts import examples
from tests.unit.runtime.simulator.programs.differential import assert_engines_agree
from tests.unit.runtime.simulator.programs.random_kernels import KernelSource, run
from tests.unit.runtime.simulator.programs.random_programs import ProgramSource
from xegpu.targets import ARC, PVC

PROGRAMS_OF_A_BATCH, KERNELS_OF_A_BATCH = examples(400), examples(4)


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("batch", range(6))
def test_programs(batch: int) -> None:
    source = ProgramSource(ARC if batch % 3 == 2 else PVC, batch)
    for _ in range(PROGRAMS_OF_A_BATCH):
        assert_engines_agree(source.case())


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("batch", range(4))
def test_kernels(batch: int) -> None:
    source = KernelSource(batch)
    for number in range(KERNELS_OF_A_BATCH):
        kernel = source.next()
        assert run(kernel, "jit") == run(kernel, "interpreter"), f"kernel {number}:\n{kernel.text}"
