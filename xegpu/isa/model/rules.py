"""How rules of the instruction set are refused, and those about places of registers."""

from __future__ import annotations

from typing import NoReturn

from xegpu.isa.model.instruction import IllegalInstruction, Instruction
from xegpu.isa.model.operands import Register, RegisterFile
from xegpu.targets import Target


def fail(instruction: Instruction, reason: str) -> NoReturn:
    """Raises `IllegalInstruction`."""
    raise IllegalInstruction(f"{instruction.mnemonic}: {reason}")


def in_file(instruction: Instruction, register: Register, used: int, target: Target, grf_count: int) -> None:
    """Checks that `used` bytes from a general register on lie in the kernel's registers."""
    end = register.number * target.grf_bytes + register.byte + used
    if register.file is RegisterFile.GRF and (register.byte >= target.grf_bytes or end > grf_count * target.grf_bytes):
        fail(
            instruction,
            f"{used} bytes from byte {register.byte} of r{register.number} leave the {grf_count} registers "
            f"of {target.grf_bytes} bytes",
        )


def aligned(instruction: Instruction, register: Register, alignment: int) -> None:
    """Checks that a register starts at a multiple of `alignment` bytes of it."""
    if register.byte % alignment:
        fail(instruction, f"byte {register.byte} of r{register.number} is not aligned to {alignment}")
