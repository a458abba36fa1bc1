"""Compiled kernels come and go while others run: nothing is freed too early, nothing stays behind."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

import numpy as np
import pytest

from runtime.simulator import Dispatch, Memory, Simulator
from runtime.simulator.jit.kernel import kernel_cache
from tests.unit.runtime.simulator.described import described
from xegpu.isa import assemble
from xegpu.targets import PVC

TEXT = """
    (W) mul (1|M0) r10.0<1>:ud r0.1<0;1,0>:ud 4:ud
    (W) add (1|M0) r12.0<1>:uq r1.0<0;1,0>:uq r10.0<0;1,0>:ud
    (W) mov (1|M0) r11.0<1>:ud {value}:ud
    (W) store.ugm.d32.a64 (1|M0) flat[r12]:1 r11:1
    (W) eot (1|M0)
"""
GROUPS = 64


def launch(value: int) -> list[int]:
    """Loads a kernel, runs it once and drops it."""
    memory = Memory()
    buffer = memory.allocate(4 * GROUPS)
    simulator = Simulator(PVC, memory, "jit", 2)
    executable = simulator.load(described("k", assemble(TEXT.format(value=value)), PVC, 1, 128, cross_thread_size=8))
    simulator.run(executable, Dispatch((GROUPS, 1, 1), (1, 1, 1), buffer.address.to_bytes(8, "little")))
    result: list[int] = np.frombuffer(buffer.view(), np.uint32).tolist()
    return result


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Almost every kernel is unloaded as soon as nobody runs it."""
    monkeypatch.setattr(kernel_cache, "CACHE_SIZE", 2)


@pytest.mark.usefixtures("forgetful")
@pytest.mark.exhaustive
def test_kernels_are_compiled_and_dropped_by_eight_threads() -> None:
    wrong: list[int] = []

    def work(first: int) -> None:
        for number in range(3):
            value = first + number  # some are shared with other threads
            if launch(value) != [value] * GROUPS:
                wrong.append(value)
            if number == 0:
                gc.collect()

    threads = [threading.Thread(target=work, args=(2 * number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def mapped_kilobytes() -> int:
    """Memory that is mapped to be executed."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    ranges = (line.split()[0].split("-") for line in lines if "x" in line.split()[1])
    return sum(int(end, 16) - int(start, 16) for start, end in ranges) >> 10


@pytest.mark.sampled(every=4)
@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="reads Linux's list of mappings")
@pytest.mark.usefixtures("forgetful")
def test_dropped_kernels_are_unloaded() -> None:
    for value in range(10):
        launch(1000 + value)
    before = mapped_kilobytes()
    for value in range(40):
        launch(2000 + value)
    gc.collect()
    assert mapped_kilobytes() - before < 40 * 4 // 2


@pytest.mark.usefixtures("forgetful")
def test_a_kernel_outlives_the_cache_while_it_is_used() -> None:
    simulator = Simulator(PVC, Memory(), "jit")
    executable = simulator.load(described("k", assemble("(W) nop (1|M0)\n(W) eot (1|M0)"), PVC, 1, 128))
    dispatch = Dispatch((3, 1, 1), (1, 1, 1))
    simulator.run(executable, dispatch)
    for value in range(5):
        launch(3000 + value)
    gc.collect()
    assert simulator.run(executable, dispatch).instructions == 6
