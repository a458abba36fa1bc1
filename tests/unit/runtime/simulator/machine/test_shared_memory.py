"""Shared local memory and atomics in whole launches, in both engines."""

from __future__ import annotations

import numpy as np

from runtime.simulator import FaultKind
from tests.unit.runtime.simulator.jit.launches import Bench

INDICES = """
    (W) mov (8|M0) r4.0<1>:uw 0x76543210:uv
    (W) add (8|M0) r4.8<1>:uw r4.0<1;1,0>:uw 8:uw
    (W) mul (16|M0) r5.0<1>:ud r4.0<1;1,0>:uw 4:ud
"""
"""Byte offsets of the lanes' dwords in r5."""


def test_a_group_has_shared_memory_of_its_own_that_starts_as_zeros() -> None:
    text = (
        INDICES
        + """
    load.slm.d32.a32 (16|M0) r6 flat[r5]
    store.slm.d32.a32 (16|M0) flat[r5] r5
    (W) mul (1|M0) r12.0<1>:ud r0.1<0;1,0>:ud 64:ud
    (W) add (1|M0) r13.0<1>:uq r1.0<0;1,0>:uq r12.0<0;1,0>:ud
    (W) store.ugm.d32x16t.a64 (1|M0) flat[r13] r6
    eot
    """
    )
    bench = Bench(text, [64 * 6], simd_size=16, slm_size=64)
    (image,) = bench.results((6, 1, 1), (16, 1, 1))
    assert image == bytes(len(image))


def test_an_access_behind_shared_memory_is_a_fault() -> None:
    bench = Bench(INDICES + "load.slm.d32.a32 (16|M0) r6 flat[r5]\neot", [], simd_size=16, slm_size=60)
    fault = bench.fault((1, 1, 1), (16, 1, 1))
    assert (fault.kind, fault.lane, fault.address) == (FaultKind.SLM_OVERFLOW, 15, 60)
    assert "the work-group has 60 bytes" in str(fault)


def test_a_misaligned_access_to_shared_memory_is_a_fault() -> None:
    bench = Bench(INDICES + "load.slm.d32.a32 (16|M0) r6 flat[r5+2]\neot", [], simd_size=16, slm_size=128)
    assert bench.fault((1, 1, 1), (16, 1, 1)).kind is FaultKind.MISALIGNED


def test_no_increment_of_any_host_thread_is_lost() -> None:
    text = """
    (W) mov (16|M0) r4.0<1>:uq r1.0<0;1,0>:uq
    (W) mov (1|M0) r8.0<1>:d 500:d
    loop:
    atomic_iinc.ugm.d32.a64 (16|M0) null flat[r4]
    (W) add (1|M0) (gt)f0.0 r8.0<1>:d r8.0<0;1,0>:d -1:d
    (W&f0.0) jmpi (1|M0) loop
    (W) fence.ugm.none.gpu (1|M0)
    eot
    """
    bench = Bench(text, [4], simd_size=16)
    bench.run("jit", (40, 1, 1), (16, 1, 1), threads=4)
    assert np.frombuffer(bench.buffers[0].view(), np.uint32)[0] == 500 * 40 * 16


def test_float_sums_of_all_host_threads_are_exact() -> None:
    text = """
    (W) mov (16|M0) r4.0<1>:uq r1.0<0;1,0>:uq
    (W) mov (16|M0) r6.0<1>:f 1.0:f
    (W) mov (1|M0) r8.0<1>:d 100:d
    loop:
    atomic_fadd.ugm.d32.a64 (16|M0) null flat[r4] r6
    (W) add (1|M0) (gt)f0.0 r8.0<1>:d r8.0<0;1,0>:d -1:d
    (W&f0.0) jmpi (1|M0) loop
    eot
    """
    bench = Bench(text, [4], simd_size=16)
    bench.run("jit", (40, 1, 1), (16, 1, 1), threads=4)
    assert np.frombuffer(bench.buffers[0].view(), np.float32)[0] == 100 * 40 * 16


def test_tickets_are_handed_out_in_lane_order() -> None:
    text = (
        INDICES
        + """
    (W) mov (16|M0) r6.0<1>:ud 0:ud
    (W) mov (16|M0) r7.0<1>:ud 0:ud
    store.slm.d32.a32 (16|M0) flat[r6] r7
    atomic_iinc.slm.d32.a32 (16|M0) r8 flat[r6]
    (W) store.ugm.d32x16t.a64 (1|M0) flat[r1] r8
    eot
    """
    )
    bench = Bench(text, [64], simd_size=16, slm_size=64)
    (image,) = bench.results((1, 1, 1), (16, 1, 1))
    assert np.frombuffer(image, np.uint32).tolist() == list(range(16))


def test_a_store_to_constants_is_reported_for_atomics_that_write() -> None:
    text = "(W) mov (16|M0) r4.0<1>:uq r1.0<0;1,0>:uq\natomic_{}.ugm.d32.a64 (16|M0) r8 flat[r4]\neot"
    fault = Bench(text.format("iinc"), [64], simd_size=16, read_only=[0]).fault((1, 1, 1), (16, 1, 1))
    assert (fault.kind, fault.access) == (FaultKind.READ_ONLY, "write")
    Bench(text.format("load"), [64], simd_size=16, read_only=[0]).run("jit", (1, 1, 1), (16, 1, 1))
