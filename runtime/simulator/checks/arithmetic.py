"""Integer divisions that have no result."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runtime.simulator.checks.inspection.inspector import Inspection, Inspector
from runtime.simulator.interpreter.alu.operands import reader
from runtime.simulator.interpreter.threads.values import lane_array
from runtime.simulator.launch.faults import FaultAccess, FaultKind
from xegpu.isa.model import computation_type

_DIVISIONS = frozenset({"div", "mod"})


class Arithmetic(Inspector):
    """Finds divisions by zero, and the one quotient that overflows (minimum / -1)."""

    def inspect(self, index: int) -> Inspection | None:
        thread = self.execution.thread
        instruction = self.execution.executable.program.instructions[index]
        if instruction.mnemonic not in _DIVISIONS or (computed := computation_type(instruction)).is_float:
            return None
        channels, modifiers = instruction.exec_size, instruction.spec.modifiers
        dividend, divisor = (reader(thread, s, channels, modifiers, computed) for s in instruction.sources)
        smallest = -1 << (computed.bits - 1)

        def inspect() -> Callable[[], None] | None:
            on = lane_array(thread.enabled(instruction, channels), channels)
            by_zero = on & (divisor() == 0)
            if by_zero.any():
                lane = instruction.channel_offset + int(np.argmax(by_zero))
                self.findings.add(FaultKind.ARITHMETIC, index, "the divisor is zero", at=FaultAccess(lane), key="zero")
            if computed.is_signed:
                overflows = on & (dividend() == smallest) & (divisor() == -1)
                if overflows.any():
                    lane = instruction.channel_offset + int(np.argmax(overflows))
                    detail = f"{smallest} by -1 does not fit {computed.bits} bits"
                    self.findings.add(FaultKind.ARITHMETIC, index, detail, at=FaultAccess(lane), key="overflow")
            return None

        return inspect
