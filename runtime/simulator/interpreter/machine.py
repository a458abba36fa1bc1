"""An interpreted thread: the kernel decoded to steps on its state."""

from __future__ import annotations

from time import monotonic

import numpy as np

from runtime.simulator.execution.engine import Executable
from runtime.simulator.interpreter.handlers import HANDLERS
from runtime.simulator.interpreter.observer import Execution, Observer
from runtime.simulator.interpreter.threads.address_spaces import GlobalMemory
from runtime.simulator.interpreter.threads.step import END, WAIT, YIELD, Step
from runtime.simulator.interpreter.threads.thread import Thread
from runtime.simulator.launch.dispatch import Dispatch
from runtime.simulator.launch.faults import DeviceFault, FaultAccess, FaultKind
from runtime.simulator.machine.clock import clock_cycles
from runtime.simulator.machine.fault import Fault
from runtime.simulator.machine.rounding import writes_control
from runtime.simulator.machine.scheduling import QUANTUM
from runtime.simulator.memory import Memory
from runtime.simulator.supervision.watch import ALONE, Watch

NO_MEMORY = Memory()
"""The memory of idle machines, so that they keep no other memory alive."""


def do_nothing() -> None:
    """Does nothing: the interpreter polls the deadline itself."""


UNWATCHED = Watch(ALONE, "", 0, on_stop=do_nothing)
"""The watch of threads that are run alone."""


class InterpretedThread:
    """A thread and the kernel decoded to steps on it, for one launch at a time.

    `executed` counts the instructions of threads that have ended. `fault` is that of the lowest-numbered group that has
    faulted so far: no group with a higher number than `faulty_group` is wanted any more.
    """

    def __init__(self, executable: Executable, observers: tuple[Observer, ...]):
        self._executable = executable
        self.observers = observers
        self.thread = Thread(executable.description, writes_control=writes_control(executable.program.instructions))
        steps = [self._decode(index) for index in range(len(executable.program.instructions))]
        description = executable.description
        cycles = clock_cycles(executable.program, description.target, description.register_count)
        if cycles is not None:
            steps = [self._timed(step, taken) for step, taken in zip(steps, cycles, strict=True)]
        self._steps = [self._observed(index, step) for index, step in enumerate(steps)] if observers else steps
        self.execution = Execution(executable, None, NO_MEMORY, self.thread)
        self.watch = UNWATCHED
        self.barrier_count = executable.description.facts.barrier_count
        self.executed = 0
        self.fault: DeviceFault | None = None
        self.faulty_group = 0

    def attach(self, memory: Memory, dispatch: Dispatch | None = None) -> None:
        """Makes the live allocations of `memory` the thread's global memory, for a launch."""
        self.execution = Execution(self._executable, dispatch, memory, self.thread)
        self.thread.memory = GlobalMemory(memory.table())
        self.executed = 0

    def end_group(self, number: int, fault: DeviceFault) -> None:
        """Records the fault that has ended group `number`, which was wanted."""
        self.fault, self.faulty_group = fault, number

    def wants(self, number: int) -> bool:
        """Returns whether the outcome of group `number` still matters."""
        return self.fault is None or number < self.faulty_group

    def outcome(self) -> int:
        """Returns the number of executed instructions when all groups have ended; raises `DeviceFault`."""
        if self.fault is not None:
            raise self.fault
        return self.executed

    def _timed(self, step: Step, cycles: int) -> Step:
        """Returns a step that advances the clock of the thread; a wait that is not over takes no time."""
        clock, taken = self.thread.clock, np.uint64(cycles)

        def timed() -> int | None:
            target = step()
            if target != WAIT:
                clock[0] += taken
            return target

        return timed

    def _observed(self, index: int, step: Step) -> Step:
        """Returns a step that notifies the observers. Kernels without observers use the plain steps."""
        thread, observers = self.thread, self.observers

        def observed() -> int | None:
            execution = self.execution
            if not thread.goes_on:
                thread.index = index
                for observer in observers:
                    observer.before(execution, index)
            target = step()
            if target != WAIT:
                for observer in observers:
                    observer.after(execution, index)
            return target

        return observed

    def _decode(self, index: int) -> Step:
        program, thread = self._executable.program, self.thread
        instruction = program.instructions[index]
        return HANDLERS[instruction.spec.format](instruction, thread, program, index)

    def run(self) -> int:
        """Executes the thread until it ends (`END`), waits at a barrier (`WAIT`), or yields to others (`YIELD`).

        Raises `DeviceFault`.
        """
        try:
            with np.errstate(all="ignore"):
                outcome = self._execute()
        except Fault as fault:
            raise self.report(fault) from None
        for observer in self.observers:
            if outcome == END:
                observer.thread_ended(self.execution)
            else:
                observer.thread_suspended(self.execution)
        return outcome

    def _execute(self) -> int:
        thread, steps, limit, watch = self.thread, self._steps, self._executable.instruction_limit, self.watch
        spinning = self._executable.spinning
        index, executed = thread.index, thread.executed
        try:
            if monotonic() > watch.deadline:
                raise _early_end(watch)
            while True:
                target = steps[index]()
                if target == WAIT:
                    return WAIT
                executed += 1
                if target is None:
                    index += 1
                    continue
                if target == END:
                    return END
                if target <= index:
                    if executed > limit:
                        raise Fault(FaultKind.RUNAWAY, f"{executed} instructions were executed, the limit is {limit}")
                    if monotonic() > watch.deadline:
                        raise _early_end(watch)
                    if executed - thread.yielded > QUANTUM and (index, target) in spinning:
                        thread.yielded, index = executed, target
                        return YIELD
                index = target
        finally:
            thread.index, thread.executed = index, executed

    def report(self, fault: Fault) -> DeviceFault:
        """Returns the report of a fault of the thread, at its instruction."""
        execution, thread = self.execution, self.thread
        report = self._executable.fault(
            execution.memory,
            fault.kind,
            thread.index,
            group=execution.group,
            subgroup=execution.first_subgroup + thread.number,
            at=FaultAccess(fault.lane, fault.address, fault.size),
            detail=fault.detail,
        )
        for observer in self.observers:
            observer.faulted(execution, report)
        return report


def _early_end(watch: Watch) -> Fault:
    """Returns the fault of a launch past its deadline; raises `LaunchStopped` if it was stopped instead."""
    watch.check_stopped()
    return Fault(FaultKind.TIME_LIMIT, watch.late_text())
