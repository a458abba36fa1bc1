"""A work-group whose threads are scheduled on one machine, which other groups may use in between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtime.simulator.interpreter.machine import InterpretedThread
from runtime.simulator.interpreter.threads.step import END, WAIT, YIELD
from runtime.simulator.interpreter.threads.thread import Suspended
from runtime.simulator.interpreter.threads.values import Bytes
from runtime.simulator.launch.faults import DeviceFault, FaultKind
from runtime.simulator.machine.barriers import WorkGroupBarriers, deadlock_text
from runtime.simulator.machine.fault import Fault
from xegpu.isa.model import Dim3

Start = tuple[Bytes, tuple[int, ...], int]
"""Initial registers, flags and mask of a thread."""


class Group:
    """Work-group `group`, number `number` in the order of groups, with its own shared local memory.

    `starts` must not change until the group first runs. Reports call its first thread `first_subgroup`.
    """

    def __init__(
        self,
        machine: InterpretedThread,
        number: int,
        group: Dim3,
        starts: Sequence[Start],
        slm: Bytes,
        first_subgroup: int = 0,
    ):
        self._machine = machine
        self._number = number
        self._group = group
        self._starts = starts
        self._threads = len(starts)
        self._slm = slm
        self._first_subgroup = first_subgroup
        self._barriers = WorkGroupBarriers(machine.barrier_count, len(starts))
        self._waiting: dict[int, Suspended] = {}

    def go_on(self, rounds: int) -> bool:
        """Runs the group until it yields (True) or has ended (False), perhaps with a fault that the machine keeps."""
        machine = self._machine
        if not machine.wants(self._number):
            return False
        thread, execution = machine.thread, machine.execution
        thread.slm.bytes, thread.barriers = self._slm, self._barriers
        execution.group, execution.threads, execution.waiting = self._group, self._threads, self._waiting
        execution.first_subgroup = self._first_subgroup
        try:
            return self._run_rounds(rounds)
        except DeviceFault as fault:
            machine.end_group(self._number, fault)
            return False

    def _run_rounds(self, rounds: int) -> bool:
        machine = self._machine
        if self._starts:
            for observer in machine.observers:
                observer.group_started(machine.execution)
        while rounds:
            goes_on, gives_way = self._run_round()
            if not self._waiting:
                for observer in machine.observers:
                    observer.group_ended(machine.execution)
                return False
            if not goes_on:
                raise self._deadlock()
            rounds -= gives_way
        return True

    def _run_round(self) -> tuple[bool, bool]:
        """Runs each thread until it waits, ends or yields. Returns whether any progressed, and whether any yielded."""
        thread, goes_on, gives_way = self._machine.thread, False, False
        for before in self._schedule():
            outcome = self._machine.run()
            if outcome == END:
                self._machine.executed += thread.executed
            else:
                self._waiting[thread.number] = thread.suspend(waits=outcome == WAIT)
            waits_on = before is not None and before.waits_for is not None and thread.executed == before.executed
            goes_on |= outcome != WAIT or not waits_on
            gives_way |= outcome == YIELD
        return goes_on, gives_way

    def _schedule(self) -> Iterator[Suspended | None]:
        """Makes one thread after the other the current one: starting ones (None) first, later suspended ones."""
        machine = self._machine
        thread, execution = machine.thread, machine.execution
        starts, self._starts = self._starts, ()
        for number, start in enumerate(starts):
            thread.number = number
            thread.reset(*start)
            for observer in machine.observers:
                observer.thread_started(execution)
            yield None
        for number, suspended in () if starts else list(self._waiting.items()):
            thread.resume(suspended)
            thread.number = number
            del self._waiting[number]
            for observer in machine.observers:
                observer.thread_resumed(execution)
            yield suspended

    def _deadlock(self) -> DeviceFault:
        """Returns the report of a deadlock; the first waiting thread is at fault."""
        machine, number = self._machine, min(self._waiting)
        thread, first = machine.thread, self._waiting.pop(number)
        thread.resume(first)
        thread.number = number
        state = self._barriers.states[thread.waits_for]
        detail = deadlock_text(len(self._waiting) + 1, self._threads, thread.waits_for, state)
        return machine.report(Fault(FaultKind.DEADLOCK, detail))
