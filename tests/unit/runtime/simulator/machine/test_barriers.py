"""Barriers in whole launches: both engines must leave the same memory and report the same faults."""

from __future__ import annotations

import time

import numpy as np
import pytest
from numpy.typing import NDArray

from runtime.simulator import FaultKind, IllegalCode
from tests.unit.runtime.simulator.jit.launches import Bench

PLACE = """
    (W) and (1|M0) r10.0<1>:ud r0.2<0;1,0>:ud 255:ud
    (W) mul (1|M0) r11.0<1>:ud r10.0<0;1,0>:ud 4:ud
"""
"""The thread's number in r10 and the byte offset of its dword in r11."""

EXCHANGE = (
    PLACE
    + """
    (W) mov (1|M0) r12.0<1>:ud r11.0<0;1,0>:ud
    (W) mov (1|M0) r20.0<1>:d {rounds}:d
    loop:
    (W) store.slm.d32.a32 (1|M0) flat[r11] r12
    {barrier}
    (W) add (1|M0) r13.0<1>:ud r11.0<0;1,0>:ud 4:ud
    (W) and (1|M0) r13.0<1>:ud r13.0<0;1,0>:ud {mask}:ud
    (W) load.slm.d32.a32 (1|M0) r14 flat[r13]
    {barrier}
    (W) add (1|M0) r12.0<1>:ud r14.0<0;1,0>:ud 1:ud
    (W) add (1|M0) (gt)f0.0 r20.0<1>:d r20.0<0;1,0>:d -1:d
    (W&f0.0) jmpi (1|M0) loop
    (W) mul (1|M0) r15.0<1>:ud r0.1<0;1,0>:ud {bytes}:ud
    (W) add (1|M0) r15.0<1>:ud r15.0<0;1,0>:ud r11.0<0;1,0>:ud
    (W) add (1|M0) r16.0<1>:uq r1.0<0;1,0>:uq r15.0<0;1,0>:ud
    (W) store.ugm.d32x1t.a64 (1|M0) flat[r16] r12
    eot
    """
)
"""Every thread gives its number to its neighbour, round and round."""


def exchange(threads: int, rounds: int, barrier: str) -> str:
    return EXCHANGE.format(rounds=rounds, barrier=barrier, mask=4 * threads - 1, bytes=4 * threads)


def expected(threads: int, rounds: int) -> NDArray[np.uint32]:
    return np.array([4 * ((thread + rounds) % threads) + rounds for thread in range(threads)], np.uint32)


BARRIERS = {
    "barrier": "barrier",
    "split": "sbarrier.signal\n    nop\n    sbarrier.wait",
    "named": "nbarrier.signal {signal}:ud\n    nbarrier.wait 1:ub",
}


@pytest.mark.parametrize("kind", BARRIERS)
@pytest.mark.parametrize("threads", [1, 2, 32])
def test_neighbours_exchange_values(kind: str, threads: int) -> None:
    barrier = BARRIERS[kind].format(signal=hex(1 | threads << 16 | threads << 24))
    bench = Bench(exchange(threads, 5, barrier), [4 * threads * 3], slm_size=4 * threads, barrier_count=2)
    (image,) = bench.results((3, 1, 1), (threads, 1, 1))
    for group in np.frombuffer(image, np.uint32).reshape(3, threads):
        assert group.tolist() == expected(threads, 5).tolist()


def test_a_thousand_barriers_of_64_threads_take_little_time() -> None:
    bench = Bench(exchange(64, 1000, "barrier"), [256 * 4], slm_size=256, barrier_count=1)
    bench.run("jit", (1, 1, 1), (64, 1, 1))
    start = time.perf_counter()
    bench.run("jit", (4, 1, 1), (64, 1, 1))
    assert time.perf_counter() - start < 10  # half a million waits; a fifth of a second when nothing else runs
    assert np.frombuffer(bench.buffers[0].view(), np.uint32)[:64].tolist() == expected(64, 1000).tolist()


