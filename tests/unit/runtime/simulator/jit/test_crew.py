"""Crews: helpers run at the same time as each other, callers can be interrupted, and nothing is lent while it works."""

from __future__ import annotations

import ctypes
import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from runtime.simulator import DeviceFault, Dispatch, Simulator
from runtime.simulator.jit.host_threads import brief
from runtime.simulator.jit.host_threads.crew import Crew, crew
from runtime.simulator.jit.state.launch_records import Worker
from tests.unit.runtime.simulator.jit.launches import Bench
from xegpu.isa import decode_program
from xegpu.isa.text.assembler import assemble
from xegpu.targets import PVC

_RUN_GROUPS = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)

LONG = 60.0
"""Seconds after which a test that hangs gives up."""


class Job:
    """Workers that call a function of Python instead of a kernel."""

    def __init__(self, count: int, work: Callable[[int], int]) -> None:
        self.records = [Worker() for _ in range(count)]
        self.addresses = [ctypes.addressof(record) for record in self.records]
        self._callback = _RUN_GROUPS(work)
        self.run_groups = ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    @property
    def statuses(self) -> list[int]:
        return [record.status for record in self.records]


@pytest.mark.parametrize("works_too", [False, True])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_all_workers_run_at_the_same_time(count: int, works_too: bool) -> None:
    meeting = threading.Barrier(count)

    def meet(worker: int) -> int:
        meeting.wait(LONG)
        return job.addresses.index(worker) + 1

    job = Job(count, meet)
    helped, own = (job.addresses[1:], job.addresses[0]) if works_too else (job.addresses, None)
    with crew() as members:
        for _ in range(3):
            for record in job.records:
                record.status = 0
            members.run(job.run_groups, helped, own, job)
            assert job.statuses == list(range(1, count + 1))
            assert members.is_idle


def test_a_crew_grows_and_rests() -> None:
    members = Crew()
    for count in (2, 1, 3, 0, 4):
        job = Job(count, lambda worker: 7)
        members.run(job.run_groups, job.addresses, None, job)
        assert job.statuses == [7] * count


def test_crews_are_lent_to_one_launch_at_a_time_and_again_later() -> None:
    with crew() as first, crew() as second:
        assert first is not second
    with crew() as third, crew() as fourth:
        assert {id(third), id(fourth)} == {id(first), id(second)}


@contextmanager
def alarm(handler: Callable[[], None]) -> Iterator[None]:
    """Calls `handler` in the main thread, a few times a second."""
    previous = signal.signal(signal.SIGALRM, lambda *_: handler())
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.2)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_signal_handlers_run_while_helpers_work() -> None:
    is_handled = threading.Event()
    job = Job(2, lambda worker: int(is_handled.wait(LONG)))
    with alarm(is_handled.set), crew() as members:
        members.run(job.run_groups, job.addresses, None, job)
    assert job.statuses == [1, 1]


def test_a_crew_that_still_works_is_not_lent() -> None:
    has_begun, is_interrupted, may_end = threading.Event(), threading.Event(), threading.Event()

    def work(worker: int) -> int:
        has_begun.set()
        return int(may_end.wait(LONG))

    def interrupt() -> None:
        if has_begun.is_set() and not is_interrupted.is_set():
            is_interrupted.set()
            raise KeyboardInterrupt

    job = Job(2, work)
    with alarm(interrupt), pytest.raises(KeyboardInterrupt), crew() as busy:
        busy.run(job.run_groups, job.addresses, None, job)
    with crew() as other:
        assert other is not busy
    may_end.set()
    busy.join()
    assert busy.is_idle
    assert job.statuses == [1, 1]


def test_whoever_supervises_looks_while_helpers_work() -> None:
    may_end = threading.Event()
    looks: list[int] = []

    def look() -> None:
        looks.append(len(looks))
        if len(looks) == 3:
            may_end.set()

    job = Job(1, lambda worker: int(may_end.wait(LONG)))
    with crew() as members:
        members.run(job.run_groups, job.addresses, None, job, look, 0.001)
    assert len(looks) >= 3
    assert job.statuses == [1]


