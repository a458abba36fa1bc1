"""Tests of the events that observers of the interpreter receive, and of their order."""

from __future__ import annotations

import pytest

from runtime.simulator import DeviceFault, Dispatch, FaultKind, Memory, Simulator
from runtime.simulator.interpreter.observer import Execution, Observer
from tests.unit.runtime.simulator.described import described
from xegpu.isa import assemble
from xegpu.targets import TARGETS


class Recorder(Observer):
    """Notes every event as a line."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def launch_started(self, execution: Execution) -> None:
        assert execution.dispatch is not None
        self.events.append(f"launch of {execution.dispatch.group_count}")

    def launch_ended(self, execution: Execution) -> None:
        self.events.append("end of launch")

    def group_started(self, execution: Execution) -> None:
        self.events.append(f"group {execution.group} of {execution.threads}")

    def group_ended(self, execution: Execution) -> None:
        self.events.append("end of group")

    def thread_started(self, execution: Execution) -> None:
        self.events.append(f"start {execution.thread.number}")

    def thread_resumed(self, execution: Execution) -> None:
        self.events.append(f"resume {execution.thread.number}, waiting {sorted(execution.waiting)}")

    def thread_suspended(self, execution: Execution) -> None:
        self.events.append(f"suspend {execution.thread.number} at {execution.thread.index}")

    def thread_ended(self, execution: Execution) -> None:
        self.events.append(f"end {execution.thread.number}")

    def before(self, execution: Execution, index: int) -> None:
        assert execution.thread.index == index
        self.events.append(f"before {index}")

    def after(self, execution: Execution, index: int) -> None:
        assert execution.thread.index == index
        self.events.append(f"after {index}")

    def faulted(self, execution: Execution, fault: DeviceFault) -> None:
        self.events.append(f"{fault.kind.name} at {execution.thread.index}")


def launch(text: str, observer: Observer, groups: int = 1, threads: int = 1) -> None:
    target = TARGETS["pvc"]
    simulator = Simulator(target, Memory(), "interpreter", observers=[observer])
    description = described("k", assemble(text), target, 16, 128, barrier_count=1)
    simulator.run(simulator.load(description), Dispatch((groups, 1, 1), (16 * threads, 1, 1)))


def test_instructions_of_a_thread_are_told_one_by_one() -> None:
    recorder = Recorder()
    launch("mov (16|M0) r1:d 1:d\neot", recorder)
    assert recorder.events == [
        "launch of (1, 1, 1)",
        "group (0, 0, 0) of 1",
        "start 0",
        *("before 0", "after 0", "before 1", "after 1"),
        "end 0",
        "end of group",
        "end of launch",
    ]


def test_groups_follow_each_other() -> None:
    recorder = Recorder()
    launch("eot", recorder, groups=2)
    assert [event for event in recorder.events if "group" in event] == [
        *("group (0, 0, 0) of 1", "end of group"),
        *("group (1, 0, 0) of 1", "end of group"),
    ]


def test_threads_take_turns_at_a_barrier_and_each_instruction_is_told_once() -> None:
    recorder = Recorder()
    launch("barrier\neot", recorder, threads=2)
    assert recorder.events[2:-2] == [
        *("start 0", "before 0", "suspend 0 at 0"),
        *("start 1", "before 0", "after 0", "before 1", "after 1", "end 1"),
        *("resume 0, waiting []", "after 0", "before 1", "after 1", "end 0"),
    ]


def test_a_fault_is_told_and_ends_the_launch() -> None:
    recorder = Recorder()
    with pytest.raises(DeviceFault):
        launch("illegal\neot", recorder)
    assert recorder.events[-3:] == ["before 0", "ILLEGAL_INSTRUCTION at 0", "end of launch"]


def test_a_deadlock_is_told_with_the_thread_that_waits() -> None:
    recorder = Recorder()
    with pytest.raises(DeviceFault) as raised:
        launch("nbarrier.signal 0x02020000:ud\nnbarrier.wait 0:ud\neot", recorder)
    assert raised.value.kind is FaultKind.DEADLOCK
    assert recorder.events[-2:] == ["DEADLOCK at 1", "end of launch"]


def test_what_an_observer_raises_reaches_the_caller() -> None:
    class Stopper(Recorder):
        def before(self, execution: Execution, index: int) -> None:
            raise KeyboardInterrupt

    stopper = Stopper()
    with pytest.raises(KeyboardInterrupt):
        launch("eot", stopper)
    assert stopper.events[-1] == "end of launch"


def test_the_jit_is_not_observed() -> None:
    with pytest.raises(ValueError, match=r"engine 'jit' cannot be observed, only 'interpreter' can"):
        Simulator(TARGETS["pvc"], Memory(), "jit", observers=[Observer()])
