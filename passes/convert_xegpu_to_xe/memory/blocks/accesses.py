"""Lowers XeGPU's block accesses, and queries of memrefs."""

from __future__ import annotations

from xdsl.ir import Operation

from passes.convert_xegpu_to_xe.kernel.lowering import KernelLowering, lowers
from passes.convert_xegpu_to_xe.kernel.values import (
    BOOLEAN,
    BlockDescriptor1D,
    BlockDescriptor2D,
    MemRef,
    Number,
    UniformConstant,
    UnrankedMemRef,
)
from passes.convert_xegpu_to_xe.memory.blocks import block_1d, block_2d
from xegpu.dialects.xegpu import LoadNdOp, PrefetchNdOp, StoreNdOp
from xegpu.isa.model import Condition, DataType


@lowers("xegpu.load_nd")
def load_nd(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, LoadNdOp)
    descriptor = lowering.values[op.tensor_desc]
    if isinstance(descriptor, BlockDescriptor1D):
        lowering.values[op.value] = block_1d.lower_load(lowering, op, descriptor)
    else:
        assert isinstance(descriptor, BlockDescriptor2D)
        lowering.values[op.value] = block_2d.lower_load(lowering, op, descriptor)


@lowers("xegpu.store_nd")
def store_nd(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, StoreNdOp)
    descriptor = lowering.values[op.tensor_desc]
    if isinstance(descriptor, BlockDescriptor1D):
        block_1d.lower_store(lowering, op, descriptor)
    else:
        assert isinstance(descriptor, BlockDescriptor2D)
        block_2d.lower_store(lowering, op, descriptor)


@lowers("xegpu.prefetch_nd")
def prefetch_nd(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, PrefetchNdOp)
    descriptor = lowering.values[op.tensor_desc]
    if isinstance(descriptor, BlockDescriptor1D):
        block_1d.lower_prefetch(lowering, op, descriptor)
    else:
        assert isinstance(descriptor, BlockDescriptor2D)
        block_2d.lower_prefetch(lowering, op, descriptor)


@lowers("memref.dim")
def dim(lowering: KernelLowering, op: Operation) -> None:
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


@lowers("memref.extract_aligned_pointer_as_index")
def pointer(lowering: KernelLowering, op: Operation) -> None:
    memref = lowering.values[op.operands[0]]
    assert isinstance(memref, MemRef)
    lowering.values[op.results[0]] = memref.base
