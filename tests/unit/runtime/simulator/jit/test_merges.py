"""Selects and strided writes that merge the results of bitwise operations with their operands."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from runtime.simulator import Memory, ThreadState
from runtime.simulator.jit import JitEngine
from tests.unit.runtime.simulator.jit.hosts import HOSTS
from tests.unit.runtime.simulator.programs.differential import GRF_COUNT, kernel
from xegpu.isa import assemble, decode_program
from xegpu.targets import PVC

MASK = 0x0F0F0F0F
SELECTED = """
(W) and (16|M0) r20.0<1>:ud r8.0<1;1,0>:ud 0x0f0f0f0f:ud
(W) and (16|M0) r22.0<1>:ud r10.0<1;1,0>:ud 0xf0f0f0f0:ud
(W) or (16|M0) r24.0<1>:ud r{first}.0<1;1,0>:ud r{second}.0<1;1,0>:ud
(W) cmp (16|M0) (ne)f0.0 null<1>:ud r12.0<1;1,0>:ud 0x0:ud
(W&f0.0) sel (16|M0) r26.0<1>:ud r{yes}.0<1;1,0>:ud r{no}.0<1;1,0>:ud
(W) mov (16|M0) r20.0<1>:ud 0x0:ud
(W) mov (16|M0) r22.0<1>:ud 0x0:ud
(W) mov (16|M0) r24.0<1>:ud 0x0:ud
(W) eot (1|M0)
"""
"""A bitwise blend of r8 and r10, and by r12 either the blend or one of its operands; nothing else is kept."""
CASES = [(order, choice) for order in permutations((20, 22)) for choice in ((24, 8), (24, 10), (8, 24), (10, 24))]


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("case", CASES)
def test_a_blend_or_one_of_its_operands(host: str, case: tuple[tuple[int, int], tuple[int, int]]) -> None:
    (first, second), (yes, no) = case
    rng = np.random.default_rng(5)
    a, b = (rng.integers(0, 1 << 32, 16, np.uint32) for _ in range(2))
    condition = rng.integers(0, 2, 16, np.uint32)
    values = {8: a, 10: b, 24: a & np.uint32(MASK) | b & ~np.uint32(MASK)}
    registers = bytearray(GRF_COUNT * PVC.platform.grf_bytes)
    for number, content in ((8, a), (10, b), (12, condition)):
        registers[64 * number : 64 * number + content.nbytes] = content.tobytes()
    text = SELECTED.format(first=first, second=second, yes=yes, no=no)
    executable = kernel(decode_program(assemble(text)).instructions, PVC)
    state = ThreadState(bytes(registers), (0,) * PVC.platform.flag_registers, 0xFFFFFFFF)
    final = JitEngine(HOSTS[host]).prepare(executable).run_thread(state, Memory())
    result = np.frombuffer(final.registers[64 * 26 : 64 * 27], np.uint32)
    np.testing.assert_array_equal(result, np.where(condition != 0, values[yes], values[no]))
