"""The registers that the lowering of native instructions adds, and its refusals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from xegpu.isa.model.kernel import Binding, BindingKind
from xegpu.isa.model.operands import Register, grf
from xegpu.on_demand import dataclass

ACCUMULATORS = 16
_TEMPORARIES = 3
_TEMPORARY_BYTES = 256
"""The bytes of a temporary, which has room for an address of each channel."""


def hidden_registers(grf_bytes: int, bindings: int) -> int:
    """Returns the number of registers behind the general ones, which native code does not see as such.

    They hold accumulators, what messages need in between, the addresses of `bindings` objects, and what code keeps in
    the control register.
    """
    return _first_binding(grf_bytes) + -(-bindings * Binding.SIZE // grf_bytes) + 1


def _first_binding(grf_bytes: int) -> int:
    return ACCUMULATORS + _TEMPORARIES * _TEMPORARY_BYTES // grf_bytes


class UnsupportedInstruction(ValueError):
    """A native instruction that is not executed; the text says why."""


@dataclass(frozen=True)
class BoundAddress:
    """An object that code names by a number, and the byte of the register file that has its address at the start.

    `handle` is the byte of what code takes for the offset of the surface, None if there is none; it has `handle_bytes`.
    """

    kind: BindingKind
    number: int
    byte: int
    handle: int | None = None
    handle_bytes: int = 8


@dataclass(frozen=True)
class LoweringContext:
    """The place of the hidden registers: behind `grf_count` general ones of `grf_bytes` bytes.

    `words` are the dwords that are constants in front of the instruction, if it is a message that needs them.
    """

    grf_count: int
    grf_bytes: int
    bindings: Sequence[BoundAddress] = ()
    words: Mapping[int, int] = field(default_factory=dict)

    def accumulator(self, number: int, byte: int = 0) -> Register:
        """Returns the register that stands for an accumulator."""
        return grf(self.grf_count + number, byte)

    def temporary(self, number: int = 0) -> Register:
        """Returns the first register of a temporary that nothing else names."""
        return grf(self.grf_count + ACCUMULATORS + _TEMPORARY_BYTES // self.grf_bytes * number)

    def control(self, byte: int) -> Register:
        """Returns the register that stands for the control register behind the modes of arithmetic.

        On Xe-HPG two threads share it, to tell each other what they call; here each has its own.
        """
        return grf(self.grf_count + hidden_registers(self.grf_bytes, len(self.bindings)) - 1, byte)

    def binding(self, index: int) -> Register:
        """Returns the register that keeps the address of an object."""
        register, byte = divmod(index * Binding.SIZE, self.grf_bytes)
        return grf(self.grf_count + _first_binding(self.grf_bytes) + register, byte)

    def bound(self, kind: BindingKind, number: int) -> Register:
        """Returns the register that keeps the address of the object with a number.

        Raises `UnsupportedInstruction` for a number that the kernel binds nothing to.
        """
        for index, binding in enumerate(self.bindings):
            if (binding.kind, binding.number) == (kind, number):
                return self.binding(index)
        raise UnsupportedInstruction(f"{kind.value} {number} is bound to no argument")