def test_several_threads_launch_at_the_same_time() -> None:
    meeting = threading.Barrier(6)  # of two workers for each of three threads
    outcomes: list[list[int]] = []

    def launch() -> None:
        job = Job(2, lambda worker: int(meeting.wait(LONG) >= 0))
        with crew() as members:
            for _ in range(20):
                members.run(job.run_groups, job.addresses[:1], job.addresses[1], job)
        outcomes.append(job.statuses)

    threads = [threading.Thread(target=launch) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [[1, 1]] * 3


def _launch_two(_: object = None) -> None:
    job = Job(2, lambda worker: 3)
    with crew() as members:
        members.run(job.run_groups, job.addresses, None, job)
    assert job.statuses == [3, 3]


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system has no fork")
def test_a_child_has_crews_of_its_own() -> None:
    _launch_two()
    child = multiprocessing.get_context("fork").Process(target=_launch_two)
    child.start()
    child.join(LONG)
    assert child.exitcode == 0
    _launch_two()


# Thread t adds the value to its element of shared local memory, which is zero at first, and stores the sum; with the
# value 13 it faults first, in group 3 only.
SUMS = """
    (W) cmp (1|M0) (eq)f0.0 null<1>:ud r1.2<0;1,0>:ud 13:ud
    (W) cmp (1|M0) (eq)f1.0 null<1>:ud r0.1<0;1,0>:ud 3:ud
    (W&~f0.0) jmpi (1|M0) good
    (W&~f1.0) jmpi (1|M0) good
    (W) illegal (1|M0)
good:
    (W) mov (1|M0) r9.0<1>:ud 0:ud
    (W) load.slm.d32.a32 (1|M0) r10:1 flat[r9]:1
    (W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud r1.2<0;1,0>:ud
    (W) store.slm.d32.a32 (1|M0) flat[r9]:1 r10:1
    (W) mul (1|M0) r11.0<1>:ud r0.1<0;1,0>:ud 4:ud
    (W) add (1|M0) r12.0<1>:uq r1.0<0;1,0>:uq r11.0<0;1,0>:ud
    (W) store.ugm.d32.a64 (1|M0) flat[r12]:1 r10:1
    (W) eot (1|M0)
"""


@pytest.mark.parametrize("brief_nanoseconds", [0, 1 << 30], ids=["helpers", "caller"])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_launches_of_one_form_share_nothing_but_memory(
    monkeypatch: pytest.MonkeyPatch, threads: int, brief_nanoseconds: int
) -> None:
    monkeypatch.setattr(brief, "BRIEF_NANOSECONDS", brief_nanoseconds)
    bench = Bench(SUMS, [4 * 40], values=[0], slm_size=64)
    simulator = Simulator(PVC, bench.memory, "jit", threads)
    executable = simulator.load(bench.description)

    def launch(value: int) -> list[int]:
        bench.values = [value]
        statistics = simulator.run(executable, Dispatch((40, 1, 1), (1, 1, 1), bench.arguments()))
        assert statistics.instructions == 40 * 11
        result: list[int] = np.frombuffer(bench.buffers[0].view(), np.uint32).tolist()
        return result

    for value in (5, 5, 6):
        assert launch(value) == [value] * 40
    with pytest.raises(DeviceFault) as caught:
        launch(13)
    assert caught.value.group == (3, 0, 0)
    bench.memory.allocate(64)  # another table of allocations
    for value in (7, 8):
        assert launch(value) == [value] * 40
    assert simulator.run(executable, Dispatch((2, 1, 1), (1, 1, 1), bench.arguments())).groups == 2


def thread_nanoseconds(text: str) -> int:
    return brief.thread_nanoseconds(decode_program(assemble(text)), PVC)


def test_threads_without_loops_take_the_time_of_their_instructions() -> None:
    plain = "(W) mov (16|M0) r20.0<1>:f 1.0:f\n"
    product = "(W) dpas.8x8 (16|M0) r40.0:f r40.0:f r48.0:bf r60.0:bf\n"
    end = "(W) eot (1|M0)\n"
    rest = thread_nanoseconds(end)
    assert thread_nanoseconds(100 * plain + end) == 100 + rest
    assert thread_nanoseconds(100 * product + end) == 3200 + rest


def test_the_time_of_loops_is_unknown() -> None:
    assert thread_nanoseconds("loop:\n(W&f0.0) jmpi (1|M0) loop\n(W) eot (1|M0)\n") == brief.UNKNOWN
