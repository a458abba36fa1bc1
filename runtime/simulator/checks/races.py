"""Data races: two unordered accesses to one byte, at least one a write, and not both atomic; and signals of a barrier
that nothing orders after those for its firing before.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.checks.clocks import AtomicReleases, BarrierSignal, Meeting, ThreadClock
from runtime.simulator.checks.history import AccessEvent, Conflict, History
from runtime.simulator.checks.inspection.findings import Findings, faulty_access
from runtime.simulator.checks.inspection.inspector import Inspection, Inspector
from runtime.simulator.interpreter.control import signal_payload
from runtime.simulator.interpreter.messages.accesses import MemoryAccess, ReportedSpace, decode_access
from runtime.simulator.interpreter.observer import Execution
from runtime.simulator.interpreter.threads.values import Bytes
from runtime.simulator.launch.faults import FaultKind
from runtime.simulator.machine.barriers import PRODUCER
from xegpu.isa import Instruction
from xegpu.isa.model import Dim3, MemoryAccessKind, MemoryScope, Unit

_IN_GROUP = frozenset({MemoryScope.GROUP, MemoryScope.LOCAL})
"""Scopes of fences that order nothing for other groups."""

_UNITS = {Unit.UGM: ReportedSpace.GLOBAL, Unit.SLM: ReportedSpace.SLM}


class Races(Inspector):
    """Finds races in device memory and in shared local memory."""

    def __init__(self, execution: Execution, findings: Findings):
        super().__init__(execution, findings)
        self._memories = {space: _Memory() for space in (ReportedSpace.GLOBAL, ReportedSpace.SLM)}
        self._reported: dict[frozenset[int], tuple[int, int]] = {}
        """Pairs of instructions that race, in the order in which they were found."""

    def group_started(self) -> None:
        self._memories[ReportedSpace.SLM].history = History()
        for memory in self._memories.values():
            memory.enter_group()

    def thread_started(self) -> None:
        number, group = self.execution.thread.number, self._group_number()
        for memory in self._memories.values():
            memory.clocks[number] = ThreadClock(group * self.execution.threads + number, group)

    def inspect(self, index: int) -> Inspection | None:
        instruction = self.execution.executable.program.instructions[index]
        if instruction.message is not None:
            return self._message(index, instruction)
        if instruction.fence is not None:
            return self._fence(instruction)
        return self._barrier(index, instruction) if instruction.spec.synchronizes else None

    def _group_number(self) -> int:
        dispatch, (x, y, z) = self.execution.dispatch, self.execution.group
        if dispatch is None:
            return 0
        columns, rows, _ = dispatch.group_count
        return (z * rows + y) * columns + x

    def _thread(self, number: int) -> tuple[Dim3, int]:
        """Returns the group of a thread, and its number in the group."""
        group, subgroup = divmod(number, self.execution.threads)
        if self.execution.dispatch is None:
            return self.execution.group, subgroup
        columns, rows, _ = self.execution.dispatch.group_count
        return (group % columns, group // columns % rows, group // columns // rows), subgroup

    # Synchronization --------------------------------------------------------------------------------------------------

    def _fence(self, instruction: Instruction) -> Inspection | None:
        fence = instruction.fence
        assert fence is not None
        if fence.unit not in _UNITS:
            return None
        memory, thread = self._memories[_UNITS[fence.unit]], self.execution.thread
        wide = fence.scope not in _IN_GROUP

        def inspect() -> None:
            if thread.enabled(instruction, 1):
                memory.clocks[thread.number].fence(wide=wide)

        return inspect

    def _barrier(self, index: int, instruction: Instruction) -> Inspection:
        thread, spec = self.execution.thread, instruction.spec
        read = signal_payload(instruction, thread)

        def inspect() -> Callable[[], None] | None:
            payload, number = read(), thread.number
            barrier, role = payload & 0xFF, payload >> 14 & 3
            if barrier >= len(thread.barriers.states):
                return None
            if spec.signals:
                fired = thread.barriers.states[barrier].fired
                early = [
                    memory.meeting.signal(memory.clocks[number], barrier, fired, index, waits=role != PRODUCER)
                    for memory in self._memories.values()
                ]
                if early[0] is not None and all(early):
                    self._report_signals(index, barrier, early[0])
            if not spec.waits:
                return None

            def go_on() -> None:
                for memory in self._memories.values():
                    memory.meeting.wait(memory.clocks[number], barrier)

            return go_on

        return inspect

    # Accesses ---------------------------------------------------------------------------------------------------------

    def _message(self, index: int, instruction: Instruction) -> Inspection | None:
        describe = decode_access(instruction, self.execution.thread)
        if describe is None:
            return None
        registers = self.execution.thread.registers

        def inspect() -> Callable[[], None] | None:
            access = describe()
            if access is None or access.space is ReportedSpace.SCRATCH or not len(access.addresses):
                return None
            if access.spec.access is MemoryAccessKind.STORE:
                self._compare_lanes(index, access, registers[access.sent[0]])
            return lambda: self._note(index, access)

        return inspect

    def _note(self, index: int, access: MemoryAccess) -> None:
        """Records an access that has been executed."""
        memory = self._memories[access.space]
        clock = memory.clocks[self.execution.thread.number]
        event = AccessEvent(clock.thread, clock.time, index, access.spec.writes, access.is_atomic)
        lanes = np.repeat(access.lanes, access.size)
        conflicts = memory.history.add(event, bytes_of(access).ravel(), lanes, clock.knows)
        for conflict in {conflict.event.instruction: conflict for conflict in reversed(conflicts)}.values():
            self._report_threads(index, access, conflict)
        if access.is_atomic:
            owner = clock.group if access.space is ReportedSpace.SLM else None
            for address in np.unique(access.addresses):
                for other in self._memories.values():
                    key = (access.space, owner, int(address))
                    other.releases.pass_on(other.clocks[self.execution.thread.number], key, writes=access.spec.writes)

    def _compare_lanes(self, index: int, access: MemoryAccess, data: Bytes) -> None:
        """Compares the lanes of a store that write the same byte: different values are a race."""
        if (np.diff(np.sort(access.addresses)) >= access.size).all():
            return
        bytes_, values = bytes_of(access).ravel(), data.ravel()
        _, first, members = np.unique(bytes_, return_index=True, return_inverse=True)
        differing = np.flatnonzero(values != values[first[members]])
        if len(differing):
            byte = int(differing[0])
            row, other = byte // access.size, int(first[members[byte]]) // access.size
            self.findings.add(
                FaultKind.RACE,
                index,
                f"lane {access.lanes[other]} of the same store writes another value to the same byte",
                key="lanes",
                at=faulty_access(access, row),
            )

    def _report_threads(self, index: int, access: MemoryAccess, conflict: Conflict) -> None:
        other, row = conflict.event, conflict.byte // access.size
        first, second = self._reported.setdefault(frozenset({index, other.instruction}), (index, other.instruction))
        group, subgroup = self._thread(other.thread)
        what = f"{'atomic ' if other.atomic else ''}{'write' if other.writes else 'read'}"
        self.findings.add(
            FaultKind.RACE,
            first,
            f"nothing orders this {'write' if access.spec.writes else 'read'} and the {what} of another thread",
            key=second,
            at=faulty_access(access, row),
            related=[self.findings.related(f"the {what}", other.instruction, group, subgroup, conflict.lane)],
        )

    def _report_signals(self, index: int, barrier: int, other: BarrierSignal) -> None:
        group, subgroup = self._thread(other.thread)
        self.findings.add(
            FaultKind.RACE,
            index,
            f"nothing orders this signal of barrier {barrier} and one of the signals that made it fire before, for "
            "which it may be taken",
            key=("signals", other.instruction),
            related=[self.findings.related("that signal", other.instruction, group, subgroup)],
        )


class _Memory:
    """One memory: the order of accesses to it, and their history."""

    def __init__(self) -> None:
        self.history = History()
        self.releases = AtomicReleases()
        self.enter_group()

    def enter_group(self) -> None:
        self.meeting = Meeting()
        self.clocks: dict[int, ThreadClock] = {}


def bytes_of(access: MemoryAccess) -> NDArray[np.uint64]:
    """Returns the address of each byte, shape [addresses, size]."""
    return np.add(access.addresses[:, None], np.arange(access.size, dtype=np.uint64), dtype=np.uint64)
