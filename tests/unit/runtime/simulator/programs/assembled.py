"""Kernels written as assembly, and threads that run them, for tests."""

from __future__ import annotations

import struct
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from runtime.simulator import Dispatch, KernelDescription, Memory, Simulator, Statistics, ThreadState
from runtime.simulator.engines import create
from runtime.simulator.supervision.limits import DEFAULT_INSTRUCTION_LIMIT
from tests.unit.runtime.simulator.described import described
from xegpu.isa import assemble
from xegpu.isa.model import Dim3
from xegpu.targets import PVC, Target

GRF_COUNT = 128


def describe(
    text: str,
    target: Target = PVC,
    *,
    simd_size: int = 16,
    grf_count: int = GRF_COUNT,
    local_id_dimensions: int = 0,
    walk_order: Dim3 = (0, 1, 2),
    cross_thread_size: int = 0,
    slm_size: int = 0,
    barrier_count: int = 0,
    scratch_size: int = 0,
) -> KernelDescription:
    """The kernel `test`, whose code is the program."""
    return described(
        "test",
        assemble(text, grf_bytes=target.platform.grf_bytes),
        target,
        simd_size,
        grf_count,
        local_id_dimensions=local_id_dimensions,
        walk_order=walk_order,
        cross_thread_size=cross_thread_size,
        slm_size=slm_size,
        barrier_count=barrier_count,
        scratch_size=scratch_size,
    )


def launch(
    memory: Memory,
    text: str,
    groups: Dim3 = (1, 1, 1),
    local: Dim3 = (16, 1, 1),
    arguments: tuple[int, ...] = (),
    *,
    target: Target = PVC,
    engine: str = "interpreter",
    limit: int = DEFAULT_INSTRUCTION_LIMIT,
    simd_size: int = 16,
    local_id_dimensions: int = 0,
    scratch_size: int = 0,
) -> Statistics:
    """Runs the program as a kernel whose cross-thread payload is the arguments, eight bytes each."""
    simulator = Simulator(target, memory, engine, instruction_limit=limit)
    description = describe(
        text,
        target,
        simd_size=simd_size,
        local_id_dimensions=local_id_dimensions,
        cross_thread_size=8 * len(arguments),
        scratch_size=scratch_size,
    )
    cross_thread = struct.pack(f"<{len(arguments)}Q", *arguments)
    return simulator.run(simulator.load(description), Dispatch(groups, local, cross_thread))


class Thread:
    """The registers and flags that one thread leaves behind."""

    def __init__(self, state: ThreadState, target: Target):
        self.bytes = np.frombuffer(state.registers, np.uint8).reshape(-1, target.platform.grf_bytes)
        self.flags = state.flags

    def __getitem__(self, place: tuple[int, str]) -> NDArray[np.generic]:
        """The elements of a register: number and numpy type, as in `thread[5, "f4"]`."""
        number, dtype = place
        elements: NDArray[np.generic] = self.bytes[number].view(dtype)
        return elements


def run_thread(
    text: str,
    registers: Mapping[int, NDArray[np.generic] | np.generic] | None = None,
    *,
    mask: int = 0xFFFFFFFF,
    flags: tuple[int, ...] = (0, 0, 0, 0),
    target: Target = PVC,
    engine: str = "interpreter",
    memory: Memory | None = None,
    scratch_size: int = 0,
) -> Thread:
    """Runs the program, to which an `eot` is added, on one thread; `registers` are contents from a register on."""
    image = np.zeros(GRF_COUNT * target.platform.grf_bytes, np.uint8)
    for number, values in (registers or {}).items():
        data = np.ascontiguousarray(values).view(np.uint8).ravel()
        image[number * target.platform.grf_bytes :][: len(data)] = data
    executable = Simulator(target, Memory(), engine).load(
        describe(text + "\neot\n", target, simd_size=1, scratch_size=scratch_size)
    )
    state = ThreadState(image.tobytes(), flags[: target.platform.flag_registers], mask)
    return Thread(create(engine).prepare(executable).run_thread(state, memory or Memory()), target)
