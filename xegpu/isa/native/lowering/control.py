"""Branches, synchronization and padding of native code."""

from __future__ import annotations

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import Immediate, grf
from xegpu.isa.model.table import BY_MNEMONIC
from xegpu.isa.model.types import DataType
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.lowering import operands
from xegpu.isa.native.lowering.context import UnsupportedInstruction
from xegpu.isa.native.text.formatter import signed

NOP = Instruction(BY_MNEMONIC["nop"], no_mask=True)
_FIRST_BARRIER = Immediate(DataType.UD, 0)


def lower_sync(instruction: NativeInstruction) -> Instruction:
    """Returns a wait for the barrier; other waits have no effect where instructions run one after the other."""
    if not waits_for_barrier(instruction):
        return NOP
    if not instruction["src0.immediate"] and (instruction["src0.file"] or instruction["src0.reg"]):
        raise UnsupportedInstruction("waits for a barrier that a register names are not supported")
    number = Immediate(DataType.UD, instruction["src0.imm"]) if instruction["src0.immediate"] else _FIRST_BARRIER
    return Instruction(BY_MNEMONIC["nbarrier.wait"], no_mask=True, sources=(number,))


def waits_for_barrier(instruction: NativeInstruction) -> bool:
    """Returns whether a synchronization is not one of tokens and pipes alone."""
    return instruction.encoding.sync_functions[instruction["function"]] == "bar"


def lower_branch(instruction: NativeInstruction) -> Instruction:
    """Returns a jump, a join, a call or a return. All channels of a thread call the same subroutine."""
    mnemonic = instruction.opcode.mnemonic + ".b" * (
        instruction.opcode.form is NativeForm.BRANCH and instruction["back"]
    )
    if mnemonic == "while" and instruction["no_mask"] and operands.exec_size(instruction) == 1:
        mnemonic = "jmpi"  # there are no channels that leave the loop apart
    spec = BY_MNEMONIC.get(mnemonic)
    if spec is None:
        raise UnsupportedInstruction(f"'{mnemonic}' is not supported")
    by_register = not instruction["src0.immediate"]
    if by_register != spec.flow.by_register:
        raise UnsupportedInstruction(f"'{mnemonic}' to this kind of address is not supported")
    by_call = spec.flow.calls or spec.flow.returns
    if by_call and instruction["predicate"]:
        raise UnsupportedInstruction(f"'{mnemonic}' by some channels is not supported")
    distances = spec.flow.distances
    far = "uip" if instruction.opcode.form is NativeForm.BRANCH else "jip"
    return Instruction(
        spec,
        1 if by_call else operands.exec_size(instruction),
        0 if by_call else operands.channel_offset(instruction),
        by_call or bool(instruction["no_mask"]),
        operands.predicate(instruction) if spec.predicate else None,
        target=signed(instruction[far]) if "target" in distances else 0,
        join=signed(instruction["jip"]) if "join" in distances else 0,
        returned=grf(instruction["dst.reg"], instruction["dst.subreg"]) if spec.flow.calls else None,
        address=grf(instruction["src0.reg"], instruction["src0.subreg"]) if by_register else None,
    )
