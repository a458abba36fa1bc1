"""The registers that the lowering of native instructions adds, and its refusals."""

from __future__ import annotations

from dataclasses import dataclass

from xegpu.isa.model.operands import Register, grf

ACCUMULATORS = 16
_TEMPORARIES = 3
_TEMPORARY_REGISTERS = 2
"""Registers of a temporary, which is as large as an operand."""

HIDDEN_REGISTERS = ACCUMULATORS + _TEMPORARIES * _TEMPORARY_REGISTERS
"""Registers behind the general ones, which hold accumulators and addresses that messages need in between."""


class UnsupportedInstruction(ValueError):
    """A native instruction that is not executed; the text says why."""


@dataclass(frozen=True)
class LoweringContext:
    """The place of the hidden registers: behind `grf_count` general ones of `grf_bytes` bytes."""

    grf_count: int
    grf_bytes: int

    def accumulator(self, number: int, byte: int = 0) -> Register:
        """Returns the register that stands for an accumulator."""
        return grf(self.grf_count + number, byte)

    def temporary(self, number: int = 0) -> Register:
        """Returns the first register of a temporary that nothing else names."""
        return grf(self.grf_count + ACCUMULATORS + _TEMPORARY_REGISTERS * number)
