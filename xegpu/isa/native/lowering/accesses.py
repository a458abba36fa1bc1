"""The common parts of messages to memory: fields of descriptors, payloads, and addresses relative to a base."""

from __future__ import annotations

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.kernel import BindingKind
from xegpu.isa.model.messages import AddressSize, DataSize, Message, Unit
from xegpu.isa.model.operands import CONTIGUOUS, SCALAR, Destination, Immediate, Register, SourceRegister, grf, indirect
from xegpu.isa.model.table import BY_MNEMONIC, MemoryAccessKind, OpSpec
from xegpu.isa.model.types import DataType
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.lowering import operands
from xegpu.isa.native.lowering.context import LoweringContext, UnsupportedInstruction

_WORDS_OF_DWORD = 2

_LOCAL_ADDRESS = 0x0FFFFFFF
"""The bits of an address of shared local memory; those above mark it as a pointer."""


def bits(descriptor: int, high: int, low: int) -> int:
    """Returns a field of a descriptor."""
    return descriptor >> low & ((1 << high - low + 1) - 1)


def is_null(instruction: NativeInstruction, name: str) -> bool:
    """Returns whether a payload, or what is returned, is the null register."""
    return not instruction[f"{name}.file"]


def lane_registers(instruction: NativeInstruction, size: int, context: LoweringContext) -> int:
    """Returns the registers of `size` bytes for each channel."""
    return -(-operands.exec_size(instruction) * size // context.grf_bytes)


def payload_behind(instruction: NativeInstruction, registers: int) -> Register:
    """Returns the second part of a payload, or what lies behind `registers` registers of the first if there is none."""
    if not is_null(instruction, "src1"):
        return grf(instruction["src1.reg"])
    return grf(instruction["src0.reg"] + registers)


def memory_access(
    instruction: NativeInstruction, spec: OpSpec, message: Message, address: Register, data: Register
) -> Instruction:
    """Returns the access itself. A block is one for all channels."""
    returns = spec.access in (MemoryAccessKind.LOAD, MemoryAccessKind.ATOMIC) and not is_null(instruction, "dst")
    return Instruction(
        spec,
        1 if message.transposed else operands.exec_size(instruction),
        0 if message.transposed else operands.channel_offset(instruction),
        bool(instruction["no_mask"]),
        operands.predicate(instruction),
        message=message,
        returned=grf(instruction["dst.reg"]) if returns else None,
        address=address,
        data=data if spec.sources else None,
    )


def untagged(instruction: NativeInstruction, message: Message, offset: Register, target: Register) -> Instruction:
    """Returns the removal of tags from addresses of shared local memory."""
    lanes = 1 if message.transposed else operands.exec_size(instruction)
    return Instruction(
        BY_MNEMONIC["and"],
        lanes,
        no_mask=True,
        destination=Destination(target, DataType.UD),
        sources=(_offsets(offset, lanes), Immediate(DataType.UD, _LOCAL_ADDRESS)),
    )


def in_surface(
    instruction: NativeInstruction, message: Message, offset: Register, number: int, context: LoweringContext
) -> Instruction:
    """Returns the sum of the address of a buffer that a number names and of 32-bit offsets, in a temporary."""
    lanes = 1 if message.transposed else operands.exec_size(instruction)
    base = SourceRegister(context.bound(BindingKind.SURFACE, number), DataType.UQ, SCALAR)
    return Instruction(
        BY_MNEMONIC["add"],
        lanes,
        no_mask=True,
        destination=Destination(context.temporary(), DataType.UQ),
        sources=(base, _offsets(offset, lanes)),
    )


def in_bindless_surface(
    instruction: NativeInstruction, message: Message, offset: Register, context: LoweringContext
) -> Instruction:
    """Returns the sum of the address of a buffer that `a0` names and of 32-bit offsets, in a temporary.

    Raises `UnsupportedInstruction` if no argument gives the kernel such a name.
    """
    if all(binding.handle is None for binding in context.bindings):
        raise UnsupportedInstruction("no argument gives the offset of a surface")
    lanes = 1 if message.transposed else operands.exec_size(instruction)
    base = SourceRegister(indirect(_WORDS_OF_DWORD * instruction["ex_desc.subreg"]), DataType.UQ, SCALAR)
    return Instruction(
        BY_MNEMONIC["add"],
        lanes,
        no_mask=True,
        destination=Destination(context.temporary(), DataType.UQ),
        sources=(base, _offsets(offset, lanes)),
    )


def _offsets(register: Register, lanes: int) -> SourceRegister:
    return SourceRegister(register, DataType.UD, SCALAR if lanes == 1 else CONTIGUOUS)


def gather(unit: Unit, size: DataSize, vector: int = 1, *, transposed: bool = False, aligned: bool = False) -> Message:
    """Returns the fields of a message, whose addresses are those that its unit has."""
    width = AddressSize.A32 if unit is Unit.SLM else AddressSize.A64
    return Message(unit, size, vector, transposed, address_size=width, aligned=aligned)
