"""The debugger: where it stops launches, and what it shows of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from runtime.debugger import DebugError, Debugger, LaunchAbandoned, Stop, StoppedThread, StopReason, instructions_at
from runtime.debugger.expressions import Expression
from runtime.simulator import DeviceFault, FaultKind
from tests.unit.runtime.debugger.kernels import Kernel, run

COUNTING = """
    mov (1|M0) r2:d 0:d
loop:
    add (1|M0) r2:d r2:d 1:d
    cmp (1|M0) (lt)f0.0 null:d r2:d 5:d
    (f0.0) jmpi (1|M0) loop
    eot
"""
CALLING = """
    mov (1|M0) r2:d 1:d
    call (1|M0) r10.0 outer
    mov (1|M0) r2:d 4:d
    eot
outer:
    mov (1|M0) r2:d 2:d
    call (1|M0) r11.0 inner
    ret (1|M0) r10.0
inner:
    mov (1|M0) r2:d 3:d
    ret (1|M0) r11.0
"""


@pytest.fixture
def debugger() -> Iterator[Debugger]:
    with Debugger() as debugger:
        yield debugger


@pytest.fixture
def start(debugger: Debugger) -> Callable[[Kernel], Stop]:
    def launch(kernel: Kernel) -> Stop:
        stop = debugger.run(lambda: run(kernel, debugger))
        if stop.error is not None:
            raise stop.error
        return stop

    return launch


def value(debugger: Debugger, text: str) -> tuple[int | float, ...]:
    return Expression.parse(text).value(debugger.scope)


class TestRunning:
    def test_a_launch_stops_at_its_entry_and_ends(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        entry = start(Kernel(COUNTING, lines=(7,) * 5))
        assert (entry.reason, entry.index, entry.offset, str(entry.source)) == (StopReason.ENTRY, 0, 16, "k.mlir:7:1")
        end = debugger.resume()
        assert end.reason is StopReason.END
        assert end.error is None
        assert getattr(end.result, "groups", None) == 1

    def test_it_can_be_started_again(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel(COUNTING))
        debugger.step_instruction()
        assert start(Kernel(COUNTING)).reason is StopReason.ENTRY
        assert debugger.resume().reason is StopReason.END

    def test_instructions_are_stepped(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel(COUNTING))
        assert [debugger.step_instruction().index for _ in range(5)] == [1, 2, 3, 1, 2]

    def test_lines_are_stepped(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel(COUNTING, lines=(1, 2, 2, 3, 9)))
        assert [debugger.step_line().index for _ in range(4)] == [1, 3, 1, 3]

    def test_without_source_a_line_is_an_instruction(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel(COUNTING))
        assert debugger.step_line().index == 1

    def test_a_step_at_the_end_of_a_thread_goes_on_to_the_next_one(
        self, debugger: Debugger, start: Callable[[Kernel], Stop]
    ) -> None:
        start(Kernel("nop\neot", groups=2))
        debugger.step_instruction()
        stop = debugger.step_instruction()
        assert (stop.reason, stop.group, stop.index) == (StopReason.STEP, (1, 0, 0), 0)

    def test_a_step_follows_its_thread_through_a_barrier(
        self, debugger: Debugger, start: Callable[[Kernel], Stop]
    ) -> None:
        start(Kernel("nop\nbarrier\nnop\neot", threads=2))
        debugger.step_instruction()
        stop = debugger.step_instruction()
        assert (stop.thread, stop.index) == (0, 2)

    def test_a_fault_stops_and_then_fails(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel("mov (1|M0) r2:uq 0x40:uq\nload.ugm.d32.a64 (1|M0) r4 flat[r2]\neot"))
        stop = debugger.resume()
        assert stop.reason is StopReason.FAULT
        assert stop.index == 1
        assert stop.fault is not None
        assert stop.fault.kind is FaultKind.OUT_OF_BOUNDS
        assert value(debugger, "r2.0:uq") == (0x40,)
        assert isinstance(debugger.resume().error, DeviceFault)

    def test_a_deadlock_stops_at_the_wait(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel("nbarrier.signal 0x02020000:ud\nnbarrier.wait 0:ud\neot"))
        stop = debugger.resume()
        assert (stop.reason, stop.index) == (StopReason.FAULT, 1)

    def test_an_endless_loop_can_be_interrupted(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel("loop:\njmpi (1|M0) loop\neot"))
        debugger.interrupt()
        assert debugger.resume().reason is StopReason.INTERRUPT

    def test_a_launch_is_given_up(self, debugger: Debugger) -> None:
        caught: list[BaseException] = []

        def launch() -> None:
            try:
                run(Kernel("loop:\njmpi (1|M0) loop\neot"), debugger)
            except LaunchAbandoned as error:
                caught.append(error)
                raise

        debugger.run(launch)
        debugger.close()
        assert len(caught) == 1
        with pytest.raises(DebugError, match="no kernel is running"):
            debugger.resume()

    def test_several_kernels_of_one_launch(self, debugger: Debugger) -> None:
        """Breakpoints are looked for in each of them."""
        debugger.add_breakpoint("#1")
        debugger.run(lambda: [run(Kernel(text), debugger) for text in ("nop\neot", "eot", "nop\nnop\neot")])
        stops = [debugger.resume() for _ in range(3)]
        assert [stop.reason for stop in stops] == [StopReason.BREAKPOINT, StopReason.BREAKPOINT, StopReason.END]

    def test_kernels_of_several_host_threads_stop_one_after_the_other(self, debugger: Debugger) -> None:
        def launch() -> None:
            threads = [threading.Thread(target=run, args=(Kernel("nop\neot"), debugger)) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        debugger.add_breakpoint("#1")
        debugger.run(launch)
        stops = [debugger.resume() for _ in range(5)]
        assert [stop.reason for stop in stops] == [StopReason.BREAKPOINT] * 4 + [StopReason.END]


class TestSubroutines:
    @pytest.fixture(autouse=True)
    def launched(self, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel(CALLING, lines=(1, 2, 3, 4, 11, 12, 13, 21, 22)))

    def test_backtrace(self, debugger: Debugger) -> None:
        debugger.add_breakpoint("k.mlir:21")
        debugger.resume()
        assert debugger.state.backtrace() == [7, 5, 1]

    def test_finish(self, debugger: Debugger) -> None:
        debugger.add_breakpoint("#7")
        debugger.resume()
        assert [debugger.finish().index for _ in range(2)] == [6, 2]
        assert debugger.finish().reason is StopReason.END

    def test_steps_over_calls(self, debugger: Debugger) -> None:
        debugger.step_instruction()
        assert debugger.step_instruction(over_calls=True).index == 2

    def test_lines_over_and_into_calls(self, debugger: Debugger) -> None:
        debugger.step_line()
        assert debugger.step_line().index == 4
        debugger.step_line()
        assert debugger.step_line(over_calls=True).index == 6


class TestBreakpoints:
    def test_every_time(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel(COUNTING))
        breakpoint = debugger.add_breakpoint("#2")
        stops = [debugger.resume() for _ in range(3)]
        assert [stop.index for stop in stops] == [2, 2, 2]
        assert stops[0].breakpoints == (breakpoint,)
        assert breakpoint.hits == 3

    def test_a_condition(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel(COUNTING))
        debugger.add_breakpoint("#2", "r2.0:d == 4")
        debugger.resume()
        assert value(debugger, "r2.0:d") == (4,)
        assert debugger.resume().reason is StopReason.END

    def test_a_condition_that_cannot_be_computed_stops(
        self, debugger: Debugger, start: Callable[[Kernel], Stop]
    ) -> None:
        start(Kernel(COUNTING))
        debugger.add_breakpoint("#2", "2 / (r2.0:d - 3)")
        assert debugger.resume().problem == ""
        debugger.resume()
        stop = debugger.resume()
        assert (stop.reason, stop.problem) == (
            StopReason.BREAKPOINT,
            "'2 / (r2.0:d - 3)': integer division or modulo by zero",
        )

    def test_temporary(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel(COUNTING))
        debugger.add_breakpoint("#2", temporary=True)
        assert debugger.resume().index == 2
        assert debugger.resume().reason is StopReason.END
        assert not debugger.breakpoints

    def test_deleted(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel(COUNTING))
        debugger.breakpoints.remove(debugger.add_breakpoint("#2").number)
        assert debugger.resume().reason is StopReason.END
        with pytest.raises(DebugError, match="there is no breakpoint 1"):
            debugger.breakpoints.remove(1)

    def test_before_the_launch(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        debugger.add_breakpoint("L1")
        start(Kernel(COUNTING))
        assert debugger.resume().index == 1

    @pytest.mark.parametrize(
        ("place", "indices"),
        [
            ("#3", {3}),
            ("*0x20", {1}),
            ("0x20", {1}),
            ("L1", {1}),
            ("k", {0}),
            ("2", {1, 3}),
            ("k.mlir:2", {1, 3}),
            ("4", {4}),
            ("3", {2}),
        ],
    )
    def test_places(self, debugger: Debugger, start: Callable[[Kernel], Stop], place: str, indices: set[int]) -> None:
        start(Kernel(COUNTING, lines=(1, 2, 3, 2, 9)))
        assert instructions_at(place, debugger.state.listing) == indices

    @pytest.mark.parametrize(
        ("place", "message"),
        [
            ("#5", "there is no instruction #5, the kernel has 5"),
            ("*0x21", "no instruction is at offset 0x21"),
            ("10", "kernel 'k' has no code for line 10 or behind it"),
            ("other.mlir:1", "kernel 'k' has no code for other.mlir:1 or behind it"),
            ("dir/k.mlir:2", "kernel 'k' has no code for dir/k.mlir:2 or behind it"),
            ("nowhere", "'nowhere' is no location in kernel 'k': expected LINE"),
        ],
    )
    def test_places_that_there_are_not(
        self, debugger: Debugger, start: Callable[[Kernel], Stop], place: str, message: str
    ) -> None:
        start(Kernel(COUNTING, lines=(1, 2, 3, 2, 9)))
        with pytest.raises(DebugError, match=message):
            debugger.add_breakpoint(place)
        assert not debugger.breakpoints

    def test_lines_of_a_kernel_without_source(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel(COUNTING))
        with pytest.raises(DebugError, match="kernel 'k' knows no source lines"):
            debugger.add_breakpoint("3")


class TestThreads:
    def test_states(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel("nop\nbarrier\nnop\neot", threads=3))
        stopped, not_started = StoppedThread.STOPPED, StoppedThread.NOT_STARTED
        assert debugger.state.threads() == [stopped, not_started, not_started]
        debugger.add_breakpoint("#2")
        assert debugger.resume().thread == 2
        assert debugger.state.threads() == [StoppedThread.WAITING, StoppedThread.WAITING, stopped]
        assert debugger.resume().thread == 0
        assert debugger.state.threads() == [stopped, StoppedThread.WAITING, StoppedThread.ENDED]

    def test_another_thread_is_looked_at(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel("mov (1|M0) r5:ud r0.8:ub\nbarrier\nnop\neot", threads=3))
        debugger.add_breakpoint("#2")
        assert debugger.resume().thread == 2
        assert value(debugger, "r5.0:ud") == (2,)
        debugger.state.select(1)
        assert value(debugger, "r5.0:ud") == (1,)
        assert value(debugger, "subgroup") == (1,)
        assert debugger.state.backtrace() == [1]
        debugger.state.select(2)
        assert value(debugger, "r5.0:ud") == (2,)

    def test_threads_that_cannot_be_looked_at(self, debugger: Debugger, start: Callable[[Kernel], Stop]) -> None:
        start(Kernel("nop\neot", threads=2))
        with pytest.raises(DebugError, match="thread 1 has not started"):
            debugger.state.select(1)
        with pytest.raises(DebugError, match="there is no thread 2, the work-group has 2"):
            debugger.state.select(2)


def test_nothing_to_look_at(debugger: Debugger) -> None:
    for look in (debugger.state.backtrace, debugger.state.threads, debugger.finish, lambda: debugger.state.thread):
        with pytest.raises(DebugError, match="no kernel is running"):
            look()
