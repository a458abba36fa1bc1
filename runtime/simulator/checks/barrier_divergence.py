"""Barriers that the work-items of a work-group do not reach together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from runtime.simulator.checks.inspection.inspector import Inspection, Inspector
from runtime.simulator.interpreter.control import signal_payload
from runtime.simulator.launch.faults import FaultKind
from runtime.simulator.machine.barriers import PRODUCER


@dataclass(frozen=True)
class _Signal:
    thread: int
    index: int


class Meetings(Inspector):
    """Finds threads that come to the group's barrier apart, or without some work-items, and signals without a wait."""

    def group_started(self) -> None:
        self._first: dict[int, _Signal] = {}
        """The first thread that has signalled the group's barrier, by the number of times that it had fired then."""
        self._unanswered: dict[int, dict[int, int]] = {}
        """By thread: barriers that it has signalled without a wait so far, and where."""

    def inspect(self, index: int) -> Inspection | None:
        thread = self.execution.thread
        instruction = self.execution.executable.program.instructions[index]
        if not instruction.spec.synchronizes:
            return None
        read, spec = signal_payload(instruction, thread), instruction.spec

        def signalled(barrier: int) -> None:
            signal = _Signal(thread.number, index)
            fired = thread.barriers.states[barrier].fired
            first = self._first.setdefault(fired, signal)
            if first.index != index:
                other = self.findings.related("met there", first.index, self.execution.group, first.thread)
                detail = "threads of one work-group meet in different barriers of the program"
                self.findings.add(FaultKind.BARRIER_MISMATCH, index, detail, key=first.index, related=[other])

        def inspect() -> Callable[[], None] | None:
            payload = read()
            barrier, role = payload & 0xFF, payload >> 14 & 3
            if barrier >= len(thread.barriers.states):
                return None
            if spec.signals and not instruction.sources:
                signalled(barrier)
                if thread.mask != thread.dispatch_mask:
                    there = f"{thread.mask.bit_count()} of the {thread.dispatch_mask.bit_count()} work-items"
                    detail = f"{there} of the subgroup are at the barrier, the others are left out"
                    self.findings.add(FaultKind.BARRIER_MISMATCH, index, detail)
            mine = self._unanswered.setdefault(thread.number, {})
            if spec.waits:
                mine.pop(barrier, None)
            elif role != PRODUCER:
                mine[barrier] = index
            return None

        return inspect

    def thread_ended(self) -> None:
        for barrier, index in self._unanswered.pop(self.execution.thread.number, {}).items():
            signal = self.findings.related("signalled there", index)
            detail = f"the thread ends without having waited for barrier {barrier}, which it has signalled"
            last = self.execution.thread.index
            self.findings.add(FaultKind.BARRIER_MISMATCH, last, detail, key=index, related=[signal])
