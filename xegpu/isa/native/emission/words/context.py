"""The registers that emission uses, and its refusals."""

from __future__ import annotations

from dataclasses import replace

from xegpu.isa.model.operands import Flag, Register, RegisterFile, grf
from xegpu.isa.model.types import DataType
from xegpu.isa.native.layouts.encoding import NativeEncoding
from xegpu.isa.native.platforms import conventions_of, encoding_of
from xegpu.on_demand import dataclass
from xegpu.targets import NativeConventions, Platform

_TEMPORARIES = 4
_TEMPORARY_REGISTERS = 2
"""Registers of a temporary, which is as large as an operand."""

RESERVED_REGISTERS = 2 + _TEMPORARIES * _TEMPORARY_REGISTERS
"""The registers at the end of the file that emission needs: kernels must leave them alone."""

_KEPT_FLAG, _KEPT_ADDRESS = 24, 28
"""The places in the register for payloads of what is put back."""

ACCUMULATOR = Register(RegisterFile.ARF, 0x20)


class UnsupportedEmission(ValueError):
    """An instruction that there is no native code for; the text says which, and why."""


@dataclass(frozen=True)
class EmissionContext:
    """The platform, and the place of the reserved registers: the last of `grf_count`.

    `has_addresses` says that the program keeps addresses of registers in the address register, and `has_spills` that it
    keeps registers in scratch space.
    """

    platform: Platform
    grf_count: int
    has_addresses: bool = False
    has_spills: bool = False

    @property
    def encoding(self) -> NativeEncoding:
        """The tables of the words of the platform."""
        return encoding_of(self.platform)

    @property
    def conventions(self) -> NativeConventions:
        """The ways of the platform's native code."""
        return conventions_of(self.platform)

    @property
    def header(self) -> Register:
        """The copy of `r0`, which lives as long as the thread and ends it."""
        return grf(self.grf_count - 1)

    @property
    def payload(self) -> Register:
        """A register for payloads of messages and addresses."""
        return grf(self.grf_count - 2)

    @property
    def kept_flag(self) -> Register:
        """The dword for a flag that is put back."""
        return replace(self.payload, byte=_KEPT_FLAG)

    @property
    def kept_address(self) -> Register:
        """The dword for a part of the address register that is put back."""
        return replace(self.payload, byte=_KEPT_ADDRESS)

    @property
    def flag(self) -> Flag:
        """The flag that sequences of instructions use, and put back: the last one."""
        return Flag(self.platform.flag_registers - 1)

    @property
    def lanes(self) -> int:
        """The channels of which a register has the dwords."""
        return self.platform.grf_bytes // DataType.UD.size

    @property
    def first_reserved(self) -> int:
        """The number of registers that a kernel may use."""
        return self.grf_count - RESERVED_REGISTERS

    def temporary(self, number: int) -> Register:
        """Returns the first of the two registers of a temporary, from 0 to 3."""
        return grf(self.first_reserved + _TEMPORARY_REGISTERS * number)