def test_registers_flags_and_scratch_space_survive_a_wait() -> None:
    text = (
        PLACE
        + """
    (W) mov (8|M0) r30.0<1>:uw 0x76543210:uv
    (W) mul (8|M0) r31.0<1>:ud r30.0<1;1,0>:uw r10.0<0;1,0>:ud
    (W) cmp (8|M0) (gt)f1.0 null<1>:ud r31.0<1;1,0>:ud 3:ud
    (W) mov (1|M0) r32.0<1>:ud 0:ud
    (W) store.ugm.d32x8t.a32 (1|M0) ss[r32] r31
    (W) mov (1|M0) a0.0<1>:uw r11.0<0;1,0>:uw
    (W) dpas.8x8 (16|M0) r40.0:f null:f r60.0:bf r70.0:bf
    (W) mov (16|M0) r40.0<1>:ud r10.0<0;1,0>:ud
    barrier
    (W) load.ugm.d32x8t.a32 (1|M0) r33 ss[r32]
    (W&f1.0) add (8|M0) r33.0<1>:ud r33.0<1;1,0>:ud r31.0<1;1,0>:ud
    (W) mov (1|M0) r33.8<1>:uw a0.0<0;1,0>:uw
    (W) dpas.8x8 (16|M0) r50.0:f null:f r60.0:bf r70.0:bf
    (W) add (1|M0) r33.9<1>:ud r40.3<0;1,0>:ud r10.0<0;1,0>:ud
    (W) mul (1|M0) r34.0<1>:ud r10.0<0;1,0>:ud 64:ud
    (W) add (1|M0) r35.0<1>:uq r1.0<0;1,0>:uq r34.0<0;1,0>:ud
    (W) store.ugm.d32x16t.a64 (1|M0) flat[r35] r33
    eot
    """
    )
    bench = Bench(text, [64 * 8], scratch_size=64, barrier_count=1)
    (image,) = bench.results((1, 1, 1), (8, 1, 1))
    for thread, row in enumerate(np.frombuffer(image, np.uint32).reshape(8, 16)):
        products = [i * thread for i in range(8)]
        wanted = [2 * p if p > 3 else p for p in products]
        assert row[:4].tolist() == wanted[:4]
        assert row[9] == 2 * thread


PIPE = (
    PLACE
    + """
    (W) cmp (1|M0) (eq)f0.0 null<1>:ud r10.0<0;1,0>:ud 0:ud
    (W) mov (1|M0) r20.0<1>:ud 0:ud
    (W&~f0.0) jmpi (1|M0) consumer
    (W) mov (1|M0) r21.0<1>:ud 77:ud
    (W) store.slm.d32.a32 (1|M0) flat[r20] r21
    nbarrier.signal 0x02014001:ud
    eot
    consumer:
    nbarrier.signal 0x02018001:ud
    nbarrier.wait 1:ud
    (W) load.slm.d32.a32 (1|M0) r21 flat[r20]
    (W) add (1|M0) r22.0<1>:uq r1.0<0;1,0>:uq r11.0<0;1,0>:ud
    (W) store.ugm.d32x1t.a64 (1|M0) flat[r22] r21
    eot
"""
)


def test_a_producer_goes_on_and_its_consumers_wait() -> None:
    (image,) = Bench(PIPE, [12], slm_size=4, barrier_count=2).results((1, 1, 1), (3, 1, 1))
    assert np.frombuffer(image, np.uint32)[1:].tolist() == [77, 77]


def fault(text: str, threads: int = 4, count: int = 2, groups: int = 1) -> tuple[FaultKind, str, int, int]:
    found = Bench(PLACE + text, [], barrier_count=count).fault((groups, 1, 1), (threads, 1, 1))
    return found.kind, found.detail, found.subgroup, found.offset


