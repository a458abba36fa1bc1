"""Rules about registers and operands, and how an instruction that breaks a rule is refused."""

from __future__ import annotations

from typing import NoReturn

from xegpu.isa.model.instruction import IllegalInstruction, Instruction
from xegpu.isa.model.operands import (
    ADDRESS_WORDS,
    ARCHITECTURE,
    MAX_INDIRECT,
    MIN_INDIRECT,
    VXH,
    Architecture,
    Region,
    Register,
    RegisterFile,
    SourceRegister,
)
from xegpu.isa.model.table import Modifiers
from xegpu.isa.model.types import PACKED_IMMEDIATES, DataType
from xegpu.targets import Target

_ARCHITECTURE_TYPES = frozenset({DataType.UW, DataType.W, DataType.UD, DataType.D})
"""Types of operands that are architecture registers."""


def fail(instruction: Instruction, reason: str) -> NoReturn:
    """Raises `IllegalInstruction`."""
    raise IllegalInstruction(f"{instruction.mnemonic}: {reason}")


def has_type(type: DataType, target: Target) -> bool:
    """Returns whether a target has a type."""
    return type.feature is None or target.platform.has(type.feature)


def check_type(instruction: Instruction, type: DataType, target: Target) -> None:
    """Checks that a target has a type."""
    if type.feature is not None and not has_type(type, target):
        fail(instruction, f"{target.name} has no {type.feature.value}")


def one_channel(instruction: Instruction) -> None:
    """Checks that the execution size is 1."""
    if instruction.exec_size != 1:
        fail(instruction, f"execution size {instruction.exec_size}, expected 1")


def in_file(instruction: Instruction, register: Register, used: int, target: Target, grf_count: int) -> None:
    """Checks that `used` bytes from a general register on lie in the registers of the kernel."""
    end = register.number * target.platform.grf_bytes + register.byte + used
    if register.file is RegisterFile.GRF and (
        register.byte >= target.platform.grf_bytes or end > grf_count * target.platform.grf_bytes
    ):
        fail(
            instruction,
            f"{used} bytes from byte {register.byte} of r{register.number} leave the {grf_count} registers "
            f"of {target.platform.grf_bytes} bytes",
        )


def aligned(instruction: Instruction, register: Register, alignment: int) -> None:
    """Checks that the byte at which a register starts is a multiple of `alignment`."""
    if register.byte % alignment:
        fail(instruction, f"byte {register.byte} of r{register.number} is not aligned to {alignment}")


def check_elements(
    instruction: Instruction, register: Register, type: DataType, span: int, target: Target, grf_count: int
) -> None:
    """Checks that the target has the registers of an operand that spans `span` elements of a type."""
    match register.file:
        case RegisterFile.GRF:
            in_file(instruction, register, span * type.size, target, grf_count)
            aligned(instruction, register, type.size)
        case RegisterFile.ARF:
            _check_architecture(instruction, ARCHITECTURE[register.number], register, type, span, target)
        case RegisterFile.INDIRECT:
            if not (0 <= register.number < ADDRESS_WORDS and MIN_INDIRECT <= register.byte <= MAX_INDIRECT):
                fail(instruction, f"no indirect register r[a0.{register.number}, {register.byte}]")


def _check_architecture(
    instruction: Instruction,
    architecture: Architecture,
    register: Register,
    type: DataType,
    span: int,
    target: Target,
) -> None:
    name = architecture.text
    if register.flag is not None and register.flag >= target.platform.flag_registers:
        fail(instruction, f"flag register {name}, {target.name} has f0 to f{target.platform.flag_registers - 1}")
    if type not in _ARCHITECTURE_TYPES:
        fail(instruction, f"{name} holds uw, w, ud and d, not {type.text}")
    if span > 1 and not architecture.elements:
        fail(instruction, f"{name} is one element for all channels")
    if register.byte % type.size or register.byte + span * type.size > architecture.size:
        fail(
            instruction, f"{span * type.size} bytes from byte {register.byte} of {name}, which has {architecture.size}"
        )


def check_source(instruction: Instruction, source: SourceRegister, target: Target, grf_count: int) -> None:
    """Checks the region, the modifiers and the registers of a source."""
    region, modifiers = source.region, instruction.spec.modifiers
    if source.type in PACKED_IMMEDIATES:
        fail(instruction, f"{source.type.text} is a type of immediates only")
    if region.width > instruction.exec_size:
        fail(instruction, f"region width {region.width} exceeds execution size {instruction.exec_size}")
    if region.width == 1 and region.horizontal != 0:
        fail(instruction, f"region {_region_text(region)}: rows of width 1 have horizontal stride 0")
    if region.vertical == VXH:
        rows = instruction.exec_size // region.width
        if source.register.number + rows > ADDRESS_WORDS:
            fail(instruction, f"{rows} rows from a0.{source.register.number} on, a0 has {ADDRESS_WORDS} words")
    check_elements(instruction, source.register, source.type, region.span(instruction.exec_size), target, grf_count)
    if modifiers is Modifiers.LOGIC and source.absolute:
        fail(instruction, "logic takes no absolute value")
    if modifiers is Modifiers.NONE and (source.negate or source.absolute):
        fail(instruction, "takes no source modifiers")


def _region_text(region: Region) -> str:
    return f"<{region.vertical};{region.width},{region.horizontal}>"
