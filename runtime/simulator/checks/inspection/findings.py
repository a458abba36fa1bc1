"""Findings of the checks of one launch."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from runtime.simulator.interpreter.messages.accesses import NO_LANE, MemoryAccess
from runtime.simulator.interpreter.observer import Execution
from runtime.simulator.launch.faults import NO_ACCESS, DeviceFault, FaultAccess, FaultKind, Related
from xegpu.isa import format_instruction
from xegpu.isa.model import Dim3

LIMIT = 20
"""Different errors that a launch may have; the last one stops it."""


def faulty_access(access: MemoryAccess, row: int) -> FaultAccess:
    """Returns one row of a message's accesses for a report."""
    lane = int(access.lanes[row])
    return FaultAccess(None if lane == NO_LANE else lane, int(access.addresses[row]), access.size, access.space.value)


class Findings:
    """Errors in the order in which they were found, one for each instruction and kind."""

    def __init__(self, execution: Execution):
        self._execution = execution
        self._found: dict[Hashable, DeviceFault] = {}
        self.fault: DeviceFault | None = None
        """The fault that has stopped the launch."""

    def add(
        self,
        kind: FaultKind,
        index: int,
        detail: str,
        *,
        key: Hashable = None,
        at: FaultAccess = NO_ACCESS,
        related: Sequence[Related] = (),
    ) -> None:
        """Records an error of the current thread at instruction number `index`.

        Errors with the same kind, instruction and `key` as an earlier one are only counted. Raises `DeviceFault` when
        there are too many.
        """
        identity = (kind, index, key)
        if identity in self._found:
            self._found[identity].times += 1
            return
        execution = self._execution
        self._found[identity] = execution.executable.fault(
            execution.memory,
            kind,
            index,
            group=execution.group,
            subgroup=execution.first_subgroup + execution.thread.number,
            at=at,
            detail=detail,
            related=related,
        )
        if len(self._found) == LIMIT:
            self.conclude()

    def related(
        self, what: str, index: int, group: Dim3 | None = None, subgroup: int = 0, lane: int | None = None
    ) -> Related:
        """Returns another instruction for a report, and, for an access of another thread, which one."""
        executable = self._execution.executable
        offset = executable.program.offsets[index]
        instruction = executable.program.instructions[index]
        return Related(
            what,
            offset,
            format_instruction(instruction, grf_bytes=executable.program.grf_bytes),
            executable.description.lines.at(offset),
            group,
            self._execution.first_subgroup + subgroup,
            lane,
        )

    def conclude(self) -> None:
        """Raises the first error, which names all; does nothing when the checks have found none."""
        found = list(self._found.values())
        if not found:
            return
        if self.fault is not None and self.fault not in found:
            found.append(self.fault)
        found[0].findings = tuple(found)
        raise found[0]
