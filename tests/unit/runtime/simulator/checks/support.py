"""Launches of assembled kernels under checks."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

from runtime.simulator import Allocation, DeviceFault, Dispatch, KernelDescription, Memory, Simulator
from runtime.simulator.checks import checking_memory, observers_of, parse_checks
from tests.unit.runtime.simulator.described import described
from xegpu.isa import assemble
from xegpu.isa.model import Dim3
from xegpu.targets import PVC

LANES = """
    (W) mov (8|M0) r4.0<1>:uw 0x76543210:uv
    (W) add (8|M0) r4.8<1>:uw r4.0<1;1,0>:uw 8:uw
    (W) mul (16|M0) r5.0<1>:ud r4.0<1;1,0>:uw 4:ud
"""
"""Byte offsets of the lanes' dwords in r5."""

PLACES = (
    LANES
    + """
    (W) add (16|M0) r6.0<1>:uq r1.0<0;1,0>:uq r5.0<1;1,0>:ud
"""
)
"""And their addresses in the first buffer, in r6 and r7."""

THREAD = """
    (W) and (1|M0) r10.0<1>:ud r0.2<0;1,0>:ud 255:ud
    (W) mul (1|M0) r11.0<1>:ud r10.0<0;1,0>:ud 64:ud
"""
"""The thread's number in r10, and 64 times that in r11."""


@dataclass
class Bench:
    """A kernel whose arguments are the addresses of buffers, for any number of launches under `checks`.

    Buffers of `sizes` start as zeros; those of the numbers in `unwritten` without values.
    """

    text: str
    sizes: Sequence[int] = ()
    checks: str = "all"
    unwritten: Sequence[int] = ()
    simd_size: int = 16
    slm_size: int = 0
    barrier_count: int = 1
    scratch_size: int = 0
    memory: Memory = field(init=False)
    buffers: list[Allocation] = field(init=False)

    def __post_init__(self) -> None:
        checks = parse_checks(self.checks)
        self.memory = checking_memory(checks)
        self.buffers = [self.memory.allocate(size, label=f"buffer {i}") for i, size in enumerate(self.sizes)]
        for number, buffer in enumerate(self.buffers):
            if number not in self.unwritten:
                buffer.view()[:] = bytes(buffer.size)
        self._simulator = Simulator(PVC, self.memory, "interpreter", observers=observers_of(checks))

    def describe(self) -> KernelDescription:
        return described(
            "kernel",
            assemble(self.text, grf_bytes=PVC.platform.grf_bytes),
            PVC,
            self.simd_size,
            128,
            cross_thread_size=8 * len(self.buffers),
            scratch_size=self.scratch_size,
            slm_size=self.slm_size,
            barrier_count=self.barrier_count,
        )

    def write(self, number: int, start: int, size: int) -> None:
        """Writes zeros to bytes of a buffer."""
        self.buffers[number].data[start : start + size] = 0
        self.buffers[number].initialize(start, size)

    def run(self, groups: Dim3 = (1, 1, 1), local: Dim3 = (16, 1, 1)) -> None:
        """One launch; raises `DeviceFault`."""
        arguments = struct.pack(f"<{len(self.buffers)}Q", *(buffer.address for buffer in self.buffers))
        self._simulator.run(self._simulator.load(self.describe()), Dispatch(groups, local, arguments))

    def findings(self, groups: Dim3 = (1, 1, 1), local: Dim3 = (16, 1, 1)) -> tuple[DeviceFault, ...]:
        """Returns the findings of one launch."""
        try:
            self.run(groups, local)
        except DeviceFault as fault:
            return fault.findings
        return ()

    def finding(self, groups: Dim3 = (1, 1, 1), local: Dim3 = (16, 1, 1)) -> DeviceFault:
        """The only thing that is found."""
        (found,) = self.findings(groups, local)
        return found
