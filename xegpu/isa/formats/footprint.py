"""The footprint of an instruction: the bytes of the register file that it reads and writes."""

from __future__ import annotations

from xegpu.isa.formats.parts.spans import Footprint, Span, byte_of
from xegpu.isa.formats.spec import format_of
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import CONTROL, Register, RegisterFile
from xegpu.isa.model.semantics import predicate_chooses
from xegpu.targets import Target


def footprint(
    instruction: Instruction, target: Target, grf_count: int, mask: int | None, *, reads_control: bool = False
) -> Footprint:
    """Returns the registers that an instruction touches; flags, the execution mask and memory are not included.

    Args:
        instruction: Any instruction.
        target: The GPU, which decides how large payloads are.
        grf_count: Number of registers; indirect operands may be anywhere in them.
        mask: The execution mask, None if it is not known.
        reads_control: Whether what an ALU instruction computes depends on the control register.

    """
    format = format_of(instruction)
    found = format.footprint(instruction, target, grf_count)
    if reads_control and format.rounds:
        control = byte_of(Register(RegisterFile.ARF, CONTROL.number), target)
        found = Footprint((*found.reads, Span(control, CONTROL.size, CONTROL.size)), found.writes)
    strided = instruction.destination is not None and instruction.destination.stride > 1
    if format.by_channel and (strided or not _all_on(instruction, mask)):
        return Footprint(found.reads + found.writes, found.writes)
    return found


def _all_on(instruction: Instruction, mask: int | None) -> bool:
    """Returns whether the instruction is known to write all of its channels."""
    if instruction.predicate is not None and not predicate_chooses(instruction):
        return False
    channels = (1 << instruction.exec_size) - 1
    return instruction.no_mask or (mask is not None and mask >> instruction.channel_offset & channels == channels)
