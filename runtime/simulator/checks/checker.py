"""The observer that runs checks."""

from __future__ import annotations

from collections.abc import Callable, Collection

from runtime.simulator.checks.arithmetic import Arithmetic
from runtime.simulator.checks.barrier_divergence import Meetings
from runtime.simulator.checks.definedness.propagation import Definedness
from runtime.simulator.checks.inactive_lanes import InactiveLanes
from runtime.simulator.checks.inspection.findings import Findings
from runtime.simulator.checks.inspection.inspector import Inspection, Inspector
from runtime.simulator.checks.races import Races
from runtime.simulator.checks.table import Check
from runtime.simulator.interpreter.observer import Execution, Observer
from runtime.simulator.launch.faults import DeviceFault

_SIMPLE: dict[Check, Callable[[Execution, Findings], Inspector]] = {
    Check.RACES: Races,
    Check.BARRIERS: Meetings,
    Check.ARITHMETIC: Arithmetic,
    Check.LAYOUT: InactiveLanes,
}


class KernelChecker(Observer):
    """Runs checks on every launch of a simulator.

    A launch with findings continues to its end, unless there are too many, and then raises `DeviceFault` with all
    `findings`.
    """

    def __init__(self, checks: Collection[Check]):
        self._checks = frozenset(checks)
        self._launches: dict[Execution, _Launch] = {}

    def launch_started(self, execution: Execution) -> None:
        self._launches[execution] = _Launch(execution, self._checks)

    def launch_ended(self, execution: Execution) -> None:
        self._launches.pop(execution).findings.conclude()

    def group_started(self, execution: Execution) -> None:
        for inspector in self._launches[execution].inspectors:
            inspector.group_started()

    def group_ended(self, execution: Execution) -> None:
        for inspector in self._launches[execution].inspectors:
            inspector.group_ended()

    def thread_started(self, execution: Execution) -> None:
        for inspector in self._launches[execution].inspectors:
            inspector.thread_started()

    def thread_resumed(self, execution: Execution) -> None:
        for inspector in self._launches[execution].inspectors:
            inspector.thread_resumed()

    def thread_suspended(self, execution: Execution) -> None:
        for inspector in self._launches[execution].inspectors:
            inspector.thread_suspended()

    def thread_ended(self, execution: Execution) -> None:
        for inspector in self._launches[execution].inspectors:
            inspector.thread_ended()

    def before(self, execution: Execution, index: int) -> None:
        self._launches[execution].before(execution.thread.number, index)

    def after(self, execution: Execution, index: int) -> None:
        self._launches[execution].after(execution.thread.number)

    def faulted(self, execution: Execution, fault: DeviceFault) -> None:
        self._launches[execution].findings.fault = fault


class _Launch:
    """The inspectors of one launch, and their inspections of its instructions."""

    def __init__(self, execution: Execution, checks: frozenset[Check]):
        self.findings = Findings(execution)
        self.inspectors = [make(execution, self.findings) for check, make in _SIMPLE.items() if check in checks]
        if checks & {Check.UNINITIALIZED, Check.REGISTERS}:
            memory, registers = Check.UNINITIALIZED in checks, Check.REGISTERS in checks
            self.inspectors.append(Definedness(execution, self.findings, memory=memory, registers=registers))
        self._inspections: dict[int, list[Inspection]] = {}
        self._rests: dict[int, list[Callable[[], None]]] = {}
        """Inspections to complete when the current instruction of a thread has been executed."""

    def before(self, thread: int, index: int) -> None:
        if index not in self._inspections:
            found = [inspector.inspect(index) for inspector in self.inspectors]
            self._inspections[index] = [inspection for inspection in found if inspection is not None]
        rests = [inspection() for inspection in self._inspections[index]]
        self._rests[thread] = [rest for rest in rests if rest is not None]

    def after(self, thread: int) -> None:
        for rest in self._rests[thread]:
            rest()
