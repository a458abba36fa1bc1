"""Finds whether a kernel reads or writes what an argument points to."""

from __future__ import annotations

from xdsl.dialects.cf import BranchOp, ConditionalBranchOp
from xdsl.dialects.memref import CollapseShapeOp, DimOp, SubviewOp, ViewOp
from xdsl.dialects.vector import TransferWriteOp
from xdsl.ir import Operation, SSAValue

from passes.kernel.address_sources import READERS
from passes.support.control_flow import branch_operands
from xegpu.dialects import xegpu
from xegpu.dialects.upstream import memref, vector
from xegpu.dialects.upstream.arith import SelectOp
from xegpu.dialects.upstream.llvm import (
    AddrSpaceCastOp,
    GEPOp,
    StoreOp,
)

_WRITERS: frozenset[type[Operation]] = frozenset(
    {
        *(memref.StoreOp, xegpu.StoreOp, xegpu.StoreNdOp),
        *(vector.CompressStoreOp, vector.MaskedStoreOp, vector.ScatterOp, vector.StoreOp, TransferWriteOp),
    }
)
_FOLLOWED: frozenset[type[Operation]] = frozenset(
    {
        *(memref.CastOp, CollapseShapeOp, memref.DistinctObjectsOp, memref.ExpandShapeOp, memref.MemorySpaceCastOp),
        *(memref.ReinterpretCastOp, SubviewOp, memref.TransposeOp, ViewOp),
        *(AddrSpaceCastOp, GEPOp, SelectOp),
        *(xegpu.CreateNdDescOp, xegpu.UpdateNdOffsetOp, xegpu.CreateDescOp, xegpu.UpdateOffsetOp),
    }
)


def pointer_access(argument: SSAValue) -> str:
    """Returns `readonly`, `writeonly` or `readwrite` for the accesses through a pointer that can be followed."""
    reads = writes = False
    seen: set[SSAValue] = set()
    pending = [argument]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        for use in value.uses:
            op = use.operation
            kind = type(op)
            if kind in READERS:
                reads = True
            elif (kind is StoreOp and use.index == 1) or kind in _WRITERS:
                writes = True
            elif kind in (BranchOp, ConditionalBranchOp):
                pending += [argument for argument, operand in branch_operands(op) if operand is value]
            elif kind in _FOLLOWED:
                pending += op.results
            elif kind not in (DimOp, memref.RankOp):
                reads = writes = True
    if reads and not writes:
        return "readonly"
    return "writeonly" if writes and not reads else "readwrite"
