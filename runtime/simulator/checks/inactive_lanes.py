"""Subgroup instructions with disabled lanes: the symptom of a wrong sg_map or a divergent caller."""

from __future__ import annotations

from collections.abc import Callable

from runtime.simulator.checks.inspection.inspector import Inspection, Inspector
from runtime.simulator.launch.faults import FaultAccess, FaultKind
from runtime.simulator.machine.thread_payload import execution_mask
from xegpu.isa import Instruction


class InactiveLanes(Inspector):
    """Finds matrix products and block messages of a subgroup while some of its lanes are disabled."""

    def inspect(self, index: int) -> Inspection | None:
        instruction = self.execution.executable.program.instructions[index]
        if instruction.no_mask:
            return None
        if instruction.spec.is_matrix_product:
            return self._product(index, instruction)
        if instruction.message is not None and (instruction.spec.block2d or instruction.message.transposed):
            return self._block(index, instruction)
        return None

    def _product(self, index: int, instruction: Instruction) -> Inspection:
        thread, columns = self.execution.thread, instruction.exec_size

        def inspect() -> Callable[[], None] | None:
            on = thread.base_channels(instruction, columns)
            if on != (1 << columns) - 1:
                lane = instruction.channel_offset + _lowest_off(on)
                detail = f"{on.bit_count()} of {columns} lanes take part in a matrix product"
                self.findings.add(FaultKind.LAYOUT, index, detail, at=FaultAccess(lane))
            return None

        return inspect

    def _block(self, index: int, instruction: Instruction) -> Inspection:
        execution, thread = self.execution, self.execution.thread
        simd_size = execution.executable.description.facts.simd_size
        every = execution_mask(simd_size, (simd_size, 1, 1), 0)
        lanes = every.bit_count()

        def inspect() -> Callable[[], None] | None:
            on = thread.mask & every
            if on != every and (instruction.spec.block2d or not on & 1) and thread.predicate(instruction, 1):
                lane = _lowest_off(on)
                rest = "" if on & 1 else ", and the message is not sent, since the first one is off"
                detail = f"{on.bit_count()} of {lanes} lanes take part in a message of the whole subgroup{rest}"
                self.findings.add(FaultKind.LAYOUT, index, detail, at=FaultAccess(lane))
            return None

        return inspect


def _lowest_off(on: int) -> int:
    return (~on & (on + 1)).bit_length() - 1
