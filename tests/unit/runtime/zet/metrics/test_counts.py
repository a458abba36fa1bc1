"""Metrics against counts that follow from how the kernel was made."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import ze, zet
from tests.unit.runtime.zet.metrics.world import MOST_OF, World, kernel_of, values

KERNEL = kernel_of(
    """
    (W) mov (16|M0) r4:uq r1.0<0;1,0>:uq
    load.ugm.d32x64t.a64.ca.ca (1|M0) r10:4 flat[r1]:1
    load.ugm.d32.a64.uc.uc (16|M0) r20:1 flat[r4]:2
    store.ugm.d16u32.a64.wb.wb (16|M0) flat[r4]:2 r20:1
    atomic_iadd.ugm.d32.a64 (16|M0) r21:1 flat[r4]:2 r20:1
    (W) mov (16|M0) r2:ud 0:ud
    load.slm.d32.a32 (16|M0) r22:1 flat[r2]:1
    store.slm.d32.a32 (16|M0) flat[r2]:1 r22:1
    prefetch.ugm.d32x64t.a64.st.uc (1|M0) flat[r1]:1
    barrier
    add (16|M0) r24:f r24:f r24:f
    mad (16|M0) r24:f r24:f r24:f r24:f
    mul (16|M0) r26:hf r26:hf r26:hf
    eot
""",
    barriers=1,
    slm=64,
)
THREADS = 3 * 2
"""Three groups of two threads."""


def test_instruction_mix(machine: World) -> None:
    found = machine.measured("InstructionMix", KERNEL, 3, 32)
    assert found["XVE_INST_EXECUTED_ALL"] == 14 * THREADS
    assert found["XVE_INST_EXECUTED_FLOAT_ALL"] == 3 * THREADS
    assert found["XVE_INST_EXECUTED_SEND_ALL"] == 8 * THREADS
    assert found["XVE_INST_EXECUTED_CONTROL_ALL"] == THREADS
    assert found["XVE_INST_EXECUTED_LONG_ALL"] == THREADS
    assert found["XVE_INST_EXECUTED_INT_ALL"] == THREADS
    assert found["XVE_INST_EXECUTED_EM_ALL"] == found["XVE_INST_EXECUTED_XMX_ALL"] == 0
    assert found["XVE_FLOP32"] == (1 + 2) * 16 * THREADS
    assert found["XVE_FLOP16"] == 16 * THREADS
    assert found["XVE_FLOP64"] == found["XVE_XMX_OPS"] == 0
    assert found["XVE_SIMD_UTILIZATION"] == 100
    assert found["XVE_BARRIER_MESSAGE_COUNT"] == THREADS
    assert found["XVE_ATOMIC_ACCESS_COUNT"] == THREADS
    assert found["XVE_FENCE_COUNT"] == 0


def test_bytes(machine: World) -> None:
    found = machine.measured("LoadStoreCacheProfile", KERNEL, 3, 32)
    loaded, stored = (256 + 64 + 64) * THREADS, (32 + 64) * THREADS
    assert found["LOAD_STORE_CACHE_BYTE_READ"] == loaded
    assert found["LOAD_STORE_CACHE_BYTE_WRITE"] == stored
    assert found["LOAD_STORE_CACHE_BYPASS_BYTE_READ"] == (64 + 64) * THREADS
    assert found["LOAD_STORE_CACHE_LOAD_COUNT"] == 2 * THREADS
    assert found["LOAD_STORE_CACHE_STORE_COUNT"] == THREADS
    assert found["LOAD_STORE_CACHE_PREFETCH_COUNT"] == THREADS
    assert (found["SLM_BYTE_READ"], found["SLM_BYTE_WRITE"]) == (64 * THREADS, 64 * THREADS)
    assert found["SLM_ACCESS_COUNT"] == 2 * THREADS
    assert found["SCRATCH_ACCESS_COUNT"] == found["IMAGE_ACCESS_COUNT"] == 0
    cache = machine.measured("DeviceCacheProfile", KERNEL, 3, 32)
    assert cache["L3_BYTE_WRITE"] == stored
    memory = cache["GPU_MEMORY_BYTE_READ"] + cache["GPU_MEMORY_BYTE_WRITE"]
    assert memory == loaded + stored  # less than what is allocated
    assert cache["L3_BYTE_READ"] == cache["GPU_MEMORY_BYTE_READ"] == loaded
    assert cache["L3_HIT"] == found["LOAD_STORE_CACHE_HIT"] == 0


def test_bytes_of_memory_that_is_read_again(machine: World) -> None:
    """64 KiB are allocated, so that no more come from memory; loads that bypass L1 come from L3."""
    loads = "\n".join(["load.ugm.d32x64t.a64.ca.ca (1|M0) r10:4 flat[r1]:1"] * 3)
    direct = "load.ugm.d32x64t.a64.uc.uc (1|M0) r10:4 flat[r1]:1"
    found = machine.measured("DeviceCacheProfile", kernel_of(f"{loads}\n{direct}\neot"), 1000)
    assert found["GPU_MEMORY_BYTE_READ"] == 1 << 16
    assert found["L3_BYTE_READ"] == 256 * 1000
    assert found["L3_HIT"] == pytest.approx(100 * (1 - (1 << 16) / 256000))
    again = machine.measured("LoadStoreCacheProfile", kernel_of(f"{loads}\n{direct}\neot"), 1000)
    assert again["LOAD_STORE_CACHE_HIT"] == pytest.approx(75)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("load.ugm.d32x64t.a64.uc.uc (1|M0) r10:4 flat[r1]:1\nadd (16|M0) r10:f r10:f r10:f", "SBID"),
        ("\n".join(["add (16|M0) r10:f r10:f r10:f"] * 20), "ALUWR"),
        ("\n".join(f"add (32|M0) r{n}:f r80:f r80:f" for n in range(10, 50, 2)), "PIPESTALL"),
        ("\n".join(["barrier"] * 20), "BARRIER"),
    ],
)
def test_reasons_of_stalls(machine: World, text: str, reason: str) -> None:
    """The reason for which the kernel waits most, apart from its end; all reasons together are the stall."""
    found = machine.measured("VectorEngineStalls", kernel_of(f"{text}\neot", barriers=1))
    parts = {name: value for name, value in found.items() if name.startswith("XVE_STALL_")}
    assert sum(parts.values()) == pytest.approx(found["XVE_STALL"], rel=1e-5) and found["XVE_STALL"] > 0
    assert {name for name, value in parts.items() if value} == {f"XVE_STALL_{reason}", "XVE_STALL_CONTROL"}


def test_divergence(machine: World) -> None:
    half = kernel_of("(W) mov (1|M0) f0.0:ud 0xFF:ud\n(f0.0) add (16|M0) r2:f r2:f r2:f\neot")
    found = machine.measured("InstructionMix", half, 2)
    assert found["XVE_SIMD_UTILIZATION"] == 50
    assert found["XVE_FLOP32"] == 2 * 8


def test_time_follows_the_cost_model(machine: World) -> None:
    """The time is that of the kernel's timestamps, and shares are those of the profile."""
    profiles = []
    machine.machine.profiler = profiles.append
    found = machine.measured("VectorEngineProfile", kernel_of("add (16|M0) r24:f r24:f r24:f\neot"), 500)
    (profile,) = profiles
    estimate, target = profile.estimate, profile.target
    assert found["GpuTime"] == round(profile.seconds * 1e9)
    assert found["AvgGpuCoreFrequencyMHz"] == target.core_clock_mhz
    assert found["GpuCoreClocks"] == pytest.approx(estimate.cycles, abs=2)
    assert found["GPU_BUSY"] == 100
    assert found["KERNEL_COUNT"] == 1
    assert found["XVE_COMPUTE_GROUP_COUNT"] == found["XVE_COMPUTE_THREAD_COUNT"] == 500
    assert found["XVE_PIPE_FLOAT_ACTIVE"] == pytest.approx(100 * 500 / (estimate.cycles * target.eus), rel=1e-2)
    assert found["XVE_ACTIVE"] + found["XVE_STALL"] == pytest.approx(found["XVE_BUSY"], rel=1e-5)
    assert 0 < found["XVE_THREADS_OCCUPANCY_ALL"] < found["XVE_BUSY"] < 100


