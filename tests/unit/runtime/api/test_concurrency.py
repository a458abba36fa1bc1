"""Threads, interrupts, finalizers and forks at any time: nothing hangs, and nothing that was dropped counts as done."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextvars import copy_context
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from runtime import Device, Event, Stream, ZeError
from runtime.api.kernel import Kernel
from runtime.api.sessions.session import NOTES
from runtime.concurrency import Notes
from runtime.mux import compile_module
from runtime.ze.driver.execution import stream as streams
from tests.paths import ROOT
from tests.unit.runtime.api.test_kernel import COPY, copy
from tests.unit.runtime.ze.kernels import EMPTY, WIDE, fault

PATIENCE = 20

KERNELS = """
gpu.module @kernels {
  gpu.func @empty() kernel { gpu.return }
  gpu.func @spin(%flag: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    scf.while : () -> () {
      %value = memref.atomic_rmw addi %zero, %flag[%c0] : (i32, memref<1xi32>) -> i32
      %unset = arith.cmpi eq, %value, %zero : i32
      scf.condition(%unset)
    } do {
      scf.yield
    }
    gpu.return
  }
}
"""

INTERRUPTED = """
import os, signal, sys, threading
from runtime import Device
device = Device("pvc", threads=1)
kernel, flag = device.load(sys.argv[1])["spin"], device.array([0], "int32")
threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    with device.stream() as stream:
        kernel[1](flag, stream=stream)
        stream.synchronize()
except KeyboardInterrupt:
    print("out")
print(device.empty(1).nbytes)
"""

AT_EXIT = """
import sys
import numpy as np
from runtime import Device
device = Device("pvc")
kernel, stream, buffer = device.load(sys.argv[1])["empty"], device.stream(), device.array([1, 2])
class Last:
    def __del__(self):
        print(kernel[1]().groups, kernel[1](stream=stream).wait(5).groups, stream.synchronize())
        print(buffer.numpy().tolist(), kernel[2](signal=device.event()).groups)
        device.close()
        print("end", flush=True)
last = Last()
"""


@pytest.fixture
def gate(device: Device) -> Event:
    return device.event()


@pytest.fixture
def stream(device: Device) -> Iterator[Stream]:
    stream = device.stream()
    yield stream
    stream.close()


@pytest.fixture(scope="module")
def binary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with real kernels, for other processes, which need not import the compiler then."""
    path = tmp_path_factory.mktemp("kernels") / "kernels.zebin"
    path.write_bytes(compile_module(KERNELS, "pvc", "kernels.mlir"))
    return path


def run(program: str, binary: Path) -> tuple[str, str, int]:
    """Runs a program of a process of its own, and returns its output, its errors and its exit status."""
    command = [sys.executable, "-c", program, str(binary)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=ROOT)
    return done.stdout, done.stderr, done.returncode


@pytest.fixture
def eager() -> Iterator[None]:
    """The collector and the threads come as often as they can."""
    interval, threshold = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-5)
    gc.set_threshold(20, 2, 2)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*threshold)


def together(*works: Callable[[], object]) -> list[BaseException]:
    """Do works at the same time, and return what they raise."""
    errors: list[BaseException] = []

    def run(work: Callable[[], object]) -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive(), "a thread hangs"
    return errors


class Cycle:
    """Garbage that only the collector finds, with a buffer in it."""

    def __init__(self, device: Device) -> None:
        self.buffer, self.cycle = device.empty(4), self


class TestFinalizers:
    def test_buffers_in_cycles_while_streams_start(self, device: Device, make_kernel, eager) -> None:
        kernel = make_kernel(EMPTY)
        for _ in range(30):
            Cycle(device)
            with device.stream() as stream:
                kernel[1](stream=stream)

    def test_finalizers_of_the_application_may_call_anything(self, device: Device, make_kernel, eager) -> None:
        kernel, launched = make_kernel(EMPTY), []

        class Launching(Cycle):
            def __del__(self) -> None:
                launched.append(kernel[1]().groups)
                self.buffer.free()

        for _ in range(30):
            Launching(device)
            device.array(np.zeros(8)).numpy()
        gc.collect()
        assert len(launched) == 30

    def test_a_dropped_stream_is_executed_and_leaves_nothing(self, device: Device, make_kernel, gate: Event) -> None:
        running, context = len(streams._workers), device.empty(1).session.context
        stream, target = device.stream(), device.empty(16, memory="shared")
        make_kernel(COPY, copy)[1](device.array(np.ones(16, np.float32)), target, stream=stream, after=[gate])
        commands = stream.commands
        del stream
        gc.collect()
        gate.signal()
        assert context.machine.wait(lambda: commands.stream.idle, PATIENCE * 10**9)
        device.synchronize()
        assert not commands.alive
        assert target.numpy().tolist() == [1] * 16
        assert context.machine.wait(lambda: len(streams._workers) == running, PATIENCE * 10**9)
        assert commands not in context.children

    def test_an_idle_worker_keeps_nothing_alive(self, device: Device, make_kernel, gate: Event) -> None:
        stream, buffer = device.stream(), device.array(np.ones(16, np.float32))
        stream.copy(used := np.zeros(16, np.float32), buffer)
        stream.synchronize()
        alive = weakref.ref(used)
        del used
        assert alive() is None

    def test_a_device_that_is_dropped_with_its_streams(self) -> None:
        device = Device("pvc")
        stream, machine = device.stream(), weakref.ref(device.session.context.machine)
        stream.copy(np.zeros(4, np.float32), device.empty(4))
        stream.synchronize()
        worker = stream.commands.stream._worker
        del device, stream
        gc.collect()
        assert worker._ended.wait(PATIENCE)
        gc.collect()
        assert machine() is None


