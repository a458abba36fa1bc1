"""Lowers XeGPU's block accesses, and queries of memrefs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from xdsl.dialects.memref import DimOp

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import (
    BlockDescriptor1D,
    BlockDescriptor2D,
    MemRef,
    Number,
    UniformConstant,
    UnrankedMemRef,
)
from passes.convert_xegpu_to_xe.memory.descriptors import block_1d, block_2d
from passes.kernel.register_types import BOOLEAN
from xegpu.dialects.xegpu import LoadNdOp, PrefetchNdOp, StoreNdOp
from xegpu.isa.model import Condition, DataType

_Access = TypeVar("_Access", LoadNdOp, StoreNdOp, PrefetchNdOp)
_Result = TypeVar("_Result")


def _lower(
    lowering: KernelLowering,
    op: _Access,
    line: Callable[[KernelLowering, _Access, BlockDescriptor1D], _Result],
    surface: Callable[[KernelLowering, _Access, BlockDescriptor2D], _Result],
) -> _Result:
    """Lowers an access with the function for the rank of its descriptor."""
    descriptor = lowering.values[op.tensor_desc]
    if isinstance(descriptor, BlockDescriptor1D):
        return line(lowering, op, descriptor)
    assert isinstance(descriptor, BlockDescriptor2D)
    return surface(lowering, op, descriptor)


@lowers(LoadNdOp)
def load_nd(lowering: KernelLowering, op: LoadNdOp) -> None:
    lowering.values[op.value] = _lower(lowering, op, block_1d.lower_load, block_2d.lower_load)


@lowers(StoreNdOp)
def store_nd(lowering: KernelLowering, op: StoreNdOp) -> None:
    _lower(lowering, op, block_1d.lower_store, block_2d.lower_store)


@lowers(PrefetchNdOp)
def prefetch_nd(lowering: KernelLowering, op: PrefetchNdOp) -> None:
    _lower(lowering, op, block_1d.lower_prefetch, block_2d.lower_prefetch)


@lowers(DimOp)
def dim(lowering: KernelLowering, op: DimOp) -> None:
    """At an index that is computed at run time, the size is selected among those of all dimensions."""
    memref, index = lowering.values[op.operands[0]], lowering.uniform(op, op.operands[1])
    assert isinstance(memref, MemRef | UnrankedMemRef)
    if not isinstance(index, UniformConstant):
        size: Number = memref.sizes[0] if memref.sizes else UniformConstant(DataType.UQ, 0)
        for number, other in enumerate(memref.sizes[1:], 1):
            same = lowering.emit.alu(
                "cmp", BOOLEAN, [index, UniformConstant(index.type, number)], 1, condition=Condition.EQ
            )
            size = lowering.emit.alu("sel", DataType.UQ, [other, size], 1, predicate=same)
        lowering.values[op.results[0]] = size
        return
    if not 0 <= index.value < len(memref.sizes):
        lowering.refuse(op, f"asks for dimension {index.value} of a memref of rank {len(memref.sizes)}")
    lowering.values[op.results[0]] = memref.sizes[int(index.value)]