def test_nothing_is_counted_before_and_behind(machine: World) -> None:
    query = machine.new_query(machine.activated("InstructionMix"))
    kernel = kernel_of("add (16|M0) r24:f r24:f r24:f\neot")
    machine.launch(machine.immediate, kernel, 7)
    zet.zetCommandListAppendMetricQueryBegin(machine.immediate, query)
    machine.launch(machine.immediate, kernel, 2)
    machine.launch(machine.immediate, kernel, 3)
    zet.zetCommandListAppendMetricQueryEnd(machine.immediate, query)
    machine.launch(machine.immediate, kernel, 7)
    raw = zet.zetMetricQueryGetData(query)
    assert values(query.pool.group, raw)[0]["XVE_INST_EXECUTED_ALL"] == 2 * 5
    assert machine.device.processor.listeners == ()
    most = values(query.pool.group, raw, MOST_OF)[0]
    assert most["XVE_SIMD_UTILIZATION"] == 100 and most["XVE_INST_EXECUTED_ALL"] == 2 * 5


def test_copies(machine: World) -> None:
    query = machine.new_query(machine.activated("MemoryProfile"))
    zet.zetCommandListAppendMetricQueryBegin(machine.immediate, query)
    ze.zeCommandListAppendMemoryCopy(machine.immediate, machine.buffer, np.zeros(1000, np.uint8), 1000)
    zet.zetCommandListAppendMetricQueryEnd(machine.immediate, query)
    found = values(query.pool.group, zet.zetMetricQueryGetData(query))[0]
    assert (found["HOST_TO_GPU_BYTES"], found["GPU_TO_HOST_BYTES"]) == (1000, 0)
    assert (found["GPU_MEMORY_BYTE_READ"], found["GPU_MEMORY_BYTE_WRITE"]) == (0, 1000)
    assert found["COPY_ENGINE_TIME"] == found["GpuTime"] > 0