class TestStreams:
    def test_of_several_threads(self, device: Device, make_kernel, eager) -> None:
        kernel, stream = make_kernel(EMPTY), device.stream()

        def use() -> None:
            for _ in range(20):
                assert kernel[1](stream=stream).wait(PATIENCE).groups == 1

        assert together(use, use, use, stream.synchronize) == []
        assert stream.is_idle

    def test_go_on_after_any_error(self, device: Device, stream: Stream, make_kernel) -> None:
        def run_out_of_memory(*_: object) -> None:
            raise MemoryError("no more")

        make_kernel(WIDE, run_out_of_memory)[1, (16,)](stream=stream)
        with pytest.raises(ZeError, match=r"DEVICE_LOST: .*no more"):
            stream.synchronize()
        assert make_kernel(EMPTY)[1](stream=stream).wait(PATIENCE).groups == 1

    def test_refuse_grids_that_nothing_can_count(self, device: Device, stream: Stream, make_kernel) -> None:
        kernel, most = make_kernel(EMPTY), (1 << 32) - 1
        for options in ({"stream": stream}, {}):
            with pytest.raises(ZeError, match=r"INVALID_ARGUMENT: .* work-groups, a launch has at most"):
                kernel[(most, most, most)](**options)
        assert kernel[1](stream=stream).wait(PATIENCE).groups == 1

    def test_report_work_that_was_dropped_by_a_fault_elsewhere(
        self, device: Device, stream: Stream, make_kernel, gate: Event
    ) -> None:
        def break_down(*_: object) -> None:
            raise fault("wide")

        other = device.stream()
        waiting = make_kernel(EMPTY)[1](stream=other, after=[gate])
        make_kernel(WIDE, break_down)[1, (16,)](stream=stream)
        with pytest.raises(ZeError, match="out-of-bounds"):
            stream.synchronize()
        gate.signal()
        with pytest.raises(ZeError, match="DEVICE_LOST: out-of-bounds"):
            other.synchronize()
        assert not waiting.is_done
        assert other.synchronize(PATIENCE)

    def test_closed_while_others_use_them(self, device: Device, make_kernel, eager) -> None:
        """A thread that waits is told, and later commands are refused."""
        kernel = make_kernel(EMPTY)
        for _ in range(10):
            stream, started = device.stream(), threading.Event()

            def use(stream=stream, started=started) -> None:
                while True:
                    kernel[1](stream=stream)
                    started.set()
                    stream.synchronize()

            def close(stream=stream, started=started) -> None:
                started.wait(PATIENCE)
                stream.close()

            (error,) = together(use, close)
            assert isinstance(error, ValueError | ZeError), error

    def test_closing_releases_who_waits(self, device: Device, stream: Stream, make_kernel, gate: Event) -> None:
        pending = make_kernel(EMPTY)[1](stream=stream, after=[gate])

        def close() -> None:
            time.sleep(0.05)
            stream.close()

        errors = together(pending.wait, stream.synchronize, close)
        assert len(errors) == 2
        assert all("was closed" in str(error) for error in errors)


class TestHostArrays:
    def test_are_not_held_while_a_launch_waits_for_events(self, device: Device, make_kernel, gate: Event) -> None:
        room = np.zeros(64 + 16, np.float32)
        start = -room.ctypes.data % 64 // 4
        array, kernel = room[start : start + 64], make_kernel(COPY, copy)
        first, second = array[:16], array[8:24]
        target = device.empty(16)
        errors = together(
            lambda: kernel[1](first, target, after=[gate]), lambda: kernel[1](second, target, signal=gate)
        )
        assert [error for error in errors if "overlap" not in str(error)] == []


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


class Subject:
    """Something that a note is about."""


