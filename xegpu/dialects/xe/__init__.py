"""The `xe` dialect: the virtual Xe ISA over SSA registers, and over physical ones after allocation.

There is an op for each instruction of the instruction table, in three forms, and a few that hold a kernel together.
What an instruction computes, `docs/isa.md` says. An instruction that writes a part of a register, or updates it in
place, takes the previous value as its `into` operand: the result occupies the same bytes.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from xegpu.dialects.xe.attributes import ImageAttr, ImmediateAttr, MessageAttr, Read, ReadAttr, Write, WriteAttr
from xegpu.dialects.xe.canonicalization import register_patterns
from xegpu.dialects.xe.clock import ClockOp
from xegpu.dialects.xe.control import CondGotoOp, GotoOp, JoinOp, edges
from xegpu.dialects.xe.emit import compiled_kernels, kernel_target
from xegpu.dialects.xe.kernel import KernelOp, kernels_of
from xegpu.dialects.xe.kernel_facts import ArgumentAttr, ImplicitArgumentAttr, SamplerAttr
from xegpu.dialects.xe.lookup import LookupOp
from xegpu.dialects.xe.ops import (
    INSTRUCTIONS,
    AluOp,
    DpasOp,
    ImageOp,
    InstructionOp,
    MessageOp,
    alu_op,
    barrier_op,
    dpas_op,
    fence_op,
    image_op,
    message_op,
)
from xegpu.dialects.xe.ops.effects import effects_of, only_reads
from xegpu.dialects.xe.structure import (
    BranchOp,
    CondBranchOp,
    CopyOp,
    EndOp,
    FillOp,
    IllegalOp,
    SpillOp,
    UndefOp,
    scratch_bytes,
)
from xegpu.dialects.xe.symbols import SymbolAddressOp, imports_variable, referenced_variable, variables_of
from xegpu.dialects.xe.trip_count import TripCountAttr
from xegpu.dialects.xe.types import FLAG_BYTES, FlagType, GRFType, register_bytes, register_type, unplaced

register_patterns()

Xe = Dialect(
    "xe",
    [
        *INSTRUCTIONS.values(),
        KernelOp,
        UndefOp,
        CopyOp,
        ClockOp,
        SymbolAddressOp,
        LookupOp,
        SpillOp,
        FillOp,
        IllegalOp,
        BranchOp,
        CondBranchOp,
        GotoOp,
        CondGotoOp,
        JoinOp,
        EndOp,
    ],
    [
        GRFType,
        FlagType,
        ReadAttr,
        ImmediateAttr,
        WriteAttr,
        MessageAttr,
        ImageAttr,
        ArgumentAttr,
        ImplicitArgumentAttr,
        SamplerAttr,
        TripCountAttr,
    ],
)

__all__ = [
    "FLAG_BYTES",
    "INSTRUCTIONS",
    "AluOp",
    "BranchOp",
    "ClockOp",
    "CondBranchOp",
    "CondGotoOp",
    "CopyOp",
    "DpasOp",
    "EndOp",
    "FillOp",
    "FlagType",
    "GRFType",
    "GotoOp",
    "IllegalOp",
    "ImageAttr",
    "ImageOp",
    "ImmediateAttr",
    "InstructionOp",
    "JoinOp",
    "KernelOp",
    "LookupOp",
    "MessageAttr",
    "MessageOp",
    "Read",
    "ReadAttr",
    "SpillOp",
    "SymbolAddressOp",
    "UndefOp",
    "Write",
    "WriteAttr",
    "Xe",
    "alu_op",
    "barrier_op",
    "compiled_kernels",
    "dpas_op",
    "edges",
    "effects_of",
    "fence_op",
    "image_op",
    "imports_variable",
    "kernel_target",
    "kernels_of",
    "message_op",
    "only_reads",
    "referenced_variable",
    "register_bytes",
    "register_type",
    "scratch_bytes",
    "unplaced",
    "variables_of",
]
