"""Launches of assembled kernels in both engines, over the same memory."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from runtime.simulator import DeviceFault, Dispatch, Memory, Simulator, Statistics
from tests.unit.runtime.simulator.described import described
from xegpu.isa.model import Dim3
from xegpu.isa.text.assembler import assemble
from xegpu.targets import PVC, Target

ENGINES = ("interpreter", "jit")


class Bench:
    """A kernel and buffers that its arguments point to, one qword for each buffer, then the dwords of `values`."""

    def __init__(
        self,
        text: str,
        sizes: Sequence[int],
        *,
        target: Target = PVC,
        simd_size: int = 1,
        grf_count: int = 128,
        local_id_dimensions: int = 0,
        walk_order: Dim3 = (0, 1, 2),
        scratch_size: int = 0,
        slm_size: int = 0,
        barrier_count: int = 0,
        values: Sequence[int] = (),
        read_only: Sequence[int] = (),
        instruction_limit: int = 1 << 32,
    ):
        self.memory = Memory()
        self.buffers = [self.memory.allocate(size, label=f"buffer {i}") for i, size in enumerate(sizes)]
        self.contents = [bytes(size) for size in sizes]
        for number in read_only:  # the bytes stay allocated for as long as the first allocation is referenced
            self._backing = self.buffers[number]
            self.memory.free(self._backing)
            address, size = self._backing.address, self._backing.size
            self.buffers[number] = self.memory.register(address, size, "device", "constants", writable=False)
        self.values = list(values)
        self.description = described(
            "kernel",
            assemble(text, grf_bytes=target.platform.grf_bytes),
            target,
            simd_size,
            grf_count,
            local_id_dimensions=local_id_dimensions,
            walk_order=walk_order,
            cross_thread_size=len(self.arguments()),
            scratch_size=scratch_size,
            slm_size=slm_size,
            barrier_count=barrier_count,
        )
        self.instruction_limit = instruction_limit

    def arguments(self) -> bytes:
        pointers = struct.pack(f"<{len(self.buffers)}Q", *(buffer.address for buffer in self.buffers))
        return pointers + struct.pack(f"<{len(self.values)}I", *self.values)

    def run(self, engine: str, groups: Dim3, local: Dim3 = (1, 1, 1), threads: int = 2) -> Statistics:
        """One launch; buffers start with their contents."""
        for buffer, content in zip(self.buffers, self.contents, strict=True):
            if buffer.writable:
                buffer.view()[:] = content
        simulator = Simulator(self.description.target, self.memory, engine, threads, self.instruction_limit)
        return simulator.run(simulator.load(self.description), Dispatch(groups, local, self.arguments()))

    def results(self, groups: Dim3, local: Dim3 = (1, 1, 1)) -> list[bytes]:
        """Contents of the buffers after a launch; both engines must leave the same, and count the same."""
        outcomes = []
        for engine in ENGINES:
            statistics = self.run(engine, groups, local)
            counts = statistics.instructions, statistics.threads, statistics.groups
            outcomes.append((counts, [bytes(buffer.view()) for buffer in self.buffers]))
        assert outcomes[0] == outcomes[1]
        return outcomes[0][1]

    def fault(self, groups: Dim3, local: Dim3 = (1, 1, 1)) -> DeviceFault:
        """The fault of a launch; both engines must report the same."""
        faults = []
        for engine in ENGINES:
            try:
                self.run(engine, groups, local, threads=1)
            except DeviceFault as fault:
                faults.append(fault)
        assert len(faults) == len(ENGINES)
        assert str(faults[0]) == str(faults[1])
        return faults[0]
