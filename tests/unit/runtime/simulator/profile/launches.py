"""Launches that count, for the tests of profiles."""

from __future__ import annotations

from runtime.simulator import Dispatch, Memory, Simulator
from runtime.simulator.profile import Profile
from tests.unit.runtime.simulator.described import described
from xegpu.isa import assemble
from xegpu.isa.code.line_table import NO_LINES, LineTable
from xegpu.isa.model import Dim3
from xegpu.targets import PVC, Target

BUFFER_BYTES = 1 << 16
"""The size of the buffer to which the kernels' only argument points, the first qword of `r1`."""


def profiled(
    text: str,
    groups: Dim3 = (1, 1, 1),
    items: int = 16,
    *,
    target: Target = PVC,
    engine: str = "jit",
    simd: int = 16,
    grf: int = 128,
    slm: int = 0,
    barriers: int = 0,
    lines: LineTable = NO_LINES,
    name: str = "k",
) -> Profile:
    """Runs a kernel and counts; `r1` starts with the address of a buffer."""
    memory = Memory()
    buffer = memory.allocate(BUFFER_BYTES, 64)
    payload = buffer.address.to_bytes(8, "little").ljust(32, b"\0")
    code = assemble(text, grf_bytes=target.platform.grf_bytes)
    description = described(
        name,
        code,
        target,
        simd,
        grf,
        cross_thread_size=len(payload),
        barrier_count=barriers,
        slm_size=slm,
        scratch_size=256,
        lines=lines,
    )
    simulator = Simulator(target, memory, engine, threads=1)
    executable = simulator.load(description)
    dispatch = Dispatch(groups, (items, 1, 1), payload)
    return Profile(executable, dispatch, simulator.run(executable, dispatch, counts=True))