# An interrupt may come while a callback of the collector runs, such as one of the tests' own tools: Python ignores it.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
class TestInterrupts:
    def test_at_random_moments_of_calls(self, device: Device, make_kernel) -> None:
        """After some hundred interrupts, all threads can go on, and nothing is held."""
        kernel, stream, source = make_kernel(COPY, copy), device.stream(), np.ones(65, np.float32)[1:17]
        target = device.empty(16)
        calls: list[Callable[[], object]] = [
            lambda: kernel[1](source, target),
            lambda: kernel[1](target, target, stream=stream).wait(PATIENCE),
            lambda: device.array(source).numpy(),
            lambda: kernel[1](source, target, signal=device.event()),
        ]
        before, interrupts = signal.signal(signal.SIGALRM, _interrupt), 0
        deadline = time.monotonic() + PATIENCE
        try:
            for number in range(600):
                assert time.monotonic() < deadline
                try:
                    signal.setitimer(signal.ITIMER_REAL, 1e-5 + number % 29 * 1e-5)
                    calls[number % len(calls)]()
                    signal.setitimer(signal.ITIMER_REAL, 0)
                except KeyboardInterrupt:
                    interrupts += 1
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        assert interrupts > 50
        assert together(*calls) == []
        machine = device.session.context.machine
        assert machine.executing == {} and device.session.commands.stream.idle

    @pytest.mark.parametrize("make", [lambda d: d.empty(16), lambda d: d.event(), lambda d: d.stream()])
    def test_lose_nothing_that_was_just_created(self, device: Device, make, monkeypatch) -> None:
        """Nobody has a reference to it yet."""

        class InterruptedContext:
            def run(self, *call) -> None:
                copy_context().run(*call)
                raise KeyboardInterrupt

        context = device.session.context
        before = context.children.copy(), context.machine.memory.live()
        monkeypatch.setattr("runtime.api.sessions.session.copy_context", InterruptedContext)
        with pytest.raises(KeyboardInterrupt):
            make(device)
        assert (context.children, context.machine.memory.live()) != before
        gc.collect()
        NOTES.work_off()
        assert (context.children, context.machine.memory.live()) == before

    def test_end_the_work_on_notes_later(self, device: Device) -> None:
        notes, subjects, done = Notes(), [Subject(), Subject()], []

        def work(number: int) -> bool:
            done.append(number)
            if len(done) == 1:
                raise KeyboardInterrupt
            return len(done) != 2

        for number, subject in enumerate(subjects):
            notes.write(subject, partial(work, number))
        subjects.clear()
        del subject
        with pytest.raises(KeyboardInterrupt):
            notes.work_off()
        for _ in range(3):
            notes.work_off()
        assert sorted(done) == sorted([done[0]] * 3 + [1 - done[0]])

    def test_end_the_launch_of_a_stream(self, binary: Path) -> None:
        assert run(INTERRUPTED, binary) == ("out\n4\n", "", 0)


class TestProcesses:
    @pytest.fixture
    def in_child(self) -> Callable[[Callable[[], object]], str]:
        """Gives a function that makes a call in a forked child and returns its result or exception as text."""

        def call(work: Callable[[], object]) -> str:
            reading, writing = os.pipe()
            child = os.fork()
            if not child:
                signal.alarm(PATIENCE)  # instead of hanging
                try:
                    text = str(work())
                except BaseException as error:
                    text = str(error)
                os.write(writing, text.encode())
                os._exit(0)
            os.close(writing)
            with os.fdopen(reading) as file:
                text = file.read()
            assert os.waitpid(child, 0)[1] == 0, "the child hangs"
            return text

        return call

    def test_a_child_is_told_that_the_device_is_its_parents(
        self, device: Device, stream: Stream, make_kernel, gate: Event, in_child
    ) -> None:
        kernel: Kernel = make_kernel(EMPTY)
        pending, buffer = kernel[1](stream=stream, after=[gate]), device.empty(4)
        uses: list[Callable[[], object]] = [
            kernel[1],
            lambda: kernel[1](stream=stream),
            stream.synchronize,
            pending.wait,
            device.synchronize,
            lambda: device.empty(4),
            buffer.numpy,
            gate.wait,
            gate.signal,
        ]
        for use in uses:
            assert "ZE_RESULT_ERROR_UNINITIALIZED" in in_child(use)
        assert in_child(device.close) == in_child(stream.close) == in_child(buffer.free) == "None"
        gate.signal()
        assert pending.wait(PATIENCE).groups == 1

    def test_a_child_may_have_a_device_of_its_own_while_the_parent_launches(
        self, device: Device, make_kernel, in_child
    ) -> None:
        kernel, stopped = make_kernel(EMPTY), threading.Event()

        def launch() -> None:
            while not stopped.is_set():
                kernel[1]()
                device.empty(16)

        def own() -> object:
            with Device("pvc") as other, other.stream() as stream:
                stream.fill(buffer := other.empty(4, np.int32), 7)
                stream.synchronize()
                return buffer.numpy().tolist()

        threads = [threading.Thread(target=launch) for _ in range(2)]
        for thread in threads:
            thread.start()
        try:
            assert [in_child(own) for _ in range(3)] == ["[7, 7, 7, 7]"] * 3
        finally:
            stopped.set()
            for thread in threads:
                thread.join()

    def test_a_launch_in_a_finalizer_at_exit(self, binary: Path) -> None:
        """It can neither start threads nor import modules any more; the kernel is compiled only then."""
        assert run(AT_EXIT, binary) == ("1 1 True\n[1, 2] 2\nend\n", "", 0)