SKIP = """
    (W) cmp (1|M0) (eq)f0.0 null<1>:ud r10.0<0;1,0>:ud 2:ud
    (W&f0.0) jmpi (1|M0) end
    {}
    end:
    eot
"""


def test_a_thread_that_ends_leaves_the_others_in_a_deadlock() -> None:
    kind, detail, subgroup, offset = fault(SKIP.format("barrier"))
    assert (kind, subgroup, offset) == (FaultKind.DEADLOCK, 0, 0x50)
    assert detail == "3 of 4 subgroups wait, the others have ended; barrier 0 has 3 of 4 producers and 3 of 4 consumers"


def test_threads_at_different_barriers_are_in_a_deadlock() -> None:
    text = SKIP.format("barrier").replace("end:", "nbarrier.signal 0x02020001:ud\nend: nbarrier.wait 1:ud")
    assert fault(text)[0] is FaultKind.BARRIER  # thread 2 waits without a signal
    text = "nbarrier.signal 0x05050001:ud\nnbarrier.wait 1:ud\neot"
    kind, detail, subgroup, _ = fault(text, threads=3)
    assert (kind, subgroup) == (FaultKind.DEADLOCK, 0)
    assert "3 of 3 subgroups wait" in detail
    assert "barrier 1 has 3 of 5 producers" in detail


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("nbarrier.signal 0x04040002:ud", "barrier 2, the kernel has 2"),
        ("nbarrier.wait 9:ud", "barrier 9, the kernel has 2"),
        ("nbarrier.wait 1:ud", "the thread waits for barrier 1 without having signalled as a consumer"),
        ("nbarrier.signal 0x04044001:ud\nnbarrier.wait 1:ud", "waits for barrier 1 without having signalled"),
        ("sbarrier.wait", "the thread waits for barrier 0 without"),
        ("sbarrier.signal\nsbarrier.signal", "the thread signals barrier 0 again before it has waited"),
        ("nbarrier.signal 0x0404c001:ud", "barrier 1 with role 3, 4 producers, 4 consumers"),
        ("nbarrier.signal 0x00040001:ud", "barrier 1 with role 0, 4 producers, 0 consumers"),
        ("nbarrier.signal 0x02024001:ud\n" * 3, "barrier 1 takes 2 producers and 2 consumers, one more signals"),
    ],
)
def test_misuse(text: str, detail: str) -> None:
    kind, found, subgroup, _ = fault(text + "\neot")
    assert (kind, subgroup) == (FaultKind.BARRIER, 0)
    assert detail in found


def test_signals_that_disagree() -> None:
    text = (
        PLACE
        + """
    (W) shl (1|M0) r12.0<1>:ud r10.0<0;1,0>:ud 16:ud
    (W) add (1|M0) r12.0<1>:ud r12.0<0;1,0>:ud 0x04040001:ud
    nbarrier.signal r12.0<0;1,0>:ud
    eot
    """
    )
    found = Bench(text, [], barrier_count=2).fault((1, 1, 1), (4, 1, 1))
    assert (found.kind, found.subgroup) == (FaultKind.BARRIER, 1)
    assert "barrier 1 for 5 producers and 4 consumers" in found.detail


def test_the_report_names_everything() -> None:
    report = str(Bench(PLACE + SKIP.format("barrier"), [], barrier_count=1).fault((5, 1, 1), (4, 1, 1)))
    assert report.startswith("deadlock in kernel 'kernel': 3 of 4 subgroups wait")
    assert "at: work-group (0, 0, 0), subgroup 0" in report
    assert "instruction at offset 0x50: barrier" in report


def test_a_kernel_without_barriers_cannot_use_them() -> None:
    with pytest.raises(IllegalCode, match="barrier: the kernel has no barriers"):
        Bench("barrier\neot", []).run("jit", (1, 1, 1))
    with pytest.raises(IllegalCode, match="33 barriers, pvc has 32"):
        Bench("barrier\neot", [], barrier_count=33).run("jit", (1, 1, 1))
