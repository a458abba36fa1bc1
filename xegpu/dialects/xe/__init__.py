"""The `xe` dialect: the virtual Xe ISA over SSA registers, and over physical ones after allocation.

There is an op for each instruction of the instruction table, in three forms, and a few that hold a kernel together.
What an instruction computes, `docs/isa.md` says. An instruction that writes a part of a register, or updates it in
place, takes the previous value as its `into` operand: the result occupies the same bytes.
"""

from xdsl.ir import Dialect

from xegpu.dialects.xe.canonicalization import register_patterns
from xegpu.dialects.xe.clock import ClockOp as ClockOp
from xegpu.dialects.xe.control import CondGotoOp as CondGotoOp, GotoOp as GotoOp, JoinOp as JoinOp, edges as edges
from xegpu.dialects.xe.emit import compiled_kernels as compiled_kernels, kernel_target as kernel_target
from xegpu.dialects.xe.kernel import KernelOp as KernelOp, kernels_of as kernels_of
from xegpu.dialects.xe.kernel_facts import (
    ArgumentAttr as ArgumentAttr,
    ImplicitArgumentAttr as ImplicitArgumentAttr,
    SamplerAttr as SamplerAttr,
)
from xegpu.dialects.xe.lookup import LookupOp as LookupOp
from xegpu.dialects.xe.ops import (
    INSTRUCTIONS as INSTRUCTIONS,
    AluOp as AluOp,
    DpasOp as DpasOp,
    ImageOp as ImageOp,
    InstructionOp as InstructionOp,
    MessageOp as MessageOp,
    alu_op as alu_op,
    barrier_op as barrier_op,
    dpas_op as dpas_op,
    fence_op as fence_op,
    image_op as image_op,
    message_op as message_op,
)
from xegpu.dialects.xe.ops.attributes import (
    ImageAttr as ImageAttr,
    ImmediateAttr as ImmediateAttr,
    MessageAttr as MessageAttr,
    Read as Read,
    ReadAttr as ReadAttr,
    Write as Write,
    WriteAttr as WriteAttr,
)
from xegpu.dialects.xe.ops.effects import effects_of as effects_of, only_reads as only_reads
from xegpu.dialects.xe.ops.types import (
    FLAG_BYTES as FLAG_BYTES,
    FlagType as FlagType,
    GRFType as GRFType,
    register_bytes as register_bytes,
    register_type as register_type,
)
from xegpu.dialects.xe.structure import (
    BranchOp as BranchOp,
    CondBranchOp as CondBranchOp,
    CopyOp as CopyOp,
    EndOp as EndOp,
    FillOp as FillOp,
    IllegalOp as IllegalOp,
    SpillOp as SpillOp,
    UndefOp as UndefOp,
    scratch_bytes as scratch_bytes,
)
from xegpu.dialects.xe.symbols import (
    SymbolAddressOp as SymbolAddressOp,
    imports_variable as imports_variable,
    referenced_variable as referenced_variable,
    variables_of as variables_of,
)
from xegpu.dialects.xe.trip_count import TripCountAttr as TripCountAttr
from xegpu.mlir import definitions, extend

register_patterns()

Xe = extend(Dialect("xe"), (*INSTRUCTIONS.values(), *definitions(vars())))
