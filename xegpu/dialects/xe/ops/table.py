"""The operations of the instruction table: a class for each row that works on registers."""

from __future__ import annotations

from xdsl.irdl import irdl_op_definition, traits_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, OpTrait, Pure

from xegpu.dialects.xe.ops.alu import AluOp
from xegpu.dialects.xe.ops.base import InstructionOp
from xegpu.dialects.xe.ops.dpas import DpasOp
from xegpu.dialects.xe.ops.image import ImageOp
from xegpu.dialects.xe.ops.message import MessageOp
from xegpu.dialects.xe.ops.patterns import AluPatterns
from xegpu.dialects.xe.ops.synchronization import BarrierOp, FenceOp
from xegpu.isa.model import TABLE, InstructionFormat, MemoryAccessKind, OpSpec

_BASES: dict[InstructionFormat, type[InstructionOp]] = {
    InstructionFormat.ALU: AluOp,
    InstructionFormat.DPAS: DpasOp,
    InstructionFormat.MESSAGE: MessageOp,
    InstructionFormat.IMAGE: ImageOp,
    InstructionFormat.FENCE: FenceOp,
    InstructionFormat.BARRIER: BarrierOp,
}
_EFFECTS: dict[MemoryAccessKind, OpTrait] = {
    MemoryAccessKind.LOAD: MemoryReadEffect(),
    MemoryAccessKind.STORE: MemoryWriteEffect(),
    MemoryAccessKind.ATOMIC: MemoryWriteEffect(),
    MemoryAccessKind.PREFETCH: MemoryWriteEffect(),  # has no result: without an effect it would count as dead
}


def _define(spec: OpSpec) -> type[InstructionOp]:
    """The op class of one row."""
    base = _BASES[spec.format]
    name = "".join(part.capitalize() for part in spec.mnemonic.replace(".", "_").split("_")) + "Op"
    trait = Pure() if spec.access is None else _EFFECTS[spec.access]
    if base in (FenceOp, BarrierOp):
        trait = MemoryWriteEffect()  # nothing passes them, neither reads nor writes
    patterns = (AluPatterns(),) if spec.computes else ()
    fields = {"name": f"xe.{spec.mnemonic}", "traits": traits_def(trait, *patterns), "__doc__": spec.summary}
    op_class: type[InstructionOp] = irdl_op_definition(type(name, (base,), fields))
    op_class.SPEC = spec
    return op_class


INSTRUCTIONS: dict[str, type[InstructionOp]] = {spec.mnemonic: _define(spec) for spec in TABLE if spec.format in _BASES}
"""Mnemonic to op class, for every instruction that works on registers."""


def alu_op(mnemonic: str) -> type[AluOp]:
    """The op class of an ALU instruction; raises `KeyError` for a mnemonic that is none."""
    op_class = INSTRUCTIONS[mnemonic]
    if not issubclass(op_class, AluOp):
        raise KeyError(mnemonic)
    return op_class


def message_op(mnemonic: str) -> type[MessageOp]:
    """The op class of a message; raises `KeyError` for a mnemonic that is none."""
    op_class = INSTRUCTIONS[mnemonic]
    if not issubclass(op_class, MessageOp):
        raise KeyError(mnemonic)
    return op_class


def image_op(mnemonic: str) -> type[ImageOp]:
    """The op class of a message to an image; raises `KeyError` for a mnemonic that is none."""
    op_class = INSTRUCTIONS[mnemonic]
    if not issubclass(op_class, ImageOp):
        raise KeyError(mnemonic)
    return op_class


def dpas_op() -> type[DpasOp]:
    """The op class of `dpas`."""
    op_class = INSTRUCTIONS["dpas"]
    assert issubclass(op_class, DpasOp)
    return op_class


def fence_op() -> type[FenceOp]:
    """The op class of `fence`."""
    op_class = INSTRUCTIONS["fence"]
    assert issubclass(op_class, FenceOp)
    return op_class


def barrier_op(mnemonic: str) -> type[BarrierOp]:
    """The op class of an instruction at a barrier; raises `KeyError` for a mnemonic that is none."""
    op_class = INSTRUCTIONS[mnemonic]
    if not issubclass(op_class, BarrierOp):
        raise KeyError(mnemonic)
    return op_class
